"""A population: everyone who was ever born, best first; nobody is removed.

Source: the scripts of GAuGE (Kulkarni et al. 2024, arXiv 2409.00085): the pool is a list of (score, id, text) that is
sorted downwards, where the id says the lineage: a seed's is its passage's, an offspring's is made of its parents'. That
decides between equal scores, so it is derived here and stored nowhere else. Survival is that parents are drawn from the top.

Left out: the draws (`draws`), the scores (`fitness`).
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from groundwire.types import Candidate

LONGEST = 4_096
"""Characters of a lineage id. A crossover's is as long as both parents', so it can double with each generation: the end of a
longer one is its digest.
"""
MARKS: Mapping[str, str] = {"random": "r", "query": "qr"}
"""What the scripts put behind the id of the one parent. Another operator goes by its own name."""


def identity(text: str) -> str:
    """Return the id of a candidate: the sha256 of its text, 16 hexadecimal digits of it. Lone surrogates are legal."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class _Member:
    score: float
    lineage: str
    candidate: Candidate

    @property
    def place(self) -> tuple[float, str, str]:
        return self.score, self.lineage, self.candidate.text


class Population:
    """Candidates by (total fitness, lineage id, text), downwards. Not to be shared between threads."""

    def __init__(self) -> None:
        self._members: list[_Member] = []
        self._ids: set[str] = set()

    def __len__(self) -> int:
        return len(self._members)

    def holds(self, text: str) -> bool:
        """Say whether a candidate with exactly this text is there."""
        return identity(text) in self._ids

    def add(self, candidate: Candidate, parents: Sequence[Candidate] = ()) -> None:
        """Take in a candidate, whose fitness has a "total"; `parents` are members, none of them for a seed."""
        member = _Member(candidate.fitness["total"], self._lineage(candidate, parents), candidate)
        self._members.append(member)
        self._members.sort(key=lambda one: one.place, reverse=True)
        self._ids.add(candidate.id)

    def ranked(self, count: int | None = None) -> list[Candidate]:
        """Return the best `count` candidates, or all, best first."""
        return [member.candidate for member in self._members[:count]]

    def lineages(self) -> list[str]:
        """Return the lineage id of every member, best first."""
        return [member.lineage for member in self._members]

    def score_at(self, rank: int) -> float:
        """Return the score of the `rank`-th best, counted from 1; -inf where there are fewer."""
        return self._members[rank - 1].score if rank <= len(self._members) else -math.inf

    def _lineage(self, candidate: Candidate, parents: Sequence[Candidate]) -> str:
        if not parents:
            return candidate.passage if candidate.passage is not None else candidate.id
        first, *others = map(self._lineage_of, parents)
        mark = MARKS.get(candidate.operator, candidate.operator)
        lineage = f"({'+'.join((first, *others))})-0" if others else f"{first}-{mark}0"
        if len(lineage) <= LONGEST:
            return lineage
        digest = f"…{identity(lineage)}"
        return lineage[: LONGEST - len(digest)] + digest

    def _lineage_of(self, parent: Candidate) -> str:
        # By identity: where equal texts are kept, equal candidates may have come by different ways.
        same = (member.lineage for member in self._members if member.candidate is parent)
        alike = (member.lineage for member in self._members if member.candidate.id == parent.id)
        return next(same, None) or next(alike, parent.id)
