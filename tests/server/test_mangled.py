"""Requests with random bytes changed, dropped and put in: each is answered below 500 or let go, and nothing is left behind."""

import random
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from groundwire.server.settings import Limits

WHOLE = (
    b"POST /test/length HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello",
    b"POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 14\r\nConnection: close\r\n\r\n"
    + b'{"answer":"a"}',
    b"POST /test/json HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    b'5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n',
    b"GET /v1/operate?x=1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
)
BITS = (
    b"\r\n", b"\n", b"\x00", b" ", b":", b"%2e", b"//", b"\xff", b"HTTP/1.0", b"Host: x\r\n", b"0\r\n\r\n", b"A" * 5000,
    b"Content-Length: 3\r\n", b"Transfer-Encoding: chunked\r\n", b"Connection: upgrade\r\nUpgrade: x\r\n",
    b"Expect: 100-continue\r\n",
)  # fmt: skip


def mangled(rng: random.Random) -> bytes:
    sent = bytearray(rng.choice(WHOLE))
    for _ in range(rng.randint(1, 4)):
        at, what = rng.randrange(len(sent)), rng.random()
        if what < 0.3:
            sent[at] = rng.randrange(256)
        elif what < 0.5:
            del sent[at : at + rng.randint(1, 12)]
        elif what < 0.8:
            sent[at:at] = rng.choice(BITS)
        else:
            sent[at:at] = sent[at : at + 80]
    return bytes(sent)


def status_of(server: SimpleNamespace, sent: bytes) -> str:
    told = b""
    with socket.create_connection((server.host, server.port), timeout=8) as connection:
        connection.sendall(sent)
        while piece := connection.recv(65536):
            told += piece
    return told.split()[1].decode() if told else "none"


@pytest.mark.parametrize("seed", [1, 2])
def test_no_bytes_make_it_fail_or_hang(listening: Callable[..., SimpleNamespace], seed: int) -> None:
    server = listening(limits=Limits(receipt_seconds=0.5, idle_seconds=1))
    rng = random.Random(seed)
    cases = [mangled(rng) for _ in range(200)]
    seen: Counter[str] = Counter()

    def work() -> None:
        while cases:
            try:
                seen[status_of(server, cases.pop())] += 1
            except OSError as error:
                seen[type(error).__name__] += 1

    threads = [threading.Thread(target=work) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sum(seen.values()) == 200
    assert set(seen) <= {"none"} | {str(status) for status in range(100, 500)}, seen
    until = time.monotonic() + 5
    while server.server.server_state.connections or server.served.standing.in_flight or server.served.gate.receiving:
        assert time.monotonic() < until
        time.sleep(0.05)
