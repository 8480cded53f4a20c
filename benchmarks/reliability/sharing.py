"""R15: many threads and processes on one cache, and many clients of one server (`mixed`).

The cache's worker is that of tests/test_cache.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import mixed
import suite
from rows import Row


def rows(work: Path, size: dict[str, int]) -> Iterator[Row]:
    processes, calls = size["processes"], size["calls"]
    what = f"{processes} processes × 16 threads × {calls} mixed reads and writes of one cache"
    row = Row(id="R15", part="cache", what=what, target="0 errors; 0 differing bytes")
    tests = suite.load("test_cache.py")
    wrong, got = tests.shared(work / "cache.sqlite", processes=processes, calls=calls, limit=3600)
    row.n = processes * 16 * calls
    differing = [f"k{n} differs" for n, value in got.items() if value not in (None, b"%d " % n * (1 + n % 50))]
    row.failures, row.examples = len(wrong) + len(differing), [*wrong, *differing][:3]
    row.more = {"values at the end": sum(value is not None for value in got.values())}
    yield row
    yield from mixed.rows(calls)
