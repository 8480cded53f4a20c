"""POST /v1/check/stream: the same verdict, claim by claim as it is judged.

`event: claim` has a claim of the record (its `id` is the claim's place in the answer, from 0), the last `event: verdict` the
whole record, `event: error` the envelope of what went wrong after the head was sent. Left out: many cases at once.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

from fastapi import APIRouter, Request
from starlette.responses import Response

from groundwire.server.own.events import framed, opened
from groundwire.server.own.models import Options
from groundwire.server.own.records import claim_record, published, written
from groundwire.server.own.request import Asked, asked_of
from groundwire.server.own.schema import CASE, ERRORS, objects, taking
from groundwire.types import ClaimVerdict, Label, Verdict

router = APIRouter()


@router.post(
    "/v1/check/stream",
    summary="Check an answer, a verdict per finished claim",
    responses={200: {"content": {"text/event-stream": {}}}, **ERRORS},
    openapi_extra=taking(objects(Options, CASE, ["answer", "contexts"])),
)
async def stream(request: Request) -> Response:
    """Return the stream of events."""
    asked = await asked_of(request, Options)
    return await opened(request, _events(request, asked))


async def _events(request: Request, asked: Asked[Options]) -> AsyncIterator[bytes]:
    case, options, number = asked.read.case, asked.options, 0
    so_far = Verdict(case=case, label=Label.NOT_CHECKABLE, score=None, threshold=0.0)
    async for judged in request.app.state.engine.unfold(case, request.state.ticket, threshold=options.threshold):
        if isinstance(judged, ClaimVerdict):
            so_far = Verdict(case=case, label=judged.label, score=judged.score, threshold=0.0, claims=(judged,))
            told = await written([so_far], lambda: claim_record(so_far, options))  # noqa: B023
            yield await framed(told, "claim", number)
            number += 1
        else:
            verdict: Verdict = judged
            told = await written([verdict], lambda: published(verdict, options, cut=asked.read.cut))  # noqa: B023
            yield await framed(told, "verdict")
