"""JSON as the server writes it: compact, never NaN, and whole whatever code points a text holds.

The event loop writes what takes it a millisecond; what is larger is written in a thread. A thread alone would not help: the
encoder is one call into C, which lets nobody else run before it ends. So what is large is written in pieces that are not.
Left out: what stands in it (the routes).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from starlette.responses import JSONResponse

LIGHT = 64 << 10
"""Characters of JSON that take about a millisecond to write (60 to 70 MB a second), and a tenth of that to hand to a thread."""
_VALUE = 16
"""Characters that a value counts for beside those of a text: its name, its marks, its digits."""
_ENCODERS = [json.JSONEncoder(ensure_ascii=way, allow_nan=False, separators=(",", ":")) for way in (False, True)]


def encoded(content: Any) -> bytes:
    """Return the content as JSON in UTF-8. Raises ValueError for a number that is not finite.

    A lone surrogate has no UTF-8 form, so what is written together with one is written in escapes, as it came.
    """
    return b"".join(_pieces(content))


def light(content: Any) -> bool:
    """Say whether JSON values are written within a millisecond. It looks at no more of them than that."""
    left, found = LIGHT, [content]
    while found:
        value = found.pop()
        if isinstance(value, str):
            left -= len(value)
        elif isinstance(value, dict):
            left -= _VALUE * len(value)
            found += value.values() if left > 0 else ()
        elif isinstance(value, (list, tuple)):
            left -= _VALUE * len(value)
            found += value if left > 0 else ()
        if left <= 0:
            return False
    return True


def _pieces(content: Any) -> Iterator[bytes]:
    if not light(content) and isinstance(content, (list, tuple)):
        yield b"["
        yield from _row(content)
        yield b"]"
    elif not light(content) and isinstance(content, dict) and all(isinstance(name, str) for name in content):
        before = b"{"
        for name, value in content.items():
            yield before + _whole(name) + b":"
            yield from _pieces(value)
            before = b","
        yield b"}"
    else:
        yield _whole(content)


def _row(items: Sequence[Any]) -> Iterator[bytes]:
    """Write the items of a list that has some, half by half until they are light."""
    if len(items) == 1:
        yield from _pieces(items[0])
    elif light(items):
        yield _whole(items)[1:-1]
    else:
        half = len(items) // 2
        yield from _row(items[:half])
        yield b","
        yield from _row(items[half:])


def _whole(content: Any) -> bytes:
    plain, escaping = _ENCODERS
    try:
        return plain.encode(content).encode("utf-8")
    except UnicodeEncodeError:
        return escaping.encode(content).encode("ascii")


class Reply(JSONResponse):
    """A JSON answer."""

    def render(self, content: Any) -> bytes:
        """Return the bytes of the body; those that were written already are taken as they are."""
        return content if isinstance(content, bytes) else encoded(content)


def reply(content: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    """Return a JSON answer that no cache keeps."""
    return Reply(content, status, {"cache-control": "no-store", **(headers or {})})


async def replied(content: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    """Return the same, written in a thread where it is large: for what grows with a request or an index."""
    return reply(content if light(content) else await asyncio.to_thread(encoded, content), status, headers)
