"""Who breeds the next generation, where more than one can: the cheapest that still gets better.

Breeders stand in an order, the cheapest first. A generation that was better gives the turn back to the first one; when a
breeder's generations were no better, `patience` of them in a row, the next one has the turn. So sentences are moved about,
which costs nothing, before and between the calls of a language model, and the model begins with what moving can reach.

Left out: what better means, and budgets (the path).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.errors import UsageError
from groundwire.evolve.draws import Scheme
from groundwire.protocols import Breeder


@dataclass(frozen=True, slots=True, kw_only=True)
class Breeding:
    """A breeder, how its matings are drawn, and how many make a generation.

    Its turn is over after `patience` generations in a row that were no better. `paid` says that an offspring may cost a
    call, so that a budget of calls makes a generation smaller. `seeded` keeps the seeds among the parents, wherever they
    rank: what descends from them may have lost what a rewrite needs.
    """

    breeder: Breeder
    scheme: Scheme
    offspring: int = 12
    patience: int = 1
    paid: bool = True
    seeded: bool = False

    def __post_init__(self) -> None:
        for name in ("offspring", "patience"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} is 1 or more, got {getattr(self, name)}", f"{name}=2")


class Turns:
    """Whose turn it is. Not to be shared between threads."""

    def __init__(self, breedings: Sequence[Breeding]) -> None:
        self._breedings = breedings
        self._at = self._idle = 0

    @property
    def breeding(self) -> Breeding | None:
        """Who breeds next; None when nobody is left."""
        return self._breedings[self._at] if self._at < len(self._breedings) else None

    def better(self) -> None:
        """Give the turn to the first breeder again."""
        self._at = self._idle = 0

    def no_better(self) -> None:
        """Count a generation that changed nothing; out of patience, the next breeder has the turn."""
        self._idle += 1
        if self._idle >= self._breedings[self._at].patience:
            self.over()

    def over(self) -> None:
        """Give the turn to the next breeder, without patience: this one has nothing to give."""
        self._at, self._idle = self._at + 1, 0
