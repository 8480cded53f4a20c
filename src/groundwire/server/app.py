"""The application: every router, behind one guard.

Left out: listening and ending (`groundwire.server.run`), and what each route does (its own module).
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Callable, MutableMapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI

from groundwire import __version__
from groundwire.server import handlers, health, operate, page
from groundwire.server.counting import Counting
from groundwire.server.described import describe
from groundwire.server.errors import OURS, Shape
from groundwire.server.guard.body import Receive
from groundwire.server.guard.gate import Gate
from groundwire.server.guard.sending import Send
from groundwire.server.lifecycle import Standing
from groundwire.server.logs import Log
from groundwire.server.metrics import Metrics
from groundwire.server.own import check, generate, search, stream, verify
from groundwire.server.proxy import completions, models
from groundwire.server.replies import Reply
from groundwire.server.settings import Settings
from groundwire.server.telemetry import Tracing
from groundwire.server.wires import azure, bedrock, cohere, lettuce, tei, vertex

if TYPE_CHECKING:
    from groundwire.server.engine import Engine

ROUTERS: tuple[ModuleType, ...] = (
    health,
    operate,
    check,
    stream,
    verify,
    generate,
    search,
    completions,
    models,
    vertex,
    azure,
    bedrock,
    tei,
    cohere,
    lettuce,
    page,
)
"""Every module with routes. Those of a wire may also say how errors look below its `PREFIXES`."""


def build(settings: Settings, engine: Engine | None = None, *, tracing: Tracing | None = None) -> Served:
    """Return the application. An engine that is given is the caller's to start and to close; without one it is made here.

    Then the lifespan starts it in the background, so that `/livez` answers while the models load (a failure is kept in
    `standing` and logged), and closes it at the end. `tracing` is by default none.
    """
    own = engine is None
    if engine is None:
        from groundwire.server.engine import Engine

        engine = Engine(settings)
    standing, metrics, log = Standing(), Metrics(engine.state), Log()
    app = FastAPI(
        title="Groundwire",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/v1/openapi.json",
        default_response_class=Reply,
        redirect_slashes=False,
        lifespan=_living(engine, standing, log) if own else None,
    )
    app.state.engine = Counting(engine, metrics)
    app.state.settings, app.state.standing, app.state.metrics = settings, standing, metrics
    for module in ROUTERS:
        app.include_router(module.router)
    shapes = _shapes()
    handlers.register(app, shapes, log)
    describe(app, shapes)
    gate = Gate(app, settings, engine, standing, shapes=shapes, metrics=metrics, log=log, tracing=tracing or Tracing())
    return Served(app=app, gate=gate, engine=engine, standing=standing, metrics=metrics, log=log)


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """An application, `gate` being what is to be served; the rest is for who runs it."""

    app: FastAPI
    gate: Gate
    engine: Engine
    standing: Standing
    metrics: Metrics
    log: Log

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Serve one request through the gate: this is an ASGI application itself."""
        await self.gate(scope, receive, send)


def _living(engine: Engine, standing: Standing, log: Log) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    """Return the application's lifespan: the engine starts with it and is closed with it."""

    async def start() -> None:
        try:
            await engine.start()
            # What is loaded stays: a collector that goes through it again and again would stop every request for it.
            gc.collect()
            gc.freeze()
        except Exception as error:
            if not standing.draining:  # what is closed while it opens complains, and nobody needs to hear it
                standing.failure = error
                log.failure("the models could not be loaded", error)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        starting = asyncio.create_task(start())
        try:
            yield
        finally:
            standing.draining = True
            standing.give_up()
            await engine.drain(0)
            await engine.close()
            starting.cancel()

    return lifespan


def _shapes() -> dict[str, Shape]:
    """Return how errors look below the paths of each wire that says so: its `error_body`, `error_status`, `error_headers`."""
    shapes = {}
    for module in ROUTERS:
        for prefix in getattr(module, "PREFIXES", ()):
            said = {
                part: getattr(module, f"error_{part}", getattr(OURS, part)) for part in ("body", "status", "headers")
            }
            shapes[prefix] = Shape(**said)
    return shapes
