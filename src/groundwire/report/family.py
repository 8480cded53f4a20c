"""What is drawn of a lineage: who is numbered how, who the answer descends from, and which candidates get a place.

Candidates are numbered by their place in the lineage, 1 the best. Left out: the drawing (`tree.py`, `candidates.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite

from groundwire.types import Answer, Candidate

MOST_DRAWN = 48
"""Candidates of one generation that get a place. Who descends from whom comes first, then the fittest; the rest is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """The candidates of one generation that are drawn, by number, best first, and how many are not."""

    generation: int
    members: tuple[int, ...]
    hidden: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A lineage by number. `parents` of a candidate are those that the lineage holds, in their order.

    `best` is the number of the answer, None where there is none; `line` are its ancestors and itself. `grounding` is the
    fitness term that says how grounded a candidate is ("support", else a ROUGE), None where there is no such term. `drawn`
    are the numbers of all candidates that have a place.
    """

    members: tuple[Candidate, ...]
    parents: Mapping[int, tuple[int, ...]]
    columns: tuple[Column, ...]
    best: int | None
    line: frozenset[int]
    grounding: str | None
    drawn: tuple[int, ...]

    def of(self, number: int) -> Candidate:
        """Return the candidate with this number, from 1."""
        return self.members[number - 1]

    def groundedness(self, number: int) -> float | None:
        """Return how grounded a candidate is, in [0, 1]; None where it was not measured."""
        value = None if self.grounding is None else measured(self.of(number), self.grounding)
        return None if value is None else min(max(value, 0.0), 1.0)


def family_of(answer: Answer) -> Family:
    """Return the family of an answer's lineage."""
    members = answer.lineage
    parents = _parents(members)
    best = _best(answer)
    line = _line(best, parents)
    columns = _columns(answer, parents, line)
    return Family(
        members=members,
        parents=parents,
        columns=columns,
        best=best,
        line=line,
        grounding=_grounding(members),
        drawn=tuple(sorted(number for column in columns for number in column.members)),
    )


def measured(candidate: Candidate, term: str) -> float | None:
    """Return a term of a candidate's fitness, None where it has none or one that is no finite number."""
    value = candidate.fitness.get(term)
    return value if value is not None and isfinite(value) else None


def terms_of(members: tuple[Candidate, ...]) -> list[str]:
    """Return the names of all fitness terms, "total" first."""
    named = dict.fromkeys(term for candidate in members for term in candidate.fitness)
    return sorted(named, key=lambda term: term != "total")


def _parents(members: tuple[Candidate, ...]) -> dict[int, tuple[int, ...]]:
    """Return each one's parents by number. Of several of one id, as copies are, the best older one; else the best."""
    named: dict[str, list[int]] = defaultdict(list)
    for n, candidate in enumerate(members, 1):
        named[candidate.id].append(n)

    def parent(child: int, name: str) -> int:
        known, age = named.get(name, [child]), members[child - 1].generation
        return next((n for n in known if members[n - 1].generation < age), known[0])

    found = {n: [parent(n, name) for name in candidate.parents] for n, candidate in enumerate(members, 1)}
    return {n: tuple(p for p in known if p != n) for n, known in found.items()}


def _best(answer: Answer) -> int | None:
    """Return the number of the candidate that became the answer: the first that says it, else the fittest."""
    if not answer.lineage or not answer.text:
        return None
    return next((n for n, c in enumerate(answer.lineage, 1) if c.text == answer.text), 1)


def _line(best: int | None, parents: Mapping[int, tuple[int, ...]]) -> frozenset[int]:
    found: set[int] = set()
    waiting = [] if best is None else [best]
    while waiting:
        number = waiting.pop()
        if number not in found:
            found.add(number)
            waiting += parents[number]
    return frozenset(found)


def _grounding(members: tuple[Candidate, ...]) -> str | None:
    terms = terms_of(members)
    named = [term for term in terms if term == "support"] or [term for term in terms if term.startswith("rouge")]
    return named[0] if named else None


def _columns(answer: Answer, parents: Mapping[int, tuple[int, ...]], line: frozenset[int]) -> tuple[Column, ...]:
    """Return a column for every generation, also for one that gave nothing new."""
    by_generation: dict[int, list[int]] = defaultdict(list)
    for n, candidate in enumerate(answer.lineage, 1):
        by_generation[candidate.generation].append(n)
    fertile = {parent for found in parents.values() for parent in found}
    turns = {turn.number for turn in answer.generations} if answer.lineage else set()
    columns = []
    for generation in sorted(turns | set(by_generation)):
        wanted = sorted(by_generation[generation], key=lambda n: (n not in line, n not in fertile, n))
        kept = tuple(sorted(wanted[:MOST_DRAWN]))
        columns.append(Column(generation=generation, members=kept, hidden=len(wanted) - len(kept)))
    return tuple(columns)
