"""Learned sparse retrieval: the sum over terms of query weight · passage weight, both whole numbers (impacts).

No idf and no length: what a term is worth, the encoder has said (SPLADE; Formal et al. 2021, arXiv 2109.10086). The lists
and their evaluation are those of BM25 (`postings`, `evaluate`), with each list's highest impact as its bound; whole numbers
add up exactly, so what is left out changes nothing.

Left out: the models.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from groundwire.index import ranked
from groundwire.index.encoded import Encoded, Source
from groundwire.index.encoders import SparseEncoder
from groundwire.index.engine import Engine
from groundwire.index.evaluate import Clause
from groundwire.index.impacts import SparsePart
from groundwire.index.manifest import Encoding
from groundwire.index.parts import live_rows
from groundwire.index.postings import Postings
from groundwire.index.segment import Segment
from groundwire.index.state import State

Values = NDArray[Any]


class Sparse(Encoded["_State"]):
    """Ranks by learned weights of terms. A query without a known term has no hits."""

    def __init__(self, source: Source, encoding: Encoding, encoder: SparseEncoder, name: str) -> None:
        self._encoder = encoder
        super().__init__(source, encoding, name)

    def _make(self, snapshot: State) -> _State:
        return _State(snapshot, self._encoding.id)

    def _best(self, state: _State, queries: Sequence[str], k: int) -> list[list[ranked.Place]]:
        return [state.rank(terms, k) for terms in self._encoder.impacts(queries, query=True)]


class _Unit(NamedTuple):
    """A file of weights, what evaluates queries on it, and the highest impact that it has."""

    segment: Segment
    part: SparsePart
    engine: Engine
    highest: float


class _State:
    """What a state of the index has of one encoding, the largest file first."""

    def __init__(self, snapshot: State, encoding: int) -> None:
        self.snapshot = snapshot
        units = []
        for segment in snapshot.segments:
            for part in segment.parts.get(encoding, ()):
                if isinstance(part, SparsePart):
                    impacts = part.postings.pairs().frequency.astype(np.float32)
                    engine = Engine(part.postings, impacts, live_rows(segment, part), multiplied=True)
                    units.append(_Unit(segment, part, engine, float(impacts.max(initial=0))))
        self._units = sorted(units, key=lambda unit: -len(unit.part))

    def rank(self, terms: Mapping[str, int], k: int) -> list[ranked.Place]:
        """Return the best k passages for these terms and their weights."""
        found: list[tuple[Segment, Values, Values]] = []
        floor, best = 0.0, np.zeros(0, np.float64)
        for unit in self._units:
            rows, sums = unit.engine.top(_clauses(unit, terms), k, floor)
            found.append((unit.segment, unit.part.passages[rows], sums))
            best = np.concatenate([best, sums])
            if len(best) >= k:
                best = np.partition(best, -k)[-k:]
                floor = float(best.min())
        return ranked.best(found, k)


def _clauses(unit: _Unit, terms: Mapping[str, int]) -> list[Clause]:
    """Return the clauses of a file, those that can score most first."""
    postings = unit.part.postings
    known = [(place, term) for term in terms if (place := postings.find(term)) >= 0]
    peaks = _peaks(postings, np.array([place for place, _ in known], np.uint32), unit.highest)
    clauses = [
        Clause(*postings.span(place), np.float32(terms[term]), terms[term] * peak)
        for (place, term), peak in zip(known, peaks.tolist(), strict=True)
    ]
    return sorted(clauses, key=lambda clause: (-clause.bound, clause.start))


def _peaks(postings: Postings, places: Values, highest: float) -> Values:
    """Return the highest impact in each of these lists; of short lists, the highest that any has."""
    longs, peaks, _ = postings.bounds()
    if not len(longs):
        return np.full(len(places), highest)
    rows = np.minimum(np.searchsorted(longs, places), len(longs) - 1)
    return np.where(longs[rows] == places, peaks[rows].astype(np.float64), highest)
