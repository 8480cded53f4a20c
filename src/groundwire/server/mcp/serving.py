"""The server of the protocol: which tools there are, what calling one does, and how it begins and ends.

The model loads while the client says who it is, and the first call waits for it. What the package logs may hold texts, so
it is not heard; ours is a line a call. Left out: the wire (`wire`), the calls (`calls`).
"""

from __future__ import annotations

import logging
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import anyio
from mcp.server import Server, ServerRequestContext
from mcp.shared.message import SessionMessage
from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams

from groundwire import __version__
from groundwire.server import logs
from groundwire.server.engine import Engine
from groundwire.server.mcp.calls import Calls
from groundwire.server.mcp.described import INSTRUCTIONS, tools
from groundwire.server.mcp.wire import incoming, outgoing, own_wire
from groundwire.server.settings import Settings

NAME = "groundwire"
ENOUGH = 8
"""How many times the limit on a request a line may be long: what fits into a line is refused by name, with its id."""


class Start:
    """The start of an engine, which others wait for."""

    def __init__(self, engine: Engine) -> None:
        self.error: Exception | None = None
        self._engine, self._over = engine, anyio.Event()

    async def begin(self) -> None:
        """Start the engine and wake those who wait. Raises what starting raises."""
        try:
            await self._engine.start()
        except Exception as error:
            self.error = error
            raise
        finally:
            self._over.set()

    async def wait(self) -> None:
        """Return when the engine has started; raises what kept it from it."""
        await self._over.wait()
        if self.error is not None:
            raise self.error


def build(engine: Engine, settings: Settings, start: Start) -> Server[None]:
    """Return the server of the protocol over an engine, which somebody else starts and closes."""
    names = tuple(settings.indexes)
    listed = tools(names, settings.limits)
    calls = Calls(engine, settings.limits, names, start.wait)

    async def on_list(ctx: ServerRequestContext[None], params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=listed)

    async def on_call(ctx: ServerRequestContext[None], params: CallToolRequestParams) -> CallToolResult:
        return await calls.call(params.name, params.arguments or {})

    server: Server[None] = Server(
        NAME,
        version=__version__,
        instructions=INSTRUCTIONS,
        lifespan=_nothing,
        on_list_tools=on_list,
        on_call_tool=on_call,
    )
    server.middleware.clear()  # the package's own spans; the engine has its own
    return server


@asynccontextmanager
async def _nothing(server: Server[None]) -> AsyncIterator[None]:
    yield None


def serve(settings: Settings) -> None:
    """Serve on this process's standard input and output until the input ends or SIGTERM comes.

    Raises what opening the indexes and loading the models raise.
    """
    with own_wire() as (source, sink):
        logs.set_up(settings.log_level)
        logging.getLogger("mcp").addHandler(logging.NullHandler())
        logging.getLogger("mcp").propagate = False
        failed = anyio.run(_serve, settings, source, sink)
    if failed is not None:
        raise failed


async def _serve(settings: Settings, source: int, sink: int) -> Exception | None:
    """Serve, and return what kept the engine from starting, None where nothing did."""
    engine = Engine(settings)
    start = Start(engine)
    server = build(engine, settings, start)
    asked = anyio.create_memory_object_stream[SessionMessage | Exception]()
    answered = anyio.create_memory_object_stream[SessionMessage]()
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(_until_terminated, group.cancel_scope)
            group.start_soon(_begun, start, group.cancel_scope)
            group.start_soon(outgoing, sink, answered[1])
            longest = ENOUGH * settings.limits.body_bytes
            group.start_soon(incoming, source, asked[0], answered[0].clone(), longest)
            await server.run(asked[1], answered[0], server.create_initialization_options())
            group.cancel_scope.cancel()
    finally:
        with anyio.CancelScope(shield=True):
            await engine.drain(0)
            await engine.close()
    return start.error


async def _begun(start: Start, serving: anyio.CancelScope) -> None:
    """Start the engine; one that cannot start ends the serving, and the process says why."""
    try:
        await start.begin()
    except Exception:
        serving.cancel()


async def _until_terminated(serving: anyio.CancelScope) -> None:
    with suppress(NotImplementedError), anyio.open_signal_receiver(signal.SIGTERM) as signals:
        async for _ in signals:
            serving.cancel()
            return
