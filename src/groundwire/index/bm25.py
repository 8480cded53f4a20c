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
import threading
from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from groundwire.errors import InputError, UnknownName
from groundwire.index import ranked
from groundwire.index.build import Analyzer
from groundwire.index.evaluate import Clause, Evaluation, Scratch
from groundwire.index.postings import EMPTY, STEPS
from groundwire.index.segment import Segment
from groundwire.types import Hit

Values = NDArray[Any]

K1, B = 0.9, 0.4
LENGTHS = ("accurate", "lucene")
_EXACT = 24
"""Lengths under this are exact in one byte; what is over it is encoded by four bits and a shift."""
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
        self._own = threading.local()

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
        return state.rank(Counter(self._analyzer.terms(query)), k, self._scratch(snapshot))

    def _scratch(self, snapshot: Snapshot) -> list[Scratch]:
        if getattr(self._own, "snapshot", None) is not snapshot:
            self._own.snapshot = snapshot
            self._own.scratch = [Scratch(segment.entry.passages) for segment in snapshot.segments]
        scratch: list[Scratch] = self._own.scratch
        return scratch


class _State:
    """What k1, b and a state of the index settle: N, avgdl, and the denominators of every segment's pairs."""

    def __init__(self, snapshot: Snapshot, k1: np.float32, b: np.float32, lengths: str) -> None:
        self.snapshot = snapshot
        self._k1, self._b, self._rounded = k1, b, lengths == LENGTHS[1]
        self._filled = sum(segment.filled for segment in snapshot.segments)
        self._average = np.float32(sum(segment.tokens for segment in snapshot.segments) / max(self._filled, 1))
        self._denominators = [self._of_pairs(segment) for segment in snapshot.segments] if self._filled else []
        self._most = [self._shares(segment) for segment in snapshot.segments] if self._filled else []

    def _of_pairs(self, segment: Segment) -> Values:
        pairs = segment.postings.pairs()
        return self._denominator(pairs.frequency, pairs.length)

    def _denominator(self, frequency: Values, length: Values) -> Values:
        shown = (rounded(length) if self._rounded else length).astype(np.float32)
        one = np.float32(1)
        inverse = one / (self._k1 * ((one - self._b) + self._b * shown / self._average))
        return one + frequency.astype(np.float32) * inverse

    def rank(self, terms: Counter[str], k: int, scratch: Sequence[Scratch]) -> list[ranked.Place]:
        """Return the best k passages for these terms and how often each was asked for."""
        segments = self.snapshot.segments
        if not terms or not self._filled:
            return []
        names = list(terms)
        places = [np.array([segment.postings.find(term) for term in names], np.int64) for segment in segments]
        weights = self._weights(names, terms, places)
        order = sorted(range(len(names)), key=lambda i: (-weights[i], names[i]))
        found: list[tuple[Segment, Values, Values]] = []
        floor, best = 0.0, np.zeros(0, np.float64)
        for i, segment in enumerate(segments):
            evaluation = Evaluation(segment.postings, self._denominators[i], segment.alive, scratch[i])
            numbers, sums = evaluation.top(self._clauses(i, places[i], weights, order), k, floor)
            scores = sums.astype(np.float32)
            found.append((segment, numbers[scores > 0], scores[scores > 0]))
            best = np.concatenate([best, sums])
            if len(best) >= k:
                best = np.partition(best, -k)[-k:]
                floor = max(float(best.min()), 0.0)
        return ranked.best(found, k)

    def _weights(self, names: Sequence[str], asked: Counter[str], places: Sequence[Values]) -> Values:
        """Return the weight of each term (float32), 0 for one that no live passage holds."""
        holding = np.zeros(len(names), np.int64)
        for segment, place in zip(self.snapshot.segments, places, strict=True):
            here = place >= 0
            holding[here] += segment.frequencies(place[here].astype(np.uint32))
        idf = [math.log(1 + (self._filled - n + 0.5) / (n + 0.5)) if n else 0.0 for n in holding.tolist()]
        return np.array([asked[name] for name in names], np.float32) * np.array(idf, np.float32)

    def _shares(self, segment: Segment) -> Values:
        """Return the most that a score can be of the term's weight, for each long list of a segment."""
        _, peaks, least = segment.postings.bounds()
        most = np.minimum(np.array([*STEPS[1:], 1 << 31]) - 1, peaks[:, None])
        largest = np.where(least < EMPTY, self._denominator(most, least), 1).max(axis=1, initial=1)
        shares: Values = (1 - 1 / largest.astype(np.float64)) * _SURE
        return shares

    def _clauses(self, i: int, places: Values, weights: Values, order: Sequence[int]) -> list[Clause]:
        """Return the clauses of a segment, in the order of the weights, with their bounds."""
        postings = self.snapshot.segments[i].postings
        here = [n for n in order if places[n] >= 0 and weights[n] > 0]
        terms, bounds = places[here].astype(np.uint32), weights[here].astype(np.float64)
        longs, _, _ = postings.bounds()
        if len(longs):
            rows = np.minimum(np.searchsorted(longs, terms), len(longs) - 1)
            bounds *= np.where(longs[rows] == terms, self._most[i][rows], 1)
        return [
            Clause(*postings.span(term), weights[n], bound)
            for term, n, bound in zip(terms.tolist(), here, bounds.tolist(), strict=True)
        ]


def rounded(length: Values) -> Values:
    """Return lengths as they come back from Lucene's one byte."""
    over = np.maximum(length.astype(np.int64) - _EXACT, 0)
    bits = np.frexp(over.astype(np.float64))[1]
    shift = np.maximum(bits - 4, 0)
    return np.where(length < _EXACT, length, _EXACT + ((over >> shift) << shift))
