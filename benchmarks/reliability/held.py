"""R1: a load that is held. Also what R2 is measured against: the idle server, what it serves at most, and 80 % of that.

Arrivals are even, as load tools send them; requests are alike in size and no text comes twice. A part of the time arrivals
are random (a Poisson process), which is told beside it. The generator shares the cores.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rows import Row
from serving import child, load, prose
from serving.child import Running
from serving.load import Outcome, percentile
from witness import MINUTE, Witness

FULL = 16
"""Clients that ask all the time, which is as much as can be served."""
SHARE, SLOWEST = 0.8, 3.0
REQUESTS = prose.checks(200, 1)
TARGET = "p99 ≤ 3 × idle p50; 0 errors"


@dataclass(frozen=True, slots=True)
class Base:
    """`idle` is the median in seconds of one request at a time, `most` what is served a second when more is asked."""

    idle: float
    most: float


def base(server: Running, seconds: float) -> Base:
    """Warm up, and measure the server alone and full."""
    load.closed(server, REQUESTS, FULL, seconds=seconds, seed=1)
    idle = percentile(load.closed(server, REQUESTS, 1, seconds=seconds, seed=2).latencies(), 50)
    full = load.closed(server, REQUESTS, FULL, seconds=2 * seconds, seed=3)
    return Base(idle, full.rate(seconds / 2, 2 * seconds))


def held(server: Running, rate: float, seconds: float, seed: int, *, poisson: bool = False) -> Outcome:
    """Send so many requests a second for so long."""
    return load.opened(server, REQUESTS, rate, seconds=seconds, seed=seed, poisson=poisson)


def ms(seconds: float) -> int:
    """Whole milliseconds."""
    return round(1e3 * seconds)


def _by_minute(outcome: Outcome) -> list[int]:
    """The p99 of the requests that left in each minute, in ms; 0 where none was answered."""
    minutes: dict[int, list[float]] = defaultdict(list)
    for record in outcome.records:
        minutes[int(record.at / MINUTE)] += [record.seconds] if record.status == 200 else []
    found = [sorted(minutes[n]) for n in range(max(minutes, default=-1) + 1)]
    return [ms(percentile(seconds, 99)) if seconds else 0 for seconds in found]


def rows(work: Path, size: dict[str, int]) -> Iterator[Row]:
    del work
    seconds = size["held"]
    what = f"{seconds} s of even arrivals at 80 % of what is served at most"
    row = Row(id="R1", part="held", what=what, target=TARGET)
    with child.groundwire() as server:
        found = base(server, size["base"])
        with Witness() as witness:
            outcome = held(server, SHARE * found.most, seconds, 5)
        random = held(server, SHARE * found.most, min(seconds, 60), 6, poisson=True)
    for record in outcome.records:
        row.count(None if record.status == 200 else f"status {record.status} after {ms(record.seconds)} ms")
    p99 = percentile(outcome.latencies(), 99)
    limit = SLOWEST * found.idle
    row.count(None if p99 <= limit else f"p99 {ms(p99)} ms, idle p50 {ms(found.idle)} ms")
    row.more = {
        "requests a minute at most": round(60 * found.most),
        "idle p50 in ms": ms(found.idle),
        "p50 in ms": ms(percentile(outcome.latencies(), 50)),
        "p99 in ms": ms(p99),
        "p99 in ms, minute by minute": _by_minute(outcome),
        "the machine's speed, minute by minute, in % of its fastest": witness.speeds(),
        "p99 in ms of random arrivals": ms(percentile(random.latencies(), 99)),
        "refused of random arrivals": sum(record.status != 200 for record in random.records),
    }
    yield row
