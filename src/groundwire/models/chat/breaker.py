"""The circuit breaker of an endpoint: after many failures in a row it is left alone for a while, then asked once.

Left out: several processes; each finds out by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic


class Breaker:
    """Closed, open, or letting one probe through. Used by one event loop, so it has no lock."""

    def __init__(self, failures: int, cooldown: float, clock: Callable[[], float] = monotonic) -> None:
        self._limit = failures
        self._cooldown = cooldown
        self._clock = clock
        self._failed = 0
        self._closed_until = 0.0

    @property
    def failed(self) -> int:
        """How many times in a row the endpoint has failed."""
        return self._failed

    def shut_for(self) -> float:
        """Return for how many seconds more nothing may be asked; 0 lets this one call through.

        Once the time is over one caller gets 0, as the probe, and the others wait another turn for what it finds out.
        """
        left = self._closed_until - self._clock()
        if left > 0:
            return left
        if self._failed >= self._limit:
            self._closed_until = self._clock() + self._cooldown
        return 0.0

    def succeeded(self) -> None:
        """Count an answer: whatever it says, the endpoint is there."""
        self._failed, self._closed_until = 0, 0.0

    def broke(self) -> None:
        """Count a failure."""
        self._failed += 1
        if self._failed >= self._limit:
            self._closed_until = self._clock() + self._cooldown
