"""R2: many times more than can be served. What is too much has to hear so at once, and what is admitted must not suffer.

How long what is admitted waits is the operator's choice (--queue-seconds). Here it is three quarters of what a request takes
alone: a server that would rather refuse than be slow. What it is compared with is a server as it comes, at 80 %.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import held
from rows import Row
from serving import child
from serving.child import Running
from serving.load import Record, percentile

SOON, SLOWER, LARGER, TIMES = 0.050, 1.5, 1.10, 0.75
TARGET = "100 % of the excess a clean 429 with Retry-After within 50 ms; admitted p99 ≤ 1.5 × R1; memory +10 % at most"


def rows(work: Path, size: dict[str, int]) -> Iterator[Row]:
    del work
    with child.groundwire() as server:
        found = held.base(server, size["base"])
        usual = percentile(held.held(server, held.SHARE * found.most, size["overload"], 5).latencies(), 99)
    queue = f"{max(0.01, TIMES * found.idle):.2f}"
    with child.groundwire("--queue-seconds", queue) as server:
        held.held(server, held.SHARE * found.most, size["overload"], 6)
        for factor in (4, 20):
            what = f"{size['overload']} s of {factor} × what is served at most (--queue-seconds {queue})"
            row = Row(id="R2", part=f"{factor} times", what=what, target=TARGET)
            _flood(row, server, factor * found.most, size["overload"], usual)
            yield row


def _flood(row: Row, server: Running, rate: float, seconds: int, usual: float) -> None:
    before = server.memory
    outcome = held.held(server, rate, seconds, 10 + len(row.part))
    after = server.memory
    for record in outcome.records:
        row.count(_problem(record))
    p99 = percentile(outcome.latencies(), 99)
    row.count(None if p99 <= SLOWER * usual else f"admitted p99 {held.ms(p99)} ms, of R1 {held.ms(usual)} ms")
    row.count(None if after <= LARGER * before else f"memory {after >> 20} MB, was {before >> 20} MB")
    refused = outcome.latencies(429)
    row.more = {
        "answered": len(outcome.latencies()),
        "refused": len(refused),
        "429 p50 in ms": held.ms(percentile(refused, 50)) if refused else 0,
        "429 p99 in ms": held.ms(percentile(refused, 99)) if refused else 0,
        "429 slowest in ms": held.ms(refused[-1]) if refused else 0,
        "admitted p99 in ms": held.ms(p99),
        "p99 at 80 % in ms": held.ms(usual),
        "memory before in MB": before >> 20,
        "memory after in MB": after >> 20,
        "generator, hundredths of a core": round(100 * outcome.cpu_share),
    }


def _problem(record: Record) -> str | None:
    if record.status == 200:
        return None
    if record.status != 429:
        return f"status {record.status} after {held.ms(record.seconds)} ms"
    if not (record.retry_after.isdigit() and int(record.retry_after) >= 1):
        return f"Retry-After {record.retry_after!r}"
    return None if record.seconds <= SOON else f"429 after {held.ms(record.seconds)} ms"
