"""The body of a request: counted as it streams, within its time, and whole before a route runs.

Left out: what is in it (the routes), but for how many values: of a megabyte of empty ones every parser makes a second of
work that nothing interrupts, and whoever checks them several.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from groundwire.server.errors import BAD_REQUEST, SOON, TIMEOUT, ApiError, busy
from groundwire.server.shares import Shares

MOST_VALUES = 50_000
"""Values in a body; the largest request that any route takes has some ten thousand."""
Receive = Callable[[], Awaitable[dict[str, Any]]]


class Gone(Exception):
    """The client has left; there is nobody to answer."""


class Room:
    """How many bytes of bodies are held at a time, over all requests: what is sent slowly by many is bounded too.

    `limit` is what one client may hold alone, and beside others its share of that (`groundwire.server.shares`).
    """

    __slots__ = ("_limit", "_shares")

    def __init__(self, limit: int) -> None:
        self._limit, self._shares = limit, Shares()

    @property
    def taken(self) -> int:
        """How many bytes are held now."""
        return self._shares.total

    @contextmanager
    def held(self, client: str = "") -> Iterator[Callable[[int], None]]:
        """Give a function that takes bytes for one request of a client's; all are given back at the end.

        It raises ApiError (429) where the client would hold more than its share. Unlike work, bytes are counted in full: who
        holds nothing may be refused too, where its body is of the largest and more than seven others hold all they may.
        """
        shares, taken = self._shares, 0

        def take(size: int) -> None:
            nonlocal taken
            if shares.of(client) + size > shares.most(client, self._limit):
                raise busy(SOON)
            shares.take(client, size)
            taken += size

        try:
            yield take
        finally:
            shares.take(client, -taken)


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
    """Say whether a body holds more values than any request; brackets and commas inside its texts do not count."""
    if _values(body) <= MOST_VALUES:
        return False
    # Without what is escaped every second piece between quotes is outside of the texts: many times as fast as a pattern.
    plain = body.replace(rb"\\", b"").replace(rb"\"", b"") if b"\\" in body else body
    return _values(b"".join(plain.split(b'"')[::2])) > MOST_VALUES


def _values(text: bytes) -> int:
    """Count what opens and what follows; at most twice what there is."""
    return text.count(b"[") + text.count(b"{") + text.count(b",")


def too_crowded() -> ApiError:
    """A body of too many values (400)."""
    return ApiError(400, BAD_REQUEST, "invalid_json", f"a body holds at most {MOST_VALUES} values")


def too_large(most: int) -> ApiError:
    """A body over the limit (413)."""
    return ApiError(413, BAD_REQUEST, "body_too_large", f"a body has at most {most} bytes")


def too_slow() -> ApiError:
    """A request that did not arrive in time (408)."""
    return ApiError(408, TIMEOUT, "receipt_timeout", "the request did not arrive in time")
