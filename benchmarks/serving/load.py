"""What a load came to: runs the generator in a process of its own and reads its records."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from serving.child import BENCHMARKS, Running
from serving.generator import CUT, LATE, REFUSED

NAMES = {REFUSED: "connection refused", CUT: "cut", LATE: "no answer"}
Request = dict[str, Any]
"""`path`, `body` with the generator's MARK in it, and what else the bench wants to know of it."""


@dataclass(frozen=True, slots=True)
class Record:
    """One request: `at` and `done` are seconds since the start, `status` as in `generator`."""

    client: int
    which: int
    at: float
    done: float
    status: int
    retry_after: str
    digest: str

    @property
    def seconds(self) -> float:
        """From when it should have left to the end of its answer."""
        return self.done - self.at


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that was asked. `cpu_share` is what of a core the generator used."""

    records: list[Record]
    cpu_share: float
    seconds: float
    requests: Sequence[Request] = field(repr=False)

    def latencies(self, status: int = 200, *, after: float = 0.0) -> list[float]:
        """Seconds of the requests with this status that left after that time, in order of size."""
        return sorted(r.seconds for r in self.records if r.status == status and r.at >= after)

    def rate(self, start: float, end: float, weigh: Callable[[Request], float] = lambda _: 1.0) -> float:
        """What was answered with 200 between two times, per second."""
        done = (weigh(self.requests[r.which]) for r in self.records if r.status == 200 and start <= r.done < end)
        return sum(done) / (end - start)

    def statuses(self) -> dict[str, int]:
        """How many requests ended how."""
        return dict(sorted(Counter(NAMES.get(r.status, str(r.status)) for r in self.records).items()))

    def served(self, clients: int, *, after: float = 0.0) -> list[int]:
        """How many answers each client got."""
        counts = Counter(r.client for r in self.records if r.status == 200 and r.done >= after)
        return [counts[n] for n in range(clients)]


class Load:
    """A generator at work; `outcome` waits for its end."""

    def __init__(self, server: Running, requests: Sequence[Request], *, seconds: float, seed: int, **plan: Any) -> None:
        self._requests = requests
        told = {"host": server.host, "port": server.port, "requests": list(requests), "seconds": seconds, "seed": seed}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "serving.generator"], cwd=BENCHMARKS, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._told = json.dumps({**told, **plan}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(self._told)
        self._process.stdin.close()

    def outcome(self) -> Outcome:
        """Wait, and return what it came to. Raises RuntimeError when the generator failed."""
        assert self._process.stdout is not None
        said = self._process.stdout.read()
        self._process.stdout.close()
        if self._process.wait() != 0:
            raise RuntimeError("the load generator failed")
        found = json.loads(said)
        records = [Record(*record) for record in found["records"]]
        return Outcome(records, found["cpu_seconds"] / max(found["seconds"], 1e-9), found["seconds"], self._requests)


def closed(
    server: Running, requests: Sequence[Request], clients: int | Sequence[dict[str, Any]], *, seconds: float, seed: int
) -> Outcome:
    """Let so many clients ask one request after the other."""
    each = [{} for _ in range(clients)] if isinstance(clients, int) else list(clients)
    return Load(server, requests, seconds=seconds, seed=seed, clients=each).outcome()


def opened(
    server: Running, requests: Sequence[Request], rate: float, *, seconds: float, seed: int, poisson: bool = False
) -> Outcome:
    """Send so many requests a second, whatever is answered."""
    return Load(server, requests, seconds=seconds, seed=seed, rate=rate, poisson=poisson).outcome()


def percentile(ordered: Sequence[float], p: float) -> float:
    """Return the p-th percentile (nearest rank) of ordered values; NaN of none."""
    return ordered[min(len(ordered), max(1, math.ceil(len(ordered) * p / 100))) - 1] if ordered else math.nan
