"""The gate: the order in which a request is looked at, and the one place that answers when it is turned away.

Left out: each of the looks (the files beside this one).
"""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from time import monotonic
from typing import Any, Protocol

from groundwire.models.batcher.ticket import Ticket
from groundwire.server.access_record import AccessRecord
from groundwire.server.errors import ApiError, Shapes, busy, internal, shape_of, unavailable
from groundwire.server.guard.body import Gone, Receive, Room, crowded, received, too_crowded
from groundwire.server.guard.headers import SAFE_METHODS, declared_length, request_id
from groundwire.server.guard.hosts import Hosts, check_origin
from groundwire.server.guard.keys import Keys
from groundwire.server.guard.sending import Send, Sending
from groundwire.server.guard.watch import App, Watch
from groundwire.server.lifecycle import Standing
from groundwire.server.logs import Log
from groundwire.server.metrics import Metrics
from groundwire.server.settings import Settings
from groundwire.server.shares import alone
from groundwire.server.telemetry import Tracing

_ALWAYS = frozenset({"/livez", "/readyz", "/metrics"})
_BODIES = 64
"""How many of the largest bodies are held at a time, at most."""
GONE = 499
"""What is counted for a client that left; nobody is told."""


class Gauged(Protocol):
    """What the gate asks of the engine."""

    @property
    def ready(self) -> bool:
        """True when the models have answered."""

    def full(self, client: str) -> int | None:
        """Return in how many seconds to ask again when the queue is full for this client, else None."""


class Gate:
    """The application behind its guard: an ASGI application itself."""

    def __init__(
        self,
        app: App,
        settings: Settings,
        engine: Gauged,
        standing: Standing,
        *,
        shapes: Shapes,
        metrics: Metrics,
        log: Log,
        tracing: Tracing,
    ) -> None:
        self._app, self._engine, self._standing, self._limits = app, engine, standing, settings.limits
        self._shapes, self._metrics, self._log, self._tracing = shapes, metrics, log, tracing
        self._hosts, self._keys = Hosts(settings), Keys(settings.keys)
        self._room = Room(int(alone(_BODIES * settings.limits.body_bytes)))

    @property
    def receiving(self) -> int:
        """How many bytes of bodies are held now, whole ones and such as are still on their way."""
        return self._room.taken

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Serve one request, or pass on the events of the server's life."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            call = _Call(scope, receive, send, self._standing)
            with self._tracing.span(call.id) as span:
                await self._answer(call)
                seen = call.seen()
                span.ended(seen)
            self._metrics.request(seen)
            self._log.request(seen)

    async def _answer(self, call: _Call) -> None:
        """Answer whatever happens; only an answer that had begun is left broken off, which the client can see."""
        try:
            await self._served(call)
        except Gone:
            call.left = True
        except ApiError as error:
            call.refused = error.code
            await call.answer.refuse(error, shape_of(call.scope["path"], self._shapes))
        except Exception as error:
            self._log.bug(call.id, error)
            await call.answer.refuse(internal(), shape_of(call.scope["path"], self._shapes))

    async def _served(self, call: _Call) -> None:
        scope, limits = call.scope, self._limits
        self._hosts.check(scope)
        check_origin(scope)
        if not _is_open(scope):
            call.client = self._keys.holder(scope)
        self._open_for(call)
        declared = declared_length(scope)
        with self._room.held(call.asker()) as take:
            until = call.began + limits.receipt_seconds
            body = await received(call.receive, declared=declared, most=limits.body_bytes, until=until, take=take)
            call.whole = True
            if crowded(body):
                raise too_crowded()
            ticket = Ticket(call.id, call.asker(), monotonic() + limits.work_seconds)
            scope["state"]["ticket"] = ticket
            self._standing.enter(ticket)
            try:
                await Watch(self._app, scope, body, ticket, limits.last_words).run(call.receive, call.answer)
            finally:
                self._standing.leave(ticket)

    def _open_for(self, call: _Call) -> None:
        """Raise ApiError: 503 while nothing new is taken on or nothing can be answered yet, 429 when the queue is full."""
        scope = call.scope
        if scope["path"] in _ALWAYS:
            return
        if self._standing.draining:
            raise unavailable("draining", "this server is being stopped")
        if scope["method"] in SAFE_METHODS:
            return
        if not self._engine.ready:
            raise unavailable("not_ready", "the models are being loaded")
        wait = self._engine.full(call.asker())
        if wait is not None:
            raise busy(wait)


def _is_open(scope: MutableMapping[str, Any]) -> bool:
    """Say whether this is the one request that asks for no key; another spelling of its path is another path."""
    raw: bytes = scope.get("raw_path") or b""
    return scope["method"] in ("GET", "HEAD") and scope["path"] == "/livez" and raw.partition(b"?")[0] == b"/livez"


class _Call:
    """One request and what became of it."""

    def __init__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send, standing: Standing) -> None:
        self.scope, self.receive = scope, receive
        state = scope.setdefault("state", {})
        self.id = state["request_id"] = request_id(scope)
        # The connection knows when the first byte came; without one (in a test) it is now.
        self.began = state.get("began") or asyncio.get_running_loop().time()
        self.arrived = monotonic()
        self.client = "nobody"
        self.refused = ""
        self.left = self.whole = False
        # What is left of a body that was not read would be taken for the next request.
        self.answer = Sending(send, self.id, lambda: standing.draining or not self.whole)

    def asker(self) -> str:
        """Return whom the work is shared out by: the key and the address that it came from."""
        peer = self.scope.get("client")
        return f"{self.client}@{peer[0]}" if peer else self.client

    def seen(self) -> AccessRecord:
        """Return what may be said of the request: nothing that it carried, and its route, never its path."""
        return AccessRecord(
            id=self.id,
            client=self.client,
            method=self.scope["method"],
            route=getattr(self.scope.get("route"), "path", "") or "none",
            status=GONE if self.left else self.answer.status,
            refused=self.refused,
            seconds=monotonic() - self.arrived,
        )
