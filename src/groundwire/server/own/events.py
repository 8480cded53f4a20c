"""Server-sent events: frames, pings while nothing happens, and an end for every stream that began.

The first event is waited for a moment before the head is sent, so that what fails at once (a full queue, a wrong name) is
answered by its own status; what fails later is an `error` event with the same envelope, and the stream ends. Left out: what
the events say (the routes), and resuming a stream that broke off: a verdict is asked for again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from groundwire.models.batcher.ticket import Ticket
from groundwire.server.errors import INTERNAL, envelope, explained
from groundwire.server.replies import encoded, light

PATIENCE = 1.0
"""Seconds that the head waits for the first event."""
PING = 10.0
"""Seconds without an event after which a comment is sent, so that nothing between here and the client closes the line."""
STALLED = 60.0
"""Seconds that a client may take to read one event before it counts as gone."""
PINGED = b": ping\n\n"
_HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}
_LOG = logging.getLogger("groundwire.server.events")


def frame(data: Any, event: str | None = None, number: int | None = None) -> bytes:
    """Return one event; what is not text yet is written as JSON. A text of several lines takes as many `data` lines."""
    text = data if isinstance(data, str) else encoded(data).decode("utf-8")
    head = ("" if number is None else f"id: {number}\n") + ("" if event is None else f"event: {event}\n")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    body = "".join(f"data: {line}\n" for line in lines)
    return (head + body + "\n").encode("utf-8", "backslashreplace")


async def framed(data: Any, event: str | None = None, number: int | None = None) -> bytes:
    """Return the same, made in a thread where the data is large."""
    return frame(data, event, number) if light(data) else await asyncio.to_thread(frame, data, event, number)


def failed(error: BaseException, request_id: str) -> bytes:
    """Return the event that says what went wrong."""
    told = explained(error)
    if told.type == INTERNAL:
        _LOG.error("a stream broke off", exc_info=error, extra={"fields": {"request_id": request_id}})
    return frame(envelope(told, request_id), "error")


async def opened(
    request: Request, events: AsyncIterator[bytes], *, headers: Mapping[str, str] | None = None, ping: float = PING
) -> EventStream:
    """Return the stream of these frames, once the first one is there or a moment has passed.

    Raises what making the first event raises.
    """
    first = asyncio.ensure_future(anext(events, None))
    try:
        await asyncio.wait({first}, timeout=PATIENCE)
        if first.done():
            first.result()
    except BaseException:
        await _stopped(first, events)
        raise
    return EventStream(request, first, events, headers=headers, ping=ping)


class EventStream(Response):
    """Sends frames as they come. However it ends, the ticket is cancelled then: nothing goes on for nobody."""

    media_type = "text/event-stream"

    def __init__(
        self,
        request: Request,
        first: asyncio.Future[bytes | None],
        events: AsyncIterator[bytes],
        *,
        headers: Mapping[str, str] | None = None,
        ping: float = PING,
    ) -> None:
        self.status_code = 200
        self.background = None
        self.init_headers({**_HEADERS, **(headers or {})})
        self._next, self._events, self._ping = first, events, ping
        self._ticket: Ticket = request.state.ticket
        self._request_id: str = request.state.request_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the head, then every frame, until there is none left or nobody reads."""
        gone = asyncio.ensure_future(_gone(receive))
        try:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            while await self._sent(send, gone):
                pass
            if not gone.done():
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        except (OSError, TimeoutError):
            pass  # the client does not read any more
        finally:
            gone.cancel()
            self._ticket.cancel()
            await _stopped(self._next, self._events)

    async def _sent(self, send: Send, gone: asyncio.Future[None]) -> bool:
        """Send the next frame, or a ping; False where there is nothing more to send, or nobody to send it to."""
        watched: set[asyncio.Future[Any]] = {self._next, gone}
        await asyncio.wait(watched, timeout=self._ping, return_when=asyncio.FIRST_COMPLETED)
        if gone.done():
            return False
        more = True
        body: bytes | None = PINGED
        if self._next.done():
            try:
                body = self._next.result()
            except (Exception, asyncio.CancelledError) as error:
                body, more = failed(error, self._request_id), False
            if body is None:
                return False
        async with asyncio.timeout(STALLED):
            await send({"type": "http.response.body", "body": body, "more_body": True})
        if more and self._next.done():
            self._next = asyncio.ensure_future(anext(self._events, None))
        return more


async def _gone(receive: Receive) -> None:
    """Return when the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _stopped(step: asyncio.Future[bytes | None], events: AsyncIterator[bytes]) -> None:
    """End the step that is under way, then what makes the events, so that both give back what they hold."""
    step.cancel()
    with suppress(Exception, asyncio.CancelledError):
        await step
    close = getattr(events, "aclose", None)
    if close is not None:
        with suppress(Exception):
            await close()
