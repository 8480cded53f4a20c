"""The body of a request: counted as it streams, within its time, and whole before a route runs.

Left out: what is in it (the routes), but for how many objects and arrays: of a megabyte of empty ones every parser makes
a second of work that nothing interrupts.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from groundwire.server.errors import BAD_REQUEST, SOON, TIMEOUT, ApiError, busy

MOST_VALUES = 50_000
"""Objects and arrays in a body; the largest request that any route takes has some thousands."""
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"', re.DOTALL)
Receive = Callable[[], Awaitable[dict[str, Any]]]


class Gone(Exception):
    """The client has left; there is nobody to answer."""


class Room:
    """How many bytes of bodies are held at a time, over all requests: what is sent slowly by many is bounded too."""

    __slots__ = ("_size", "taken")

    def __init__(self, size: int) -> None:
        self._size = size
        self.taken = 0

    @contextmanager
    def held(self) -> Iterator[Callable[[int], None]]:
        """Give a function that takes bytes for one request; all are given back at the end. It raises ApiError (429)."""
        taken = 0

        def take(size: int) -> None:
            nonlocal taken
            if self.taken + size > self._size:
                raise busy(SOON)
            self.taken += size
            taken += size

        try:
            yield take
        finally:
            self.taken -= taken


async def received(
    receive: Receive, *, declared: int | None, most: int, until: float, take: Callable[[int], None]
) -> bytes:
    """Return the whole body. `until` is a time of the event loop's clock; `take` is told of every piece.

    Raises ApiError: 413 over `most` bytes, said or counted; 408 when it is not whole in time. Raises Gone.
    """
    if declared is not None and declared > most:
        raise too_large(most)
    pieces = []
    size = 0
    try:
        async with asyncio.timeout_at(until):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    raise Gone
                piece = message.get("body", b"")
                size += len(piece)
                if size > most:
                    raise too_large(most)
                take(len(piece))
                pieces.append(piece)
                if not message.get("more_body", False):
                    return b"".join(pieces)
    except TimeoutError:
        raise too_slow() from None


def crowded(body: bytes) -> bool:
    """Say whether a body holds more objects and arrays than any request; brackets inside its texts do not count."""
    if _opened(body) <= MOST_VALUES:
        return False
    return _opened(_STRING.sub(b"", body)) > MOST_VALUES


def _opened(text: bytes) -> int:
    return text.count(b"[") + text.count(b"{")


def too_crowded() -> ApiError:
    """A body of too many values (400)."""
    return ApiError(400, BAD_REQUEST, "invalid_json", f"a body holds at most {MOST_VALUES} objects and arrays")


def too_large(most: int) -> ApiError:
    """A body over the limit (413)."""
    return ApiError(413, BAD_REQUEST, "body_too_large", f"a body has at most {most} bytes")


def too_slow() -> ApiError:
    """A request that did not arrive in time (408)."""
    return ApiError(408, TIMEOUT, "receipt_timeout", "the request did not arrive in time")
