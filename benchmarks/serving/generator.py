"""The load generator: a process of its own, one event loop, requests made ahead; what each came to is written at the end.

    python -m serving.generator < plan.json > records.json      (in benchmarks/; `serving.load` does it)

Every request is bytes that were ready before the clock started, with a number written over `MARK` so that no text was ever
asked before. Closed: each client asks its next request when the last one is answered, and waits as long as a 429 says. Open:
requests leave at their times whatever is answered (evenly, or as a Poisson process), and latency counts from the time that a
request should have left. Left out: what the figures mean (`load`).
"""

from __future__ import annotations

import asyncio
import json
import random
import resource
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from time import perf_counter
from typing import Any

import httptools
import uvloop

MARK = b"@@@@@@@"
"""Stands in a body where a number of as many digits is written; those from 9 900 000 on are left to others."""
TIMINGS = b'"timings_ms":'
REFUSED, CUT, LATE = -1, -2, -3
"""In place of a status: the connection was refused; it ended before the whole answer was there; no answer in time."""
PATIENCE = 120.0
"""Seconds after which nobody waits any more."""


class Connection(asyncio.Protocol):
    """One connection to the server, for one request at a time. `gone` is set once it cannot be used again."""

    def __init__(self) -> None:
        self.gone = False
        self._answered: asyncio.Future[int] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: Any = transport

    async def ask(self, request: bytes) -> int:
        """Send a request; return the status of its answer, or CUT."""
        self._parser = httptools.HttpResponseParser(self)
        self._answered = asyncio.get_running_loop().create_future()
        self.retry, self.body = "", bytearray()
        self.transport.write(request)
        return await self._answered

    def data_received(self, data: bytes) -> None:
        if self._answered is not None:
            self._parser.feed_data(data)

    def on_header(self, name: bytes, value: bytes) -> None:
        if name.lower() == b"retry-after":
            self.retry = value.decode("latin-1")

    def on_body(self, body: bytes) -> None:
        self.body += body

    def on_message_complete(self) -> None:
        if not self._parser.should_keep_alive():
            self.gone = True
            self.transport.close()
        self._end(self._parser.get_status_code())

    def connection_lost(self, exc: Exception | None) -> None:
        self.gone = True
        self._end(CUT)

    def _end(self, status: int) -> None:
        if self._answered is not None and not self._answered.done():
            self._answered.set_result(status)
        self._answered = None


class Generator:
    """Runs one plan: `host`, `port`, `requests`, `seconds`, `seed`, and `clients` (closed) or `rate` (open).

    A request has a path, a body, and may say what its answer `ends` with. A client may have a key, `only` some of the
    requests, and a number that is its `most`. `digests` keeps one of each answer; nobody waits longer than `most_patient`.
    """

    def __init__(self, plan: dict[str, Any]) -> None:
        self._plan = plan
        self._rng = random.Random(plan["seed"])
        self._number = plan["seed"] * 100_003 % 9_800_000
        self._records: list[list[Any]] = []
        self._idle: list[Connection] = []
        self._requests = [
            (_bytes(plan, one["path"], one["body"]), one.get("ends", "").encode()) for one in plan["requests"]
        ]

    async def run(self) -> dict[str, Any]:
        self._start = perf_counter()
        await (self._open() if "rate" in self._plan else self._closed())
        used = resource.getrusage(resource.RUSAGE_SELF)
        return {
            "records": self._records,
            "seconds": perf_counter() - self._start,
            "cpu_seconds": used.ru_utime + used.ru_stime,
        }

    async def _closed(self) -> None:
        clients = self._plan["clients"]
        await asyncio.gather(*(self._client(n, client) for n, client in enumerate(clients)))

    async def _client(self, n: int, client: dict[str, Any]) -> None:
        """Ask one request after the other until the time is up, or the client's number of requests is reached."""
        rng = random.Random(self._plan["seed"] * 1_009 + n)
        mine = client.get("only") or range(len(self._requests))
        connection, asked = None, 0
        while self._now() < self._plan["seconds"] and asked < client.get("most", 1 << 62):
            which = rng.choice(mine)
            asked += 1
            if connection is None or connection.gone:
                connection = await self._connect()
            if connection is None:
                self._keep(n, which, self._now(), REFUSED, "")
                return
            wait = await self._ask(connection, n, which, self._now(), client.get("key"))
            if wait:
                await asyncio.sleep(min(wait, max(0.0, self._plan["seconds"] - self._now())))

    async def _open(self) -> None:
        tasks = set()
        for n, at in enumerate(self._arrivals()):
            if at > self._now():
                await asyncio.sleep(at - self._now())
            task = asyncio.create_task(self._send(n, at))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
        if tasks:
            await asyncio.wait(tasks)

    def _arrivals(self) -> Iterator[float]:
        rate, poisson, at = self._plan["rate"], self._plan.get("poisson", False), 0.0
        while at < self._plan["seconds"]:
            yield at
            at += self._rng.expovariate(rate) if poisson else 1 / rate

    async def _send(self, n: int, at: float) -> None:
        which = n % len(self._requests)
        while self._idle and self._idle[-1].gone:
            self._idle.pop()
        connection = self._idle.pop() if self._idle else await self._connect()
        if connection is None:
            self._keep(0, which, at, REFUSED, "")
            return
        await self._ask(connection, 0, which, at, None)
        if not connection.gone:
            self._idle.append(connection)

    async def _connect(self) -> Connection | None:
        loop = asyncio.get_running_loop()
        try:
            _, connection = await loop.create_connection(Connection, self._plan["host"], self._plan["port"])
        except OSError:
            return None
        return connection

    async def _ask(self, connection: Connection, client: int, which: int, at: float, key: str | None) -> float:
        """Ask and keep what came of it; return for how many seconds the server says to wait."""
        make, ends = self._requests[which]
        self._number = (self._number + 1) % 9_900_000
        try:
            status = await asyncio.wait_for(connection.ask(make(self._number, key)), PATIENCE)
        except TimeoutError:
            status = LATE
            connection.transport.abort()
        if status == 200 and ends not in connection.body:
            status = CUT
        told = _told(bytes(connection.body)) if self._plan.get("digests") and status == 200 else ""
        self._keep(client, which, at, status, connection.retry, told)
        wait = int(connection.retry) if connection.retry.isdigit() else 0
        return min(wait, self._plan.get("most_patient", wait))

    def _keep(self, client: int, which: int, at: float, status: int, retry: str, told: str = "") -> None:
        self._records.append([client, which, round(at, 6), round(self._now(), 6), status, retry, told])

    def _now(self) -> float:
        return perf_counter() - self._start


def _bytes(plan: dict[str, Any], path: str, body: str) -> Callable[[int, str | None], bytes]:
    """Return what makes the whole request with a number in it."""
    parts = body.encode().split(MARK)
    size = len(body.encode())
    head = f"POST {path} HTTP/1.1\r\nhost: {plan['host']}:{plan['port']}\r\ncontent-type: application/json\r\n"

    def make(number: int, key: str | None) -> bytes:
        secret = f"x-api-key: {key}\r\n" if key else ""
        whole = b"%07d" % number
        return f"{head}{secret}content-length: {size}\r\n\r\n".encode() + whole.join(parts)

    return make


def _told(body: bytes) -> str:
    """Return the digest of an answer without the times that it tells."""
    first, *others = body.split(TIMINGS)
    return sha256(first + b"".join(part[part.index(b"}") + 1 :] for part in others)).hexdigest()[:16]


if __name__ == "__main__":
    json.dump(uvloop.run(Generator(json.load(sys.stdin)).run()), sys.stdout)
