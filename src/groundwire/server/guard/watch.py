"""A route at work, watched: when the client leaves or the time is up, the work is cancelled.

Left out: what is answered then (`gate`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, MutableMapping
from time import monotonic
from typing import Any

from groundwire.models.batcher.ticket import Ticket
from groundwire.server.errors import late
from groundwire.server.guard.body import Gone, Receive
from groundwire.server.guard.sending import Send, Sending

App = Callable[[MutableMapping[str, Any], Receive, Send], Coroutine[Any, Any, None]]
SLACK = 1.0
"""Seconds that a route gets to end by itself once nobody waits for its answer any more."""


class Watch:
    """One request's route. Once an answer has begun it can only be ended, not replaced, and takes the time that it takes.

    `last_words` are the seconds that the route gets beyond its ticket, to say itself that it was too late.
    """

    def __init__(
        self, app: App, scope: MutableMapping[str, Any], body: bytes, ticket: Ticket, last_words: float
    ) -> None:
        self._app, self._scope, self._body, self._ticket = app, scope, body, ticket
        self._last_words = last_words
        self._gone = asyncio.Event()
        self._given = False

    async def run(self, receive: Receive, answer: Sending) -> None:
        """Run the route to its end and raise what it raises. Raises ApiError (504) when it is too late, and Gone.

        A route that does not end although it was cancelled is left to itself after a second.
        """
        route = asyncio.create_task(self._app(self._scope, self._receive, answer.send))
        leaving = asyncio.create_task(_left(receive))
        try:
            while not route.done():
                await asyncio.wait(
                    {route, leaving}, timeout=self._patience(answer), return_when=asyncio.FIRST_COMPLETED
                )
                if leaving.done() and not route.done():
                    gone = answer.abandon()
                    await self._abandon(route)
                    if gone:
                        raise Gone
                if not route.done() and self._late(answer):
                    raise late()
            await route
        finally:
            leaving.cancel()
            if not route.done():
                self._ticket.cancel()
                route.cancel()
            route.add_done_callback(_unread)

    async def _receive(self) -> dict[str, Any]:
        if not self._given:
            self._given = True
            return {"type": "http.request", "body": self._body, "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _abandon(self, route: asyncio.Task[None]) -> None:
        """Tell the route that nobody waits, and give it a moment to end by itself."""
        self._gone.set()
        self._ticket.cancel()
        await asyncio.wait({route}, timeout=SLACK)

    def _patience(self, answer: Sending) -> float | None:
        """Return for how long to wait before looking again, in seconds; a route may move its deadline meanwhile."""
        if answer.started or self._ticket.deadline is None:
            return None
        return max(0.0, self._ticket.deadline + self._last_words - monotonic())

    def _late(self, answer: Sending) -> bool:
        patience = self._patience(answer)
        return patience is not None and patience <= 0


async def _left(receive: Receive) -> None:
    """Return when the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _unread(route: asyncio.Task[None]) -> None:
    """Take note of how a route ended that nobody waits for, so that it is not complained of."""
    if not route.cancelled():
        route.exception()
