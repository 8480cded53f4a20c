"""How many tokens a second are done while more wait than run. Left out: what is made of it (`Busy`, metrics)."""

from __future__ import annotations

from time import monotonic

HALF_LIFE = 10.0
"""Seconds of backlog after which what was measured counts half."""


class DrainRate:
    """Tokens a second over the last seconds in which there was a backlog; other times say nothing of what can be done.

    The caller holds a lock.
    """

    def __init__(self, half_life: float = HALF_LIFE) -> None:
        self._half_life = half_life
        self._tokens = self._seconds = 0.0
        self._since: float | None = None

    def begin(self) -> None:
        """Say that there is a backlog; said again it changes nothing."""
        if self._since is None:
            self._since = monotonic()

    def done(self, tokens: int, *, backlog: bool) -> None:
        """Say that so many tokens are done, and whether there is a backlog still."""
        if self._since is None:
            return
        now = monotonic()
        seconds = now - self._since
        kept = 0.5 ** (seconds / self._half_life)
        self._tokens = self._tokens * kept + tokens
        self._seconds = self._seconds * kept + seconds
        self._since = now if backlog else None

    @property
    def tokens_a_second(self) -> float | None:
        """The rate; None as long as there was no backlog."""
        return self._tokens / self._seconds if self._seconds > 0 else None
