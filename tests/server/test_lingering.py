"""A connection that ends: its last answer is not cut, and nobody who reads nothing keeps it."""

import asyncio
import socket
from collections.abc import Awaitable, Callable

import pytest

from groundwire.server import lingering
from groundwire.server.lingering import Lingering


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lingering, "LINGER_SECONDS", 0.05)
    monkeypatch.setattr(lingering, "STILL_SECONDS", 0.3)


async def closed(size: int, client: Callable[[socket.socket], Awaitable[None]]) -> bool:
    """Close a connection with so many bytes written; let the client do something, and say whether the connection ended."""
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()

    class Ended(asyncio.Protocol):
        def connection_lost(self, exc: Exception | None) -> None:
            ended.set()

    inner, _ = await loop.create_connection(Ended, sock=ours)
    transport = Lingering(inner, loop)
    transport.write(b"x" * size)
    transport.close()
    with theirs:
        await client(theirs)
        try:
            await asyncio.wait_for(ended.wait(), 2)
        except TimeoutError:
            inner.abort()
            return False
    return True


def test_a_client_that_never_reads_is_let_go(quick: None) -> None:
    assert asyncio.run(closed(1 << 20, lambda client: asyncio.sleep(0)))


def test_a_client_that_reads_slowly_gets_all_of_it(quick: None) -> None:
    got = bytearray()

    async def read(client: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while piece := await loop.sock_recv(client, 65_536):
            got.extend(piece)
            await asyncio.sleep(0.05)

    assert asyncio.run(closed(1 << 20, read))
    assert len(got) == 1 << 20
