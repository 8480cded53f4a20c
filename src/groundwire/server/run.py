"""A server's life: listen, serve, and end without cutting a request.

At SIGTERM the server first goes on accepting, for a moment, and answers what is new with 503 and the end of the connection,
so that clients and balancers go elsewhere; then it accepts what the kernel has taken already, stops listening, and waits
for what is in flight. What is left when the time is up is given up and told so. Left out: what a request is (the guard).
"""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from time import monotonic
from types import FrameType

import uvicorn

from groundwire.server.app import Served, build
from groundwire.server.lingering import LINGER_SECONDS
from groundwire.server.listening import bound, make_room, refuse_new
from groundwire.server.logs import set_up
from groundwire.server.protocol import GuardedProtocol
from groundwire.server.settings import Settings
from groundwire.server.telemetry import collected
from groundwire.server.underlying import fits

FAREWELL_SECONDS = 1.0
"""For how long new requests are still answered, with 503, before nothing is accepted any more."""
_LAST_WORDS_SECONDS = 1.0
"""Of the drain's time, what is left for answers that say that the work was given up."""
SWITCH_SECONDS = 0.001
"""How long a thread that computes keeps the interpreter from the event loop, at most; five times as long is Python's own."""
_TICK = 0.02


def serve(settings: Settings, announce: Callable[[str], None]) -> bool:
    """Serve until SIGTERM or SIGINT. `announce` is told the address once requests are served: the models are loaded
    and the indexes open.

    Returns whether a thread of the engine is still at work, as when it was told to end while a model was being loaded: no
    runtime can be stopped in the middle of that. Raises UsageError for an address that cannot be bound, Unavailable for a
    uvicorn that the server does not fit, and whatever kept the models from loading.
    """
    fits()
    set_up(settings.log_level)
    make_room(settings.limits.connections)
    listener = bound(settings.host, settings.port)
    usual = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        served = build(settings, tracing=collected() if settings.otel else None)
        server = Server(served, settings, announce)
        server.run(sockets=[listener])
    finally:
        sys.setswitchinterval(usual)
        listener.close()
    if served.standing.failure is not None:
        raise served.standing.failure
    return any(thread.name.startswith("groundwire-") for thread in threading.enumerate())


class Server(uvicorn.Server):
    """uvicorn's server with another end."""

    def __init__(self, served: Served, settings: Settings, announce: Callable[[str], None]) -> None:
        protocol = partial(GuardedProtocol, limits=settings.limits, rejected=served.metrics.rejected)
        super().__init__(
            uvicorn.Config(
                served,
                http=protocol,  # type: ignore[arg-type]
                ws="none",
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                timeout_keep_alive=max(1, round(settings.limits.idle_seconds)),
                backlog=settings.limits.connections,
            )
        )
        self._served, self._settings, self._announce = served, settings, announce
        self._announced = False

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Take the signals while serving; a signal is a request to end, so the process ends by itself, with 0."""
        if threading.current_thread() is not threading.main_thread():
            yield  # only the main thread may take signals: in a test the server is told to end
            return
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end: from here on `/readyz` says no. A second SIGINT does not wait."""
        self._served.standing.draining = True
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept connections, and log where; nothing but `/livez` is answered yet."""
        await super().startup(sockets)
        self._served.log.event("starting", address=self._address())

    def _address(self) -> str:
        host, port = self.servers[0].sockets[0].getsockname()[:2]
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    def _say_when_ready(self) -> None:
        """Say once, where to ask, as soon as what is asked is answered: until then the start may still fail."""
        if not self._announced and self._served.engine.ready:
            self._announced = True
            self._served.log.event("listening", address=self._address())
            self._announce(self._address())

    async def on_tick(self, counter: int) -> bool:
        """Look whether to end, say that requests are served, and sample the queue for the history."""
        self._say_when_ready()
        if counter % 10 == 0:
            self._served.metrics.history.sample(self._served.engine.state().get("queue_tokens", 0))
        return await super().on_tick(counter) or self._served.standing.failure is not None

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End: 503 for a moment, stop accepting, wait, give up what is left, close."""
        standing, limits = self._served.standing, self._settings.limits
        began = monotonic()
        standing.draining = True
        self._served.log.event("draining", in_flight=standing.in_flight)
        if standing.failure is None:
            await self._pause(min(FAREWELL_SECONDS, limits.drain_seconds / 4))
        await self._stop_accepting(sockets or [])
        patience = limits.drain_seconds - _LAST_WORDS_SECONDS - (monotonic() - began)
        if not await self._quiet(patience):
            self._served.log.event("giving up", in_flight=standing.in_flight)
            standing.give_up()
            await self._quiet(_LAST_WORDS_SECONDS)
        await self._close_connections()
        await self.lifespan.shutdown()
        self._served.log.event("ended", seconds=round(monotonic() - began, 3))

    async def _stop_accepting(self, sockets: list[socket.socket]) -> None:
        for listener in sockets:
            refuse_new(listener)
        await asyncio.sleep(2 * _TICK)  # the loop accepts what waits in the kernel
        for server in self.servers:
            server.close()
        for listener in sockets:
            listener.close()

    async def _quiet(self, seconds: float) -> bool:
        """Wait until nothing is being asked, at most so long; say whether it is so."""
        until = monotonic() + seconds
        while self._busy() and monotonic() < until and not self.force_exit:
            await asyncio.sleep(_TICK)
        return not self._busy()

    def _busy(self) -> bool:
        return any(connection.unanswered for connection in self._connections()) or bool(self.server_state.tasks)

    async def _close_connections(self) -> None:
        """Close what is open. A request that came at the last moment is still answered before its connection ends."""
        until = monotonic() + LINGER_SECONDS
        while self._connections() and monotonic() < until and not self.force_exit:
            for connection in self._connections():
                if not (connection.unanswered or connection.new):
                    connection.let_go()
            await asyncio.sleep(_TICK)
        for connection in self._connections():
            connection.transport.abort()

    def _connections(self) -> list[GuardedProtocol]:
        return [c for c in self.server_state.connections if isinstance(c, GuardedProtocol)]

    async def _pause(self, seconds: float) -> None:
        until = monotonic() + seconds
        while monotonic() < until and not self.force_exit:
            await asyncio.sleep(_TICK)
