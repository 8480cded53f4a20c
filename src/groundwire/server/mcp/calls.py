"""Calling a tool: arguments in, a result or an error that says what to do out, with a deadline and a place in the queue.

What goes wrong is a result that is an error, never a traceback, and holds nothing of what was sent. Left out: the protocol
(`serving`), and the checking (`groundwire.server.engine`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import count
from time import monotonic
from typing import Any

import anyio
from mcp_types import CallToolResult, TextContent

from groundwire.errors import Busy, Expired, GroundwireError, InputError, UsageError
from groundwire.models.batcher.ticket import Ticket
from groundwire.render import record, visible
from groundwire.server.engine import Engine
from groundwire.server.errors import explained, late
from groundwire.server.logs import Log
from groundwire.server.mcp.asked import TAKES, Arguments, Reader
from groundwire.server.mcp.described import CHECK, VERIFY
from groundwire.server.mcp.finding import find
from groundwire.server.mcp.wire import whole
from groundwire.server.settings import Limits

CLIENT = "mcp"
"""Whom the work of these tools is shared out by: there is one client."""
LONGEST = 4_000
"""Characters of the text beside a structured result; the result itself is never cut."""

Told = tuple[str, dict[str, Any]]
"""A short text, and the whole as JSON values."""


class Calls:
    """Does what the tools are asked. `ready` waits until the engine can answer."""

    def __init__(self, engine: Engine, limits: Limits, indexes: tuple[str, ...], ready: Callable[[], Awaitable[None]]):
        self._engine, self._limits, self._ready = engine, limits, ready
        self._reader = Reader(limits=limits, indexes=indexes)
        self._numbers, self._log = count(1), Log()

    async def call(self, tool: str, arguments: Arguments) -> CallToolResult:
        """Call a tool by its name. A call that is cancelled, or takes too long, gives its place in the queue back."""
        began = monotonic()
        ticket = Ticket(f"mcp-{next(self._numbers)}", CLIENT, began + self._limits.verdict_seconds)
        outcome = "cancelled"
        try:
            with anyio.fail_after(self._limits.verdict_seconds):
                result = _result(*await self._done(tool, arguments, ticket))
            outcome = "ok"
        except Exception as error:
            outcome, result = type(error).__name__, refused(error)
            if not isinstance(error, GroundwireError | TimeoutError):
                self._log.bug(ticket.id, error)
        finally:
            ticket.cancel()  # what is done is not undone, what is not done is not wanted
            name = tool if tool in TAKES else "unknown"
            took = round(monotonic() - began, 4)
            self._log.event("tool", request_id=ticket.id, tool=name, outcome=outcome, seconds=took)
        return result

    async def _done(self, tool: str, arguments: Arguments, ticket: Ticket) -> Told:
        if tool not in TAKES:
            raise InputError("there is no such tool", f"known: {', '.join(TAKES)}")
        self._reader.fits(tool, arguments)
        if tool == CHECK:
            case = self._reader.case(arguments)
            await self._ready()
            (verdict,) = await self._engine.check([case], ticket)
            return str(verdict), record(verdict)
        if tool == VERIFY:
            case, index = self._reader.answer(arguments)
            await self._ready()
            verdict = await self._engine.verify(case, index, ticket)
            return str(verdict), record(verdict)
        search = self._reader.search(arguments)
        await self._ready()
        found = await find(self._engine, search, ticket)
        lines = [*map(_line, found.evidence), *(f"warning: {warning}" for warning in found.warnings)]
        return "\n".join(lines) or "nothing was found", {"evidence": found.evidence, "warnings": found.warnings}


def refused(error: Exception) -> CallToolResult:
    """Return what the assistant is told of an error: what is wrong, and what to do about it where anything helps."""
    if isinstance(error, UsageError):
        message, hint = error.message, error.hint
    elif isinstance(error, TimeoutError | Expired):
        message, hint = late().message, "send less text at once, or try again"
    elif isinstance(error, Busy):
        message, hint = "the queue is full", f"ask again in {max(1, error.retry_after)} s"
    else:
        message, hint = explained(error).message, "the log of the server says more"
    text = f"error: {message} (hint: {hint})" if hint else f"error: {message}"
    return CallToolResult(content=[TextContent(type="text", text=whole(text))], is_error=True)


def _result(text: str, structured: dict[str, Any]) -> CallToolResult:
    cut = text if len(text) <= LONGEST else text[:LONGEST] + f"… ({len(text) - LONGEST} more characters)"
    return CallToolResult(
        content=[TextContent(type="text", text=whole(cut))], structured_content=_sound(structured), is_error=False
    )


def _line(one: dict[str, Any]) -> str:
    says = f"{one['says']} " if "says" in one else ""
    return f"{one['rank']}. {says}{one['score']:.2f} [{visible(one['context_id'])}] {visible(one['text'])}"


def _sound(value: Any) -> Any:
    """Return JSON values whose texts can be sent: an index may hold lone surrogates, UTF-8 may not."""
    if isinstance(value, str):
        return whole(value)
    if isinstance(value, dict):
        return {_sound(key): _sound(inner) for key, inner in value.items()}
    return [_sound(inner) for inner in value] if isinstance(value, list | tuple) else value
