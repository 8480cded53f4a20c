"""Fusion: one ranking out of several.

Sources: reciprocal rank fusion is Cormack, Clarke and Buettcher (SIGIR 2009) with their constant of 60. The weighted sum
is that of hybrid search in the field's toolkits: alpha times the first (sparse) score plus the second (dense) one, where a
passage that one list lacks gets that list's lowest score; normalising takes the middle of the list's range off a score and
divides by the range. Left out: learned fusion.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from groundwire.errors import UnknownName, UsageError
from groundwire.protocols import Retriever
from groundwire.retrieve.explained import Composite
from groundwire.retrieve.pool import depth, joined
from groundwire.types import Hit, Retrieval

Rule = Literal["rrf", "weighted"]
CONSTANT, ALPHA = 60, 0.1


@dataclass(frozen=True, slots=True)
class Fuse(Composite):
    """The parts' lists as one, by `rule`; every part is asked for all its hits, so the top does not depend on `k`.

    `rrf`: the sum of 1 / (`constant` + rank), for any number of parts. `weighted`: `alpha` * first + second, for two parts;
    `normalise` puts each list's scores between -0.5 and 0.5 first (all at 0 where they do not differ).
    """

    parts: Sequence[Retriever]
    rule: Rule = "rrf"
    constant: int = CONSTANT
    alpha: float = ALPHA
    normalise: bool = False

    def __post_init__(self) -> None:
        if self.rule not in get_args(Rule):
            raise UnknownName("fusion", self.rule, get_args(Rule))
        if len(self.parts) < 2:
            raise UsageError("a fusion needs two parts or more", "rrf(bm25,dense)")
        if self.rule == "weighted" and len(self.parts) != 2:
            raise UsageError(f"weighted fuses two parts, got {len(self.parts)}", "rrf fuses any number")
        if self.constant < 0 or not math.isfinite(self.alpha):
            raise UsageError(f"{self.rule} needs k of 0 or more and a finite alpha", "rrf(bm25,dense,k=60)")

    @property
    def name(self) -> str:
        """The rule, its parts, and the parameters that are not the default: `weighted(bm25,dense,alpha=0.5)`."""
        told = [part.name for part in self.parts]
        if self.rule == "rrf" and self.constant != CONSTANT:
            told.append(f"k={self.constant}")
        if self.rule == "weighted" and self.alpha != ALPHA:
            told.append(f"alpha={self.alpha}")
        if self.rule == "weighted" and self.normalise:
            told.append("normalise=yes")
        return f"{self.rule}({','.join(told)})"

    @property
    def most(self) -> int:
        """The most hits that the fusion can hold."""
        return sum(depth(part) for part in self.parts)

    def explain_all(self, queries: Sequence[str], k: int) -> list[Retrieval]:
        """Return the rankings of the parts, and last the fused one."""
        return joined(self.name, self.parts, queries, k, self._fused)

    def _fused(self, lists: Sequence[Sequence[Hit]]) -> list[Hit]:
        found = {hit.passage.id: hit for hits in reversed(lists) for hit in hits}
        scores = self._reciprocal(lists) if self.rule == "rrf" else self._weighted(lists, found)
        return [replace(hit, score=scores[passage]) for passage, hit in found.items()]

    def _reciprocal(self, lists: Sequence[Sequence[Hit]]) -> Mapping[str, float]:
        terms: dict[str, list[float]] = defaultdict(list)
        for hits in lists:
            for rank, hit in enumerate(hits, 1):
                terms[hit.passage.id].append(1 / (self.constant + rank))
        # fsum: the sum must not depend on the order of the parts.
        return {passage: math.fsum(values) for passage, values in terms.items()}

    def _weighted(self, lists: Sequence[Sequence[Hit]], found: Mapping[str, Hit]) -> Mapping[str, float]:
        first, second = (self._scores(hits, found) for hits in lists)
        return {passage: self.alpha * first[passage] + second[passage] for passage in found}

    def _scores(self, hits: Sequence[Hit], found: Mapping[str, Hit]) -> Mapping[str, float]:
        """Return a list's score of every passage that any list holds."""
        own = {hit.passage.id: hit.score for hit in hits}
        low, high = min(own.values(), default=0.0), max(own.values(), default=0.0)
        scores = {passage: own.get(passage, low) for passage in found}
        if not self.normalise:
            return scores
        middle, span = (low + high) / 2, high - low
        return {passage: (score - middle) / span if span else 0.0 for passage, score in scores.items()}
