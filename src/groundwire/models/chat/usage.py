"""What an endpoint was asked and what it cost.

Left out: estimating tokens where the endpoint does not count them; they are 0 then.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace

from groundwire.types import Noun


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What a million tokens cost, in any one currency."""

    prompt: float
    reply: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage(Noun):
    """Counts since the chat was made. `calls` were sent, retries left out; `failed` of them ended without a reply.

    `cached` prompts were answered without a call; `unkept` replies could not be written to the cache. `cost` is None where
    no prices are known.
    """

    calls: int = 0
    retries: int = 0
    failed: int = 0
    cached: int = 0
    unkept: int = 0
    prompt_tokens: int = 0
    reply_tokens: int = 0
    cost: float | None = None


class Meter:
    """Counts for all threads."""

    def __init__(self, prices: Prices | None) -> None:
        self._prices = prices
        self._lock = threading.Lock()
        self._usage = Usage()

    def count(self, **more: int) -> None:
        """Add to the counts of these names."""
        with self._lock:
            self._usage = replace(self._usage, **{name: getattr(self._usage, name) + n for name, n in more.items()})

    def read(self) -> Usage:
        """Return the counts as they are now."""
        with self._lock:
            usage = self._usage
        if self._prices is None:
            return usage
        cost = usage.prompt_tokens * self._prices.prompt + usage.reply_tokens * self._prices.reply
        return replace(usage, cost=cost / 1e6)
