"""BM25 exactly as Lucene scores it, with k1 and b chosen when a query is asked.

score = Σ_t w_t − w_t / (1 + tf / (k1·(1 − b + b·L/avgdl))), w_t = times the term stands in the query · idf_t,
idf_t = ln(1 + (N − n + .5) / (n + .5)), in float32 as Lucene's BM25Similarity; the sum in double, then float32. There is no
factor k1 + 1. N counts live passages with at least one term, n those that hold the term, avgdl = live tokens / N, all over
all segments; a deleted passage is in none of them. L is the exact length, or with `lengths="lucene"` what is left of it in
Lucene's one byte (SmallFloat.intToByte4): exact to 40, then rounded down to four significant bits above 24.

Of equal scores the smaller passage id comes first. Left out: the search for the best (`evaluate`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from groundwire.errors import InputError, UnknownName
from groundwire.index import ranked
from groundwire.index.build import Analyzer
from groundwire.index.engine import Engine
from groundwire.index.evaluate import Clause
from groundwire.index.postings import EMPTY, STEPS
from groundwire.index.segment import Segment
from groundwire.types import Hit

Values = NDArray[Any]

K1, B = 0.9, 0.4
LENGTHS = ("accurate", "lucene")
_EXACT = 24
"""Lengths under this are exact in one byte; what is over it is encoded by four bits and a shift."""
_REMEMBERED = 1 << 16
"""Terms that are remembered, with where their lists stand."""
_SURE = 1 + 1e-6
"""What a bound is raised by, for the rounding of float32."""


class Snapshot(Protocol):
    """One state of an index: its open segments, largest first."""

    @property
    def segments(self) -> Sequence[Segment]:
        """The segments."""
        ...


class Source(Protocol):
    """What hands out the current state of an index."""

    def snapshot(self) -> Snapshot:
        """Return the current state; the same object as long as nothing changed."""
        ...


class Bm25:
    """Ranks by BM25. Fills Retriever; safe to share between threads; sees what is added later.

    Raises InputError for a k1 that is not positive or not finite, or a b outside [0, 1]; UnknownName for other `lengths`.
    """

    def __init__(self, source: Source, analyzer: Analyzer, *, k1: float, b: float, lengths: str) -> None:
        if not (math.isfinite(k1) and k1 > 0 and 0 <= b <= 1):
            raise InputError(f"BM25 has no k1={k1} with b={b}", "k1 is over 0, b between 0 and 1")
        if lengths not in LENGTHS:
            raise UnknownName("way to keep lengths", lengths, LENGTHS)
        settings = [] if (k1, b) == (K1, B) else [f"k1={k1:g}", f"b={b:g}"]
        settings += [] if lengths == LENGTHS[0] else [f"lengths={lengths}"]
        self.name = f"bm25({','.join(settings)})" if settings else "bm25"
        self._source = source
        self._analyzer = analyzer
        self._k1, self._b, self._lengths = k1, b, lengths
        self._state: _State | None = None

    def __repr__(self) -> str:
        return self.name

    def retrieve(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        """Return at most `k` hits for each query, best first. A query without a term that is known has none."""
        return ranked.hits([self._rank(query, k) for query in queries], self.name)

    def rank(self, queries: Sequence[str], k: int) -> list[list[tuple[str, float]]]:
        """Return (passage id, score) instead of hits: what a run file needs, without fetching texts."""
        return ranked.ids([self._rank(query, k) for query in queries])

    def _rank(self, query: str, k: int) -> list[ranked.Place]:
        if k < 1:
            raise InputError(f"{k} hits were asked for", "ask for at least 1")
        snapshot, state = self._source.snapshot(), self._state
        if state is None or state.snapshot is not snapshot:
            state = self._state = _State(snapshot, np.float32(self._k1), np.float32(self._b), self._lengths)
        return state.rank(Counter(self._analyzer.terms(query)), k)


class _List(NamedTuple):
    """Where a term's list stands in a segment, and the most that a score in it can be of the term's weight."""

    start: int
    stop: int
    share: float


class _Term(NamedTuple):
    """What is known of a term: its idf (float32, 0 where no live passage holds it), and its list in each segment, if any."""

    idf: np.float32
    lists: tuple[_List | None, ...]


class _State:
    """What k1, b and a state of the index settle: N, avgdl, the denominators of every segment's pairs, and terms asked for."""

    def __init__(self, snapshot: Snapshot, k1: np.float32, b: np.float32, lengths: str) -> None:
        self.snapshot = snapshot
        self._k1, self._b, self._rounded = k1, b, lengths == LENGTHS[1]
        self._filled = sum(segment.filled for segment in snapshot.segments)
        self._average = np.float32(sum(segment.tokens for segment in snapshot.segments) / max(self._filled, 1))
        segments = snapshot.segments if self._filled else ()
        self._engines = [Engine(s.postings, self._of_pairs(s), s.alive) for s in segments]
        self._most = [self._shares(segment) for segment in segments]
        self._known: dict[str, _Term] = {}

    def _of_pairs(self, segment: Segment) -> Values:
        pairs = segment.postings.pairs()
        return self._denominator(pairs.frequency, pairs.length)

    def _denominator(self, frequency: Values, length: Values) -> Values:
        shown = (rounded(length) if self._rounded else length).astype(np.float32)
        one = np.float32(1)
        inverse = one / (self._k1 * ((one - self._b) + self._b * shown / self._average))
        return one + frequency.astype(np.float32) * inverse

    def rank(self, terms: Counter[str], k: int) -> list[ranked.Place]:
        """Return the best k passages for these terms and how often each was asked for."""
        if not terms or not self._filled:
            return []
        known = self._terms(terms)
        order = []
        for name, times in terms.items():
            term = known[name]
            weight = term.idf if times == 1 else np.float32(times) * term.idf
            if weight > 0:
                order.append((-float(weight), name, weight, term.lists))
        order.sort(key=itemgetter(0, 1))
        found: list[tuple[Segment, Values, Values]] = []
        floor, best = 0.0, np.zeros(0, np.float64)
        segments = self.snapshot.segments
        for i, segment in enumerate(segments):
            clauses = [Clause(at[0], at[1], w, -less * at[2]) for less, _, w, lists in order if (at := lists[i])]
            numbers, sums = self._engines[i].top(clauses, k, floor)
            scores = sums.astype(np.float32)
            if len(scores) and not scores.min() > 0:
                numbers, scores = numbers[scores > 0], scores[scores > 0]
            found.append((segment, numbers, scores))
            if i + 1 == len(segments):
                break
            best = np.concatenate([best, sums])
            if len(best) >= k:
                best = np.partition(best, -k)[-k:]
                floor = max(float(best.min()), 0.0)
        return ranked.best(found, k)

    def _terms(self, asked: Iterable[str]) -> dict[str, _Term]:
        """Return what is known of these terms, and remember it."""
        remembered = self._known
        found = {name: remembered.get(name) for name in asked}
        new = [name for name, term in found.items() if term is None]
        if new:
            learned = dict(zip(new, self._learned(new), strict=True))
            if len(remembered) + len(learned) > _REMEMBERED:
                self._known = {}
            self._known.update(learned)
            found.update(learned)
        return cast("dict[str, _Term]", found)

    def _learned(self, names: Sequence[str]) -> Iterator[_Term]:
        """Look terms up: their statistics over all segments, and their lists in each."""
        segments = self.snapshot.segments
        places = [np.array([segment.postings.find(name) for name in names], np.int64) for segment in segments]
        holding = np.zeros(len(names), np.int64)
        for segment, place in zip(segments, places, strict=True):
            here = place >= 0
            holding[here] += segment.frequencies(place[here].astype(np.uint32))
        lists = zip(*(self._lists(i, place) for i, place in enumerate(places)), strict=True)
        for n, own in zip(holding.tolist(), lists, strict=True):
            idf = math.log(1 + (self._filled - n + 0.5) / (n + 0.5)) if n else 0.0
            yield _Term(np.float32(idf), own)

    def _lists(self, i: int, places: Values) -> list[_List | None]:
        """Return the lists of terms in a segment, given their places in it, -1 for none."""
        postings = self.snapshot.segments[i].postings
        longs, _, _ = postings.bounds()
        shares = np.ones(len(places))
        if len(longs):
            rows = np.minimum(np.searchsorted(longs, np.maximum(places, 0).astype(np.uint32)), len(longs) - 1)
            shares = np.where(longs[rows] == places, self._most[i][rows], 1)
        found = zip(places.tolist(), shares.tolist(), strict=True)
        return [_List(*postings.span(place), share) if place >= 0 else None for place, share in found]

    def _shares(self, segment: Segment) -> Values:
        """Return the most that a score can be of the term's weight, for each long list of a segment."""
        _, peaks, least = segment.postings.bounds()
        most = np.minimum(np.array([*STEPS[1:], 1 << 31]) - 1, peaks[:, None])
        largest = np.where(least < EMPTY, self._denominator(most, least), 1).max(axis=1, initial=1)
        shares: Values = (1 - 1 / largest.astype(np.float64)) * _SURE
        return shares


def rounded(length: Values) -> Values:
    """Return lengths as they come back from Lucene's one byte."""
    over = np.maximum(length.astype(np.int64) - _EXACT, 0)
    bits = np.frexp(over.astype(np.float64))[1]
    shift = np.maximum(bits - 4, 0)
    return np.where(length < _EXACT, length, _EXACT + ((over >> shift) << shift))
