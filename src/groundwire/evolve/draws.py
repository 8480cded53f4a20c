"""Who mates: operators and parents drawn for one generation, as the two scripts of GAuGE draw them.

Source: Kulkarni et al. 2024 (arXiv 2409.00085) as run: one uniform number says the operator, a parent's rank is uniform
among the first. The script for the Edit endpoint (`edit`: .33, .33 and the rest) draws both ranks of a crossover and lets
them differ; the one for chat models (`chat`: thirds) always crosses the first with the second, in that order.

Left out: what an operator does with its parents (the breeders), when it ends (`limits`).
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, get_args

from groundwire.errors import UnknownName, UsageError
from groundwire.types import Candidate, Mating

Pairing = Literal["drawn", "first"]
Again = Literal["yes", "no", "new"]
AGAIN: tuple[Again, ...] = get_args(Again)
Tried = Collection[tuple[str, tuple[str, ...]]]
"""Matings by operator and the ids of the parents, sorted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """An operator, how many parents it takes (1 or 2), and its weight: its share of the draws."""

    operator: str
    arity: int
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheme:
    """How the matings of a generation are drawn.

    Parents come from the first `among`. `pairing` says which two are crossed: "drawn", two different ones in any order,
    or "first", always the first and the second. `again` says whether a mating may come twice: "yes", for an LLM at a
    temperature above 0 replies anew each time; "no", for equal replies are calls for nothing; or "new", as long as it gave
    something new, and within one generation only when all the others have come as often.
    """

    shares: tuple[Share, ...]
    among: int = 2
    pairing: Pairing = "drawn"
    again: Again = "yes"

    def __post_init__(self) -> None:
        if self.among < 1:
            raise UsageError(f"parents come from the first 1 or more, got {self.among}", "among=2")
        if self.again not in AGAIN:
            raise UnknownName("again", str(self.again), AGAIN)
        if not self.shares or any(share.weight <= 0 or share.arity not in (1, 2) for share in self.shares):
            raise UsageError("a scheme needs operators of one or two parents with weights above 0")

    def draw(
        self,
        rng: random.Random,
        ranked: Sequence[Candidate],
        count: int,
        tried: Tried = frozenset(),
        *,
        beside: Sequence[Candidate] = (),
    ) -> list[Mating]:
        """Draw `count` matings among the first of `ranked`, best first, and those `beside` them, wherever they rank.

        Without two parents nobody is crossed. Fewer than `count` come only where matings may run out: none comes that was
        `tried`, which the caller collects; whoever is crossed with whom, in either order, is the same mating.
        """
        parents = list({one.id: one for one in (*ranked[: self.among], *beside)}.values())
        # Fewer than two to cross leaves the operators of one parent, with the weights that they have among themselves.
        fit = [share for share in self.shares if share.arity <= len(parents)]
        if not fit:
            return []
        if self.again == "yes":
            return [self._drawn(rng, fit, parents) for _ in range(count)]
        drawn = self._untried(rng, fit, parents, count, tried)
        while self.again == "new" and 0 < len(drawn) < count:
            drawn += self._untried(rng, fit, parents, count - len(drawn), tried)
        return drawn

    def _drawn(self, rng: random.Random, shares: Sequence[Share], parents: Sequence[Candidate]) -> Mating:
        share = _picked(rng, shares)
        chosen = self._pair(rng, parents) if share.arity == 2 else (parents[rng.randrange(len(parents))],)
        return Mating(operator=share.operator, parents=chosen, seed=_seed(rng))

    def _pair(self, rng: random.Random, parents: Sequence[Candidate]) -> tuple[Candidate, ...]:
        first, second = (0, 1) if self.pairing == "first" else rng.sample(range(len(parents)), 2)
        return parents[first], parents[second]

    def _untried(
        self, rng: random.Random, shares: Sequence[Share], parents: Sequence[Candidate], count: int, tried: Tried
    ) -> list[Mating]:
        """Draw among the matings that are left, each by the share of its operator."""
        left: dict[Share, list[tuple[Candidate, ...]]] = {}
        for share in shares:
            couples = list(combinations(parents, share.arity))
            couples = couples[:1] if share.arity == 2 and self.pairing == "first" else couples
            left[share] = [couple for couple in couples if key_of(share.operator, couple) not in tried]
        drawn: list[Mating] = []
        while len(drawn) < count and (open_ := [share for share in shares if left[share]]):
            share = _picked(rng, open_)
            couple = left[share].pop(rng.randrange(len(left[share])))
            drawn.append(Mating(operator=share.operator, parents=couple, seed=_seed(rng)))
        return drawn


def shares(arities: Mapping[str, int], weights: Mapping[str, float] | None = None) -> tuple[Share, ...]:
    """Return a breeder's operators with these weights, those without one left out; without weights all alike."""
    told = dict.fromkeys(arities, 1.0) if weights is None else weights
    return tuple(Share(operator=name, arity=arities[name], weight=weight) for name, weight in told.items())


def key_of(operator: str, parents: Sequence[Candidate]) -> tuple[str, tuple[str, ...]]:
    """Return what names a mating among those that were tried."""
    return operator, tuple(sorted(parent.id for parent in parents))


def _picked(rng: random.Random, shares: Sequence[Share]) -> Share:
    """Return the share that one uniform number falls into."""
    at = rng.random() * sum(share.weight for share in shares)
    for share in shares:
        at -= share.weight
        if at <= 0:
            return share
    return shares[-1]


def _seed(rng: random.Random) -> int:
    return rng.getrandbits(31)
