"""POST /v1/check: whether answers are grounded in the contexts that come with them.

One case gives its record, `{"items": [case, …]}` gives `{"results": [record, …]}` in the same order; all cases of a request are
one batch. Left out: the verdict claim by claim as it comes (`stream`).
"""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from groundwire.server.own.models import Options
from groundwire.server.own.records import published, written
from groundwire.server.own.request import asked_of
from groundwire.server.own.schema import CASE, ERRORS, objects, taking
from groundwire.server.replies import replied

router = APIRouter()
_ITEMS = {
    "type": "array",
    "minItems": 1,
    "maxItems": 32,
    "items": {"type": "object", "properties": CASE, "required": ["answer", "contexts"]},
}
_ONE, _MANY = objects(Options, CASE, ["answer", "contexts"]), objects(Options, {"items": _ITEMS}, ["items"])


@router.post(
    "/v1/check", summary="Check answers against their contexts", responses=ERRORS, openapi_extra=taking(_ONE, _MANY)
)
async def check(request: Request) -> Response:
    """Return the record of the verdict, or of each."""
    asked = await asked_of(request, Options, items=True)
    verdicts = await request.app.state.engine.check(
        [read.case for read in asked.reads], request.state.ticket, threshold=asked.options.threshold
    )
    records = await written(
        verdicts,
        lambda: [published(v, asked.options, cut=read.cut) for v, read in zip(verdicts, asked.reads, strict=True)],
    )
    return await replied(records[0] if asked.single else {"results": records})
