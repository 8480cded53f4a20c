"""R11: what the API's description makes possible, against the application; and bytes of any kind, against a server."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import suite
from rows import Row
from serving import child
from serving.child import Running

from groundwire.index import LocalIndex
from groundwire.server.app import build
from groundwire.server.engine import Engine
from groundwire.server.settings import Settings

TARGET = "0 answers 5xx but those that the contract names, 0 hangs, nothing undescribed"
RAW_TARGET = "0 answers 5xx, 0 hangs, 0 broken replies; alive and without a leak afterwards"
UPSTREAM = "http://upstream.example/v1"
AT_ONCE = 48
MOST = 20 << 20
"""Bytes that the server's memory may have grown by."""
IDLE = min(32, (os.cpu_count() or 1) + 4)
"""Threads that write large answers: they are started when first wanted, as many at most, and stay."""


def rows(work: Path, size: dict[str, int]) -> Iterator[Row]:
    folder = index(work)
    yield from _described(folder, size)
    yield _raw(folder, size["raw"])


def index(work: Path) -> Path:
    """Make an index of three passages and return its folder."""
    folder = work / "tiny"
    with LocalIndex.create(folder) as made:
        made.add(suite.part("server/conftest.py").PASSAGES)
    return folder


def _described(folder: Path, size: dict[str, int]) -> Iterator[Row]:
    quick, fuzzed = suite.part("server/quick.py"), suite.part("server/fuzzed.py")
    settings = Settings(upstream=UPSTREAM, indexes={"tiny": str(folder)})
    engine = Engine(settings)
    asyncio.run(engine.start())
    try:
        served = build(settings, engine)
        served.app.state.upstream = quick.upstream()
        n = size["described"]
        row = Row(id="R11", part="description, quick", target=TARGET, what="")
        with quick.quickly(engine):
            _fuzz(row, fuzzed, served, n, 0)
        row.what = (
            f"{row.n} requests that the OpenAPI description makes possible or forbids (schemathesis), in "
            "process, the network of the models replaced by arithmetic"
        )
        yield row
        row = Row(id="R11", part="description, real", target=TARGET, what="")
        _fuzz(row, fuzzed, served, n // 20, 1)
        row.what = f"{row.n} of the same with the real models"
        yield row
    finally:
        asyncio.run(engine.drain(5))
        asyncio.run(engine.close())


def _fuzz(row: Row, fuzzed: ModuleType, served: Any, cases: int, number: int) -> None:
    with fuzzed.asked(served) as ask:
        fuzz = fuzzed.Fuzz(served.app.openapi(), ask)
        fuzz.run(cases, number)
    row.n, row.failures, row.examples = fuzz.n, len(fuzz.problems), fuzz.problems[:3]
    row.more = {**{f"answered {status}": n for status, n in sorted(fuzz.statuses.items())}}
    row.more |= {"operations": len(fuzz.operations), "slowest in ms": round(1000 * fuzz.slowest)}


def _raw(folder: Path, cases: int) -> Row:
    sockets, mangled = suite.part("server/sockets.py"), suite.part("server/mangled.py")
    row = Row(
        id="R11",
        part="raw",
        target=RAW_TARGET,
        what=f"{cases} conversations of raw bytes with `groundwire serve`, {AT_ONCE} at a time",
    )
    with child.groundwire("--index", f"tiny={folder}") as server:
        warm = mangled.conversations(max(100, cases // 10), seed=1)
        asyncio.run(sockets.talked(server.host, server.port, warm, at_once=AT_ONCE, count=lambda *_: None))
        before = _settled(server)

        def count(kind: str, problem: str | None, statuses: list[int]) -> None:
            row.count(problem)
            for status in statuses or [0]:
                row.add(f"answered {status}" if status else "let go without a word")

        asyncio.run(
            sockets.talked(server.host, server.port, mangled.conversations(cases), at_once=AT_ONCE, count=count)
        )
        after = _settled(server)
        row.count(None if after[0] <= before[0] + MOST else f"memory grew by {(after[0] - before[0]) >> 20} MB")
        row.count(None if after[1] <= before[1] else f"{after[1] - before[1]} descriptors more")
        row.count(None if after[2] <= before[2] + IDLE else f"{after[2] - before[2]} threads more")
        row.count(sockets.alive(server.host, server.port))
        server.terminate()
        code = server.ended()
        row.count(None if code == 0 else f"ended with {code}")
        log = server.log.read_text(encoding="utf-8") if server.log else ""
        row.count(None if '"bug"' not in log else f"{log.count(chr(34) + 'bug' + chr(34))} bugs in the log")
        row.more = dict(sorted(row.more.items())) | {"memory grew in KB": (after[0] - before[0]) >> 10}
    return row


def _settled(server: Running) -> tuple[int, int, int]:
    """Wait until connections that linger have gone; return memory, descriptors and threads."""
    import time

    time.sleep(3)
    return server.memory, server.descriptors, server.threads
