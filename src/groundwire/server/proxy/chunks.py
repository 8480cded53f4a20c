"""The upstream's stream, event by event: the bytes as they came, and what they say.

Left out: what is done with it (`stream_annotate`, `stream_block`).
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any

from groundwire.server.proxy.upstream import broken

DONE = "[DONE]"


@dataclass(frozen=True, slots=True)
class Delta:
    """What a chunk adds to one choice: text, anything else (a role, a call of a tool), and why it ended, if it did."""

    index: int
    text: str
    other: Mapping[str, Any]
    finish: str | None


@dataclass(frozen=True, slots=True)
class Event:
    """One event: `raw` as it came, `chunk` what it says; None for a comment and for the end.

    `failed`: the upstream says that it failed. `done`: there is nothing more.
    """

    raw: bytes
    chunk: Mapping[str, Any] | None = None
    done: bool = False
    failed: bool = False

    def deltas(self) -> list[Delta]:
        """Return what the event adds to each choice. Raises ApiError where its choices are none."""
        choices = self.chunk.get("choices") if self.chunk else None
        if choices is None:
            return []
        if not isinstance(choices, list):
            raise broken("the upstream sent an event that is no chunk of a chat")
        return [_delta(choice) for choice in choices]


async def events_of(pieces: AsyncIterator[bytes], most: int) -> AsyncGenerator[Event, None]:
    """Yield the events of a stream; the bytes of one are at most `most`. Raises ApiError (502) for one that is no event."""
    lines: list[bytes] = []
    size = 0
    async for line in _lines(pieces, most):
        size += len(line)
        if size > most:
            raise broken(f"the upstream sent an event of more than {most} bytes")
        if line:
            lines.append(line)
        if not line or (len(lines) == 1 and line.startswith(b":")):  # a comment goes on at once
            if lines:
                yield _event(lines)
            lines, size = [], 0
    if lines:
        yield _event(lines)


async def _lines(pieces: AsyncIterator[bytes], most: int) -> AsyncIterator[bytes]:
    """Yield the lines without their ends; an end is LF or CRLF."""
    held: list[bytes] = []
    size = 0
    async for piece in pieces:
        first, *rest = piece.split(b"\n")
        held.append(first)
        size += len(first)
        if size > most:
            raise broken(f"the upstream sent an event of more than {most} bytes")
        for line in rest:
            yield b"".join(held).removesuffix(b"\r")
            held, size = [line], len(line)
    if size:
        yield b"".join(held).removesuffix(b"\r")


def _event(lines: list[bytes]) -> Event:
    raw = b"\n".join(lines) + b"\n\n"
    fields = [line.partition(b":") for line in lines if not line.startswith(b":")]
    values = [value.removeprefix(b" ") for name, _, value in fields if name == b"data"]
    if not values:
        return Event(raw)
    data = b"\n".join(values)
    if data.strip() == DONE.encode():
        return Event(raw, done=True)
    try:
        chunk = json.loads(data, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise broken("the upstream sent an event that is not JSON") from None
    if not isinstance(chunk, dict):
        raise broken("the upstream sent an event that is no chunk of a chat")
    return Event(raw, chunk, failed=bool(chunk.get("error")))


def _no_number(name: str) -> None:
    raise ValueError(name)


def _delta(choice: Any) -> Delta:
    if not isinstance(choice, dict):
        raise broken("the upstream sent an event that is no chunk of a chat")
    index, delta, finish = choice.get("index", 0), choice.get("delta") or {}, choice.get("finish_reason")
    text = delta.get("content") if isinstance(delta, dict) else 0
    if type(index) is not int or not (text is None or isinstance(text, str)) or not isinstance(finish, str | None):
        raise broken("the upstream sent an event that is no chunk of a chat")
    other = {name: value for name, value in delta.items() if name != "content" and value is not None}
    return Delta(index, text or "", other, finish)
