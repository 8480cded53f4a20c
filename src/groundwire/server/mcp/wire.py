"""The wire: one JSON-RPC message a line, in on standard input and out on standard output, and nothing else on either.

The package's own transport reads lines of any length, in a thread that holds the process until one more line comes. Here a
line has a limit, SIGTERM ends the process while nobody writes, and what cannot be read is answered. Source: the Model Context
Protocol, transports, stdio.

Left out: what the messages mean.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial

import anyio
import anyio.to_thread
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, JSONRPCMessage, jsonrpc_message_adapter
from pydantic import ValidationError

CHUNK = 1 << 16
Deliver = Callable[[bytes | None], Awaitable[None]]
"""Takes a line, or None for one that was too long."""


@contextmanager
def own_wire() -> Iterator[tuple[int, int]]:
    """Yield descriptors of standard input and output that nobody else has.

    Meanwhile whoever reads standard input finds it empty, and what anybody prints goes to standard error. The descriptor
    that is read stays open afterwards: a thread may still wait on it, and its number must not come to mean another file.
    """
    sys.stdout.flush()
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    try:
        yield source, sink
    finally:
        sys.stdout.flush()
        os.dup2(source, 0)
        os.dup2(sink, 1)
        os.close(sink)


async def incoming(
    source: int,
    to: ObjectSendStream[SessionMessage | Exception],
    answer: ObjectSendStream[SessionMessage],
    longest: int,
) -> None:
    """Hand on every message until the input ends. What is none, or longer than `longest` bytes, is answered with an error."""

    async def deliver(line: bytes | None) -> None:
        if line is None:
            await answer.send(refusal(INVALID_REQUEST, f"a message may have {longest} bytes"))
        elif line.strip():
            message = parsed(line)
            if message is None:
                await answer.send(refusal(PARSE_ERROR, "this line is no JSON-RPC message"))
            else:
                await to.send(SessionMessage(message))

    with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):  # the other side stopped first
        async with to, answer:
            await _lines(source, deliver, longest)


async def outgoing(sink: int, messages: ObjectReceiveStream[SessionMessage]) -> None:
    """Write every message as a line, until there are no more or nobody reads."""
    async with messages:
        async for message in messages:
            line = message.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
            try:
                await anyio.to_thread.run_sync(_write, sink, line, abandon_on_cancel=True)
            except OSError:
                return


def parsed(line: bytes) -> JSONRPCMessage | None:
    """Read a message, or return None where it is none. Bytes and escapes that are no character become U+FFFD."""
    text = line.decode("utf-8", "replace")
    with suppress(ValidationError):
        return jsonrpc_message_adapter.validate_json(text, by_name=False)
    # A half of a surrogate pair is valid JSON and no Unicode: the package refuses it, and many clients write it.
    with suppress(ValidationError, ValueError, RecursionError):
        return jsonrpc_message_adapter.validate_json(whole(json.dumps(json.loads(text), ensure_ascii=False)))
    return None


def whole(text: str) -> str:
    """Return a text with U+FFFD in the place of every lone surrogate; it is as long as before, in code points."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
    return text


def refusal(code: int, message: str) -> SessionMessage:
    """Return the answer to what cannot be read, which has no id that could be named."""
    return SessionMessage(JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=code, message=message)))


async def _lines(source: int, deliver: Deliver, longest: int) -> None:
    """Read in a thread of its own, which no shutdown waits for, one line ahead of what was taken."""
    loop, done = asyncio.get_running_loop(), asyncio.Event()

    def hand(line: bytes | None) -> None:
        asyncio.run_coroutine_threadsafe(_awaited(deliver, line), loop).result()

    def read() -> None:
        # The loop may be closed, and whoever took the lines gone, at any moment: then there is nobody to tell.
        with suppress(Exception):
            _cut(partial(os.read, source, CHUNK), hand, longest)
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(done.set)

    threading.Thread(target=read, name="mcp-stdin", daemon=True).start()
    await done.wait()


async def _awaited(deliver: Deliver, line: bytes | None) -> None:
    await deliver(line)


def _cut(read: Callable[[], bytes], hand: Callable[[bytes | None], None], longest: int) -> None:
    """Cut what is read into lines; never more than `longest` bytes and a chunk are kept of one."""
    kept = bytearray()
    dropping = False
    while chunk := read():
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            if dropping or len(kept) + len(part) > longest:
                hand(None)
            else:
                hand(bytes(kept + part))
            kept.clear()
            dropping = False
        if dropping or len(kept) + len(rest) > longest:
            kept.clear()
            dropping = True
        else:
            kept += rest
    if kept:
        hand(bytes(kept))


def _write(sink: int, line: bytes) -> None:
    rest = memoryview(line)
    while rest:
        rest = rest[os.write(sink, rest) :]
