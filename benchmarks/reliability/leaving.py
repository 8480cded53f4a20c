"""R16: clients that leave, while they ask and while they are answered, and calls that are given up half-way.

Memory, descriptors and threads are compared with a server that has seen the same a while already; a pool that is bounded
may still fill up. Left out: what is
cancelled inside the library (its tests).
"""

from __future__ import annotations

import asyncio
import json
import random
import socket
import struct
import time
from collections.abc import Awaitable, Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path

from rows import Row
from serving import child, load, prose
from serving.child import Running
from serving.generator import MARK

MOST = 20 << 20
AT_ONCE = 32
POOLS = 8
"""Threads that bounded pools may still start: asyncio's own has four more than there are cores."""
TARGET = "+20 MB at most; 0 leaked descriptors; 0 leaked threads; nothing left in the queue"
SETTLED = 20.0
_RESET = struct.pack("ii", 1, 0)
Leave = Callable[[Running, random.Random, int], Awaitable[None]]


def rows(work: Path, size: dict[str, int]) -> Iterator[Row]:
    del work
    for part, what, leaves, n in (
        ("clients", "clients that leave in the middle of a request or of its answer", (_asking, _answered), "drops"),
        ("calls", "calls given up while the models work on them", (_waiting,), "cancelled"),
    ):
        row = Row(id="R16", part=part, what=f"{size[n]} {what}", target=TARGET)
        with child.groundwire() as server:
            _measure(row, server, leaves, size[n])
        yield row


def _measure(row: Row, server: Running, leaves: tuple[Leave, ...], n: int) -> None:
    load.closed(server, prose.checks(40, 5, claims=1), 64, seconds=4, seed=7)  # every thread that there will be
    asyncio.run(_leave(server, leaves, range(max(40, n // 5)), Row(id="", part="", what="", target="")))
    before = _settled(server)
    asyncio.run(_leave(server, leaves, range(n, 2 * n), row))
    after = _settled(server)
    row.count(None if after[0] <= before[0] + MOST else f"memory grew by {(after[0] - before[0]) >> 20} MB")
    row.count(None if after[1] <= before[1] else f"{after[1] - before[1]} descriptors more")
    row.count(None if after[2] <= before[2] + POOLS else f"{after[2] - before[2]} threads more")
    row.count(None if after[3] == 0 else f"{after[3]} tokens or jobs left in the queue")
    alive = load.closed(server, prose.checks(4, 6, claims=1), 1, seconds=1, seed=8)
    row.count(None if set(alive.statuses()) == {"200"} else f"afterwards {alive.statuses()}")
    row.more = {
        "memory before in KB": before[0] >> 10,
        "memory after in KB": after[0] >> 10,
        "descriptors": after[1],
        "threads before": before[2],
        "threads after": after[2],
    }


def _settled(server: Running) -> tuple[int, int, int, int]:
    """Wait until nothing is under way; return memory, descriptors, threads, and what is left in the queue after all."""
    until = time.monotonic() + SETTLED
    while True:
        left = _queue(server)
        if (left == 0 and server.descriptors <= 20) or time.monotonic() > until:
            time.sleep(1.5)  # a connection that lingers does so for a second
            return server.memory, server.descriptors, server.threads, _queue(server)
        time.sleep(0.2)


def _queue(server: Running) -> int:
    connection = HTTPConnection(server.host, server.port, timeout=30)
    try:
        connection.request("GET", "/v1/operate")
        queue = json.loads(connection.getresponse().read())["queue"]
        return int(queue["tokens"]) + int(queue["jobs"])
    finally:
        connection.close()


async def _leave(server: Running, leaves: tuple[Leave, ...], numbers: range, row: Row) -> None:
    """Let clients come and leave, some at a time; count each, with what went wrong in it."""
    turn = asyncio.Semaphore(AT_ONCE)

    async def one(n: int) -> None:
        async with turn:
            try:
                await leaves[n % len(leaves)](server, random.Random(n), n)
            except (OSError, EOFError, TimeoutError) as error:
                row.count(f"the server was gone: {error!r}")
            else:
                row.count(None)

    await asyncio.gather(*map(one, numbers))


async def _asking(server: Running, rng: random.Random, n: int) -> None:
    """Leave before the request is whole: in its headers, or in its body."""
    request = _request(server, n)
    async with _Client(server, abrupt=n % 4 < 2) as client:
        client.writer.write(request[: rng.randrange(1, len(request))])
        await client.writer.drain()
        await asyncio.sleep(0.02 * rng.random())


async def _answered(server: Running, rng: random.Random, n: int) -> None:
    """Leave after the first bytes of the answer, which may be a stream."""
    path = "/v1/check/stream" if rng.random() < 0.5 else "/v1/check"
    async with _Client(server, abrupt=n % 4 < 2) as client:
        client.writer.write(_request(server, n, path))
        await asyncio.wait_for(client.reader.readexactly(12), 60)


async def _waiting(server: Running, rng: random.Random, n: int) -> None:
    """Send a whole request and leave while it is worked on."""
    async with _Client(server, abrupt=n % 2 == 0) as client:
        client.writer.write(_request(server, n, claims=2))
        await client.writer.drain()
        await asyncio.sleep(0.05 * rng.random())


def _request(server: Running, n: int, path: str = "/v1/check", claims: int = 1) -> bytes:
    body = json.dumps(prose.case(random.Random(n), claims=claims, passages=1, sentences=2))
    body = body.replace(MARK.decode(), f"{n:07d}")
    head = f"POST {path} HTTP/1.1\r\nhost: {server.host}:{server.port}\r\ncontent-type: application/json\r\n"
    return f"{head}content-length: {len(body)}\r\n\r\n{body}".encode()


class _Client:
    """A connection that is left: closed, or reset when `abrupt`."""

    def __init__(self, server: Running, *, abrupt: bool) -> None:
        self._server, self._abrupt = server, abrupt

    async def __aenter__(self) -> _Client:
        self.reader, self.writer = await asyncio.open_connection(self._server.host, self._server.port)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._abrupt:
            found: socket.socket = self.writer.get_extra_info("socket")
            found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            self.writer.transport.abort()
        else:
            self.writer.close()
