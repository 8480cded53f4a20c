"""The last quarter of an hour, in steps of some seconds: what a picture of the server is drawn from.

Left out: totals since the start, which Prometheus keeps (`groundwire.server.metrics`).
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any

from groundwire.server.access_record import AccessRecord
from groundwire.types import Label

STEP_SECONDS = 5.0
STEPS = 180
_SAMPLES = 512
"""Of how many requests of a step the time is kept; more than that are counted only."""


class History:
    """Steps, oldest first. Safe for any number of threads. `clock` gives Unix seconds."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._lock = Lock()
        self._steps: deque[_Step] = deque(maxlen=STEPS)
        self._requests = self._refused = self._errors = 0
        self._verdicts: Counter[str] = Counter()

    def request(self, seen: AccessRecord) -> None:
        """Count a request; those that ask how the server is are no work and have no time here."""
        with self._lock:
            self._requests += 1
            self._refused += bool(seen.refused)
            self._errors += seen.status >= 500 and not seen.refused
            step = self._now()
            step.requests += 1
            if seen.method == "POST" and seen.status < 400 and len(step.seconds) < _SAMPLES:
                step.seconds.append(seen.seconds)

    def verdict(self, label: Label) -> None:
        """Count a verdict."""
        with self._lock:
            self._verdicts[label.value] += 1
            self._now().verdicts[label.value] += 1

    def sample(self, queue_tokens: int) -> None:
        """Note how long the queue is now; a step keeps the most."""
        with self._lock:
            step = self._now()
            step.queue_tokens = max(step.queue_tokens, queue_tokens)

    def to_dict(self) -> dict[str, Any]:
        """Return the totals, the percentiles of the whole time kept, and the steps."""
        with self._lock:
            every = sorted(s for step in self._steps for s in step.seconds)
            return {
                "requests": self._requests,
                "refused": self._refused,
                "errors": self._errors,
                "latency_ms": {f"p{share}": milliseconds(every, share) for share in (50, 95, 99)},
                "verdicts": {label.value: self._verdicts[label.value] for label in Label},
                "history": [step.to_dict() for step in self._steps],
            }

    def _now(self) -> _Step:
        at = self._clock() // STEP_SECONDS * STEP_SECONDS
        if not self._steps or self._steps[-1].at < at:
            self._steps.append(_Step(at))
        return self._steps[-1]


class _Step:
    __slots__ = ("at", "queue_tokens", "requests", "seconds", "verdicts")

    def __init__(self, at: float) -> None:
        self.at = at
        self.requests = self.queue_tokens = 0
        self.seconds: list[float] = []
        self.verdicts: Counter[str] = Counter()

    def to_dict(self) -> dict[str, Any]:
        seconds = sorted(self.seconds)
        times = {f"p{share}_ms": milliseconds(seconds, share) for share in (50, 95)}
        counted = {"at": self.at, "requests": self.requests, "queue_tokens": self.queue_tokens}
        return {**counted, **times, "verdicts": dict(self.verdicts)}


def milliseconds(seconds: Sequence[float], share: int) -> float | None:
    """Return the percentile of sorted seconds, in milliseconds (nearest rank); None where there are none."""
    return round(seconds[max(0, -(-len(seconds) * share // 100) - 1)] * 1000, 1) if seconds else None
