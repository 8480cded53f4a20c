"""What is sent back, as it passes: every answer gets its headers here, and its status is remembered.

Left out: what is answered (the routes, `gate`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from groundwire.server.errors import ApiError, Shape
from groundwire.server.guard.headers import answering
from groundwire.server.replies import encoded

Send = Callable[[Any], Awaitable[None]]


class Sending:
    """One request's answer. `closing()` says, when it begins, whether the connection ends with it."""

    __slots__ = ("_closing", "_request", "_send", "_shut", "finished", "status")

    def __init__(self, send: Send, request: str, closing: Callable[[], bool]) -> None:
        self._send, self._request, self._closing = send, request, closing
        self._shut = False
        self.status = 0
        self.finished = False

    @property
    def started(self) -> bool:
        """True once the status has been sent."""
        return self.status != 0

    def abandon(self) -> bool:
        """Send nothing more, for nobody reads it; return whether there was more to send."""
        self._shut = True
        return not self.finished

    async def send(self, message: Mapping[str, Any]) -> None:
        """Pass on a message of the route; one that comes after the guard has answered is dropped."""
        if not self._shut:
            await self._pass(message)
        if self._shut or message.get("more_body", False):
            # A stream that never waits for anything has to let the loop go on, or nobody would see that its client left.
            await asyncio.sleep(0)

    async def refuse(self, error: ApiError, shape: Shape) -> None:
        """Answer with an error in place of the route, which is not heard any more. Does nothing once it has started."""
        self._shut = True
        if self.started:
            return
        body = encoded(shape.body(error, self._request))
        told = {"content-type": "application/json", "content-length": str(len(body))}
        headers = {**told, **error.headers, **shape.headers(error)}
        raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
        await self._pass({"type": "http.response.start", "status": shape.status(error), "headers": raw})
        await self._pass({"type": "http.response.body", "body": body, "more_body": False})

    async def _pass(self, message: Mapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = answering(message.get("headers", ()), self._request, closing=self._closing())
            message = {**message, "headers": headers}
        elif message["type"] == "http.response.body":
            self.finished = not message.get("more_body", False)
        await self._send(message)
