"""POST /v1/chat/completions: the upstream's answer, with a verdict.

How long it takes is the upstream's matter; each check has the time that any verdict has. Left out: what is read of a request
(`request`), and each way to answer (`nonstreaming`, `stream_annotate`, `stream_block`).
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, aclosing

from fastapi import APIRouter, Request
from starlette.responses import Response

from groundwire.server.own.events import opened
from groundwire.server.own.schema import ERRORS, MISSING, taking
from groundwire.server.proxy.chunks import events_of
from groundwire.server.proxy.judging import Judging
from groundwire.server.proxy.nonstreaming import replied
from groundwire.server.proxy.request import Chat, chat_of
from groundwire.server.proxy.stream_annotate import passed
from groundwire.server.proxy.stream_block import held
from groundwire.server.proxy.upstream import Answering, closing, upstream_of

router = APIRouter(lifespan=closing)
_PATH = "/chat/completions"
_MODE = {"type": "string", "enum": ["annotate", "block"]}
_BODY = {
    "type": "object",
    "properties": {
        "model": {"type": "string"},
        "messages": {"type": "array", "items": {"type": "object"}},
        "stream": {"type": "boolean"},
        "groundwire": {"type": "object", "properties": {"mode": _MODE, "threshold": {"type": "number"}}},
    },
    "required": ["model", "messages"],
}


@router.post(
    "/v1/chat/completions",
    summary="Chat with the upstream; the answer comes with a verdict",
    responses={200: {"content": {"text/event-stream": {}, "application/json": {}}}, **ERRORS, **MISSING},
    openapi_extra=taking(_BODY),
)
async def completions(request: Request) -> Response:
    """Return the upstream's reply with its verdict, or its error as it is."""
    upstream = upstream_of(request.app)
    chat = await chat_of(request)
    request.state.ticket.deadline = None
    async with AsyncExitStack() as stack:
        answering = await stack.enter_async_context(upstream.ask("POST", _PATH, chat.body))
        if not answering.ok:
            return Response(await answering.whole(), answering.status, answering.headers)
        judging = _judging(request, chat)
        if not answering.streams:
            return await replied(await answering.whole(), judging)
        events = _events(answering, judging, upstream.patience.event_bytes, stack.pop_all())
    return await opened(request, events)


def _judging(request: Request, chat: Chat) -> Judging:
    state, limits = request.app.state, request.app.state.settings.limits
    return Judging(state.engine, chat, request.state.ticket, limits.verdict_seconds, limits.text_chars)


async def _events(
    answering: Answering, judging: Judging, most: int, opened_: AsyncExitStack
) -> AsyncGenerator[bytes, None]:
    """Yield the stream, and close the upstream's when it ends, however that is."""
    async with opened_, aclosing(events_of(answering.pieces(), most)) as events:
        way = held if judging.chat.mode == "block" else passed
        async with aclosing(way(events, judging)) as sent:
            async for body in sent:
                yield answering.redacted(body)
