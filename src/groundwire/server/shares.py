"""Sharing what there is a bounded amount of: how much of it a client may hold, by what the others hold.

    may hold = limit - 7/8 of what the others hold

That is all of the limit for who is alone, and for everybody seven eighths of what the others leave of the bound, which is
8/7 of the limit. The eighth that is left is the reserve of who comes next. It is the dynamic threshold by which switches
share a buffer between their ports, and needs neither a count of who is there nor a memory of who asked. From that one line,
with T for what all hold together and h for what the client holds:

- The bound is never passed. Whoever takes ends with h <= limit - 7/8 (T - h), so T <= limit + (T - h) / 8, and T <= 8/7 limit.
- Whoever holds most is refused first: h + asked <= limit - 7/8 (T - h) is h / 8 + asked <= limit - 7/8 T, and of two who ask
  for the same the right side is the same for both. So the one who holds less is not refused while the other is taken on.
- It is fair. n clients who always want more come to hold 8 / (7n + 1) of the limit each, an equal part of the bound but for
  what is left over; who wants less has what it wants, and the rest is divided among the others in the same way.
- There is room for who holds nothing. Beside n who have taken what they may, a seventh of what each of them holds is free.

A client that took the whole limit while it was alone gives nothing back of it before it is done; it is refused meanwhile,
and the newcomer is not. Left out: what is shared, and what is said to who is refused (`admission`, `guard.body`).
Source: Choudhury and Hahne, Dynamic Queue Length Thresholds for Shared-Memory Packet Switches (1998), with alpha = 7.
"""

from __future__ import annotations

PARTS = 8
"""A client may hold all but one of so many parts of what the others leave: with more the reserve is smaller."""


def alone(bound: float) -> float:
    """Return the limit that a bound comes to: what a client may hold while nobody else holds anything."""
    return bound * (PARTS - 1) / PARTS


class Shares:
    """Who holds how much. One thread at a time."""

    __slots__ = ("_held", "total")

    def __init__(self) -> None:
        self._held: dict[str, int] = {}
        self.total = 0

    def of(self, client: str) -> int:
        """Return what a client holds."""
        return self._held.get(client, 0)

    def most(self, client: str, limit: int) -> int:
        """Return what a client may hold in all, by what the others hold; 0 or less where they leave nothing."""
        others = self.total - self.of(client)
        return limit + -(PARTS - 1) * others // PARTS

    def take(self, client: str, amount: int) -> None:
        """Let a client hold so much more; with a negative amount it gives so much back."""
        left = self.of(client) + amount
        self.total += amount
        if left:
            self._held[client] = left
        else:
            self._held.pop(client, None)
