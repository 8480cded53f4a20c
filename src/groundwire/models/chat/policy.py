"""When a failed call is tried again, and when it is given up. Times are seconds.

Left out: what counts as a failure (`failure`), and the endpoint as a whole (`breaker`).
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from groundwire.errors import UsageError

_SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]{1,6})?")
_RANDOM = random.SystemRandom()


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The limits of a chat.

    `attempt` bounds one request, `call` a prompt with all its attempts and waits, `batch` one `complete` (None: no bound).
    A call is tried again at most `retries` times, after a random wait of up to `first_wait` that doubles each time up to
    `longest_wait`. All calls together may be tried again `budget` times a call on average, and `reserve` times beyond.
    After `failures` failures in a row the endpoint is left alone for `cooldown`.
    """

    attempt: float = 60.0
    call: float = 180.0
    batch: float | None = None
    retries: int = 5
    first_wait: float = 0.5
    longest_wait: float = 30.0
    budget: float = 0.5
    reserve: int = 20
    failures: int = 10
    cooldown: float = 15.0

    def __post_init__(self) -> None:
        positive = {"attempt": self.attempt, "call": self.call, "batch": 1.0 if self.batch is None else self.batch}
        for name, value in positive.items():
            if not value > 0:
                raise UsageError(f"the deadline {name} is {value}", "seconds, above 0")
        counts = (self.retries, self.first_wait, self.longest_wait, self.budget, self.reserve, self.cooldown)
        if not all(value >= 0 for value in counts) or self.failures < 1:
            raise UsageError("a limit of a policy is below 0", "or `failures` is below 1")

    def backoff(self, retry: int) -> float:
        """Return how long to wait before the `retry`-th retry (from 0): anything up to a bound that doubles."""
        return _RANDOM.uniform(0, min(self.longest_wait, self.first_wait * 2 ** min(retry, 30)))


class Budget:
    """How many retries are left. Used by one event loop, so it has no lock."""

    def __init__(self, share: float, reserve: int) -> None:
        self._share = share
        self._left = float(reserve)

    def earn(self) -> None:
        """Count a new call."""
        self._left += self._share

    def spend(self) -> bool:
        """Take one retry; False when there is none left."""
        if self._left < 1:
            return False
        self._left -= 1
        return True


def retry_after(value: str | None, date: str | None, now: datetime | None = None) -> float | None:
    """Return the seconds that a `Retry-After` header asks for (RFC 9110 10.2.3), None for none or nonsense; never below 0.

    A date is taken relative to the reply's own `Date` where it has one, for the clocks of two machines differ.
    """
    text = (value or "").strip()
    if _SECONDS.fullmatch(text):
        return float(text)
    until = _instant(text)
    if until is None:
        return None
    start = _instant(date or "") or now or datetime.now(UTC)
    return max(0.0, (until - start).total_seconds())


def _instant(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
