"""POST /v1/verify: evidence for an answer is found in an index, and judged.

The record is that of a check with the query, the passages that were judged and where each part of the stack ranked them;
`explain` adds their texts. Left out: many answers at once, and the search alone (`search`).
"""

from __future__ import annotations

from dataclasses import replace

from fastapi import APIRouter, Request
from starlette.responses import Response

from groundwire.server.errors import invalid
from groundwire.server.own.models import VerifyOptions, index_of
from groundwire.server.own.records import found, written
from groundwire.server.own.request import asked_of
from groundwire.server.own.schema import CASE, ERRORS, objects, taking
from groundwire.server.replies import replied

router = APIRouter()
_FIELDS = {name: CASE[name] for name in ("id", "question", "answer")}


@router.post(
    "/v1/verify",
    summary="Find evidence for an answer in an index, and judge it",
    responses=ERRORS,
    openapi_extra=taking(objects(VerifyOptions, _FIELDS, [])),
)
async def verify(request: Request) -> Response:
    """Return the record of the verdict. One of question and answer may be missing, an answer only where an LLM gives one."""
    engine = request.app.state.engine
    asked = await asked_of(request, VerifyOptions, fields=("question", "answer"), needs=())
    options = asked.options
    case = replace(asked.read.case, reason=None)  # it would say that there are no contexts: these are found
    if not case.answer and not case.question:
        raise invalid("missing_field", "answer is missing", "answer")
    verdict = await engine.verify(
        case,
        index_of(options.index, engine.indexes()),
        request.state.ticket,
        passages=options.passages,
        threshold=options.threshold,
    )
    return await replied(await written([verdict], lambda: found(verdict, options, cut=asked.read.cut)))
