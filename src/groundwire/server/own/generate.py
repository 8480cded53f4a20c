"""POST /v1/generate: an answer that is grown from an index or from given passages, and checked.

`event: generation` has a generation that ended and the best candidate so far, the last `event: answer` the whole answer with
its sources, lineage and verdict; `stream: false` gives the answer alone, as JSON. No generation begins after `seconds` (20
unless the request says otherwise), and what is grown then is checked within the time that any verdict has. Left out: the
choice of a language model, which is the server's.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from groundwire.server.errors import internal, invalid
from groundwire.server.own.events import framed, opened
from groundwire.server.own.models import GenerateOptions, index_of
from groundwire.server.own.records import grown, written
from groundwire.server.own.request import asked_of
from groundwire.server.own.schema import CASE, ERRORS, objects, taking
from groundwire.server.replies import replied
from groundwire.types import Answer, Passage

router = APIRouter()
SECONDS = 20.0
BUDGETS = ("generations", "calls", "tokens", "seed", "seeds", "threshold")
_FIELDS = {name: CASE[name] for name in ("question", "contexts")}


@dataclass(frozen=True, slots=True)
class _Wanted:
    question: str
    index: str | None
    passages: Sequence[Passage] | None
    options: GenerateOptions
    cut: bool

    def budgets(self) -> dict[str, Any]:
        """Return the recipe's fields that the request sets, and the time that it has."""
        given = {name: getattr(self.options, name) for name in BUDGETS}
        return {**{name: value for name, value in given.items() if value is not None}, "seconds": self.seconds}

    @property
    def seconds(self) -> float:
        """How long generations may begin."""
        return SECONDS if self.options.seconds is None else self.options.seconds


@router.post(
    "/v1/generate",
    summary="Grow an answer with sources, and check it",
    responses={200: {"content": {"text/event-stream": {}, "application/json": {}}}, **ERRORS},
    openapi_extra=taking(objects(GenerateOptions, _FIELDS, ["question"])),
)
async def generate(request: Request) -> Response:
    """Return the stream of events, or the answer."""
    wanted = await _wanted(request)
    request.state.ticket.deadline = monotonic() + wanted.seconds + request.app.state.settings.limits.work_seconds
    if wanted.options.stream:
        return await opened(request, _events(request, wanted))
    async for one in _run(request, wanted):
        if isinstance(one, Answer):
            return await replied(await _told(one, wanted))
    raise internal()


async def _wanted(request: Request) -> _Wanted:
    asked = await asked_of(request, GenerateOptions, fields=("question", "contexts"), needs=("question",))
    case, options = asked.read.case, asked.options
    if not (case.question or "").strip():
        raise invalid("invalid_field", "the question is empty", "question")
    if case.contexts and options.index:
        raise invalid("ambiguous_field", "give an index or contexts, not both", "contexts")
    index = None if case.contexts else index_of(options.index, request.app.state.engine.indexes())
    return _Wanted(case.question or "", index, case.contexts or None, options, asked.read.cut)


def _run(request: Request, wanted: _Wanted) -> AsyncIterator[Any]:
    steps: AsyncIterator[Any] = request.app.state.engine.generate(
        wanted.question,
        request.state.ticket,
        index_name=wanted.index,
        passages=wanted.passages,
        options=wanted.budgets(),
    )
    return steps


async def _events(request: Request, wanted: _Wanted) -> AsyncIterator[bytes]:
    async for one in _run(request, wanted):
        if isinstance(one, Answer):
            yield await framed(await _told(one, wanted), "answer")
        else:
            generation, best = one
            told = {"generation": generation.to_dict(), "best": best.to_dict()}
            yield await framed(told, "generation", generation.number)


async def _told(answer: Answer, wanted: _Wanted) -> dict[str, Any]:
    return await written([answer.verdict], lambda: grown(answer, wanted.options, cut=wanted.cut))
