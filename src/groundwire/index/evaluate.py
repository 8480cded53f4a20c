"""The best k passages of a segment for a weighted query, exactly, without scoring most of the postings.

MaxScore (Turtle and Flood 1995) in whole arrays. Terms are taken from the heaviest down. The rare ones come first and are
added up for all their passages. Before a long list is read, the most promising passages so far are scored in full, which
gives a floor that the k-th best score cannot be under. As soon as all terms that are left cannot lift a new passage over
the floor, no list is read to its end any more: only the candidates that can still reach it are looked up in the lists that
are left, and their number falls with every list.

Every passage's sum is made in the same order of terms (in double), whatever was left out, so the scores are those of an
exhaustive evaluation to the last bit. Bounds carry a slack for what rounding can do to them.

Left out: where weights and scores come from (`bm25`, `sparse`): any sum over terms will do, of a function of the term's
weight and of a number that the posting's pair has.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from groundwire.index.postings import Postings

Values = NDArray[Any]

SLACK = 1 - 1e-6
"""What a floor is lowered by: more than floats can lose, and more than two scores that are equal as float32 differ."""
_CHUNK = 1 << 15
"""Postings that are added at a time, so that what is worked on stays in the cache."""
_LOOK = 2048
"""After so many postings the first floor is found."""
_AGAIN = 16
"""And anew when there are so many times more."""
_SHARES = (0.7, 0.5, 0.3, 0.0)
"""The most promising are looked for among those that have so much of the best sum; that is cheaper than to sort them all."""
_FEW = 4096
"""So many candidates, and no more, are worth being asked for their k-th best after every list."""
_PROBE = 16
"""Looking one candidate up costs as much as reading so many postings."""


class Clause(NamedTuple):
    """A term of the query in a segment: where its list stands, its weight (float32), and what no score of it is over."""

    start: int
    stop: int
    weight: np.float32
    bound: float

    @property
    def size(self) -> int:
        """How many postings it has."""
        return self.stop - self.start


class Scratch:
    """What an evaluation works on: a sum for each passage, zero between evaluations. One for each thread and segment."""

    def __init__(self, passages: int) -> None:
        self.sums = np.zeros(passages, np.float64)
        self.at = np.empty(_CHUNK, np.intp)
        self.scores = np.empty(_CHUNK, np.float32)
        self.read = np.empty(_CHUNK, np.float64)


def saturated(weight: np.float32, denominators: Values) -> Values:
    """Return the scores of BM25, which stay under the weight."""
    scores: Values = weight - weight / denominators
    return scores


def product(weight: np.float32, impacts: Values) -> Values:
    """Return the scores of learned weights."""
    scores: Values = weight * impacts
    return scores


class Evaluation:
    """Evaluates queries on one segment. `of_pairs` (float32) has a number for each of the segment's pairs, of which `score`
    makes scores (float32), given the weight of a term.
    """

    def __init__(
        self,
        postings: Postings,
        of_pairs: Values,
        alive: Values | None,
        scratch: Scratch,
        score: Callable[[np.float32, Values], Values] = saturated,
    ) -> None:
        self._postings = postings
        self._of_pairs = of_pairs
        self._alive = alive
        self._scratch = scratch
        self._score = score
        self._plain = of_pairs[: postings.escape]
        self._zero = np.zeros(1, np.float32)

    def top(self, clauses: Sequence[Clause], k: int, floor: float = 0.0) -> tuple[Values, Values]:
        """Return (numbers, scores in double) of at least the best k live passages, ties included, in no order.

        Passages that score under `floor` may be left out.
        """
        self._k, self._floor = k, floor * SLACK
        read: list[Clause] = []
        try:
            found = self._top(clauses, read)
            self._clear(read)
        except BaseException:  # an interrupt too must leave no sum behind
            self._scratch.sums.fill(0)
            raise
        return found

    def _top(self, clauses: Sequence[Clause], read: list[Clause]) -> tuple[Values, Values]:
        """Do what `top` does, and note in `read` which lists have left something in the scratch."""
        rest = [*itertools.accumulate((clause.bound for clause in reversed(clauses)), initial=0.0)][::-1]
        found = _distinct(self._read(clauses, rest, read))
        sums = self._scratch.sums[found]
        left = len(read)
        found, sums = self._kept(found, sums, rest[left])
        for clause, after in zip(clauses[left:], rest[left + 1 :], strict=True):
            if not len(found):
                break
            self._probe(clause, found, sums)
            found, sums = self._kept(found, sums, after)
        return found, sums

    def _read(self, clauses: Sequence[Clause], rest: Sequence[float], read: list[Clause]) -> Values:
        """Add lists up until it is cheaper to look the candidates up; return the candidates, some of them several times.

        A passage that is only in lists read after their bounds together fell under the floor is no candidate any more.
        """
        kept = np.zeros(0, np.uint32)
        seen, look = 0, _LOOK
        for place, clause in enumerate(clauses):
            if seen >= look and clause.size >= _LOOK:
                self._raise(kept, clauses[place:])
                kept, look = self._pruned(kept, rest[place]), seen * _AGAIN
            if rest[place] < self._floor:
                kept = self._pruned(kept, rest[place])
                if clause.size > _PROBE * len(kept):
                    break
                self._add(clause, None)
            else:
                kept = np.concatenate([kept, *self._add(clause, rest[place + 1])])
                seen += clause.size
            read.append(clause)
        return self._pruned(kept, rest[len(read)])

    def _pruned(self, numbers: Values, rest: float) -> Values:
        """Return those of the passages (some may be twice there) that can still reach the floor and are not deleted."""
        if self._floor > rest:
            numbers = numbers[self._scratch.sums.take(numbers, mode="clip") >= self._floor - rest]
        if self._alive is not None:
            numbers = numbers[self._alive[numbers]]
        return numbers

    def _raise(self, candidates: Values, clauses: Sequence[Clause]) -> None:
        """Raise the floor to the k-th best full score among the most promising of the candidates."""
        many = 2 * self._k + 16
        if self._alive is not None:
            candidates = candidates[self._alive[candidates]]
        if not len(candidates):
            return
        partial = self._scratch.sums.take(candidates, mode="clip")
        most = float(partial.max())
        for share in _SHARES:
            promising = np.flatnonzero(partial >= share * most)
            if len(promising) >= 2 * many:
                break
        if len(promising) > 4 * many:
            promising = promising[np.argpartition(partial[promising], -4 * many)[-4 * many :]]
        distinct = _distinct(candidates[promising])
        sums = self._scratch.sums[distinct]
        if len(distinct) > many:
            best = np.argpartition(sums, -many)[-many:]
            best.sort()
            distinct, sums = distinct[best], sums[best]
        if len(distinct) < self._k:
            return
        for clause in clauses:
            self._probe(clause, distinct, sums)
        self._floor = max(self._floor, float(np.partition(sums, -self._k)[-self._k]) * SLACK)

    def _kept(self, found: Values, sums: Values, rest: float) -> tuple[Values, Values]:
        """Drop the candidates that cannot reach the floor, which their own sums may raise."""
        if self._k < len(found) <= _FEW:
            self._floor = max(self._floor, float(np.partition(sums, -self._k)[-self._k]) * SLACK)
        keep = sums >= self._floor - rest
        return (found, sums) if keep.all() else (found[keep], sums[keep])

    def _add(self, clause: Clause, rest: float | None) -> list[Values]:
        """Add a list to the sums of all its passages; return those that can still reach the floor, none without `rest`."""
        scratch, numbers = self._scratch, self._postings.numbers.part(clause.start, clause.stop)
        codes, rare, pairs = self._postings.codes(clause.start, clause.stop)
        table, kept = self._table(clause), []
        for start in range(0, clause.size, _CHUNK):
            here = numbers[start : start + _CHUNK]
            size = len(here)
            at, read, scores = scratch.at[:size], scratch.read[:size], scratch.scores[:size]
            at[:] = here
            table.take(codes[start : start + size], out=scores, mode="clip")
            if len(rare):
                low, high = np.searchsorted(rare, (start, start + size))
                scores[rare[low:high] - start] = self._score(clause.weight, self._of_pairs[pairs[low:high]])
            scratch.sums.take(at, out=read, mode="clip")
            read += scores
            scratch.sums[at] = read
            if rest is not None:
                kept.append(here if self._floor <= rest else here[np.greater_equal(read, self._floor - rest)])
        return kept

    def _table(self, clause: Clause) -> Values:
        """Return the score of every code; that of the escape is 0 here."""
        return np.concatenate([self._score(clause.weight, self._plain), self._zero])

    def _probe(self, clause: Clause, found: Values, sums: Values) -> None:
        """Look the candidates (sorted, each once) up in a list, and add what it has of them."""
        numbers = self._postings.numbers.part(clause.start, clause.stop)
        at = numbers.searchsorted(found)
        np.minimum(at, clause.size - 1, out=at)
        hits = np.flatnonzero(numbers[at] == found)
        if len(hits):
            pairs = self._postings.pairs_at(clause.start, at[hits])
            sums[hits] += self._score(clause.weight, self._of_pairs[pairs])

    def _clear(self, read: Sequence[Clause]) -> None:
        sums = self._scratch.sums
        if sum(clause.size for clause in read) > len(sums) // 4:
            sums.fill(0)
            return
        for clause in read:
            sums[self._postings.numbers.part(clause.start, clause.stop)] = 0


def _distinct(numbers: Values) -> Values:
    """Return the numbers, sorted, each once. (np.unique goes by a hash table, which is many times slower here.)"""
    if len(numbers) < 2:
        return numbers
    ordered = np.sort(numbers)
    keep = np.empty(len(ordered), bool)
    keep[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=keep[1:])
    return ordered[keep]
