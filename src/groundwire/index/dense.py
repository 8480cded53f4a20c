"""Dense retrieval: all vectors are compared with the query's, block by block, and the best k are exact.

A first pass of float32 (or int8) products leaves the rows that can be among the best, given how far such a product can be
off; these are scored anew in double (`vectors`). So a score does not depend on what else is asked, on how many threads
there are, or on the order of the rows, and equal vectors tie. Time grows with the number of passages: 1 M of 384 numbers
are 1.5 GB to read for each call, 0.4 GB as int8.

Where a file has a graph (`graph`), the graph proposes the rows in place of the first pass; scores are the same, but a row
that it misses is not found.

Left out: the models.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from groundwire.index import encoders, ranked
from groundwire.index.encoded import Encoded, Source
from groundwire.index.encoders import DenseEncoder
from groundwire.index.manifest import Encoding
from groundwire.index.parts import live_rows
from groundwire.index.segment import Segment
from groundwire.index.state import State
from groundwire.index.vectors import DensePart

Values = NDArray[Any]


class Dense(Encoded["_State"]):
    """Ranks by the inner product of vectors, or by their cosine; `exact` looks at every vector, also where there are graphs."""

    def __init__(
        self, source: Source, encoding: Encoding, encoder: DenseEncoder, name: str, *, exact: bool = False
    ) -> None:
        self._encoder, self._exact = encoder, exact
        super().__init__(source, encoding, name)

    def _make(self, snapshot: State) -> _State:
        return _State(snapshot, self._encoding.id, graphs=not self._exact)

    def _best(self, state: _State, queries: Sequence[str], k: int) -> list[list[ranked.Place]]:
        made = self._encoder.encode(queries, query=True)
        return state.rank(encoders.directions(made, cosine=self._encoding.cosine), k)


class _Unit(NamedTuple):
    """A file of vectors, whose first row has the number `base` among all."""

    segment: Segment
    part: DensePart
    alive: Values | None
    base: int

    def proposed(self, vectors: Values, k: int, lists: Sequence[_Shortlist]) -> bool:
        """Put the rows that the graph proposes on the lists; False where it has too few that are not deleted."""
        if self.part.graph is None:
            return False
        found = self.part.graph.near(vectors, k)
        if self.alive is not None:
            found = [rows[self.alive[rows]] for rows in found]
        if any(len(rows) < min(k, len(self.part)) for rows in found):
            return False
        for shortlist, rows, query in zip(lists, found, vectors.astype(np.float64), strict=True):
            if len(rows):
                shortlist.put(rows + self.base, self.part.exact(rows, query))
        return True


class _State:
    """What a state of the index has of one encoding."""

    def __init__(self, snapshot: State, encoding: int, *, graphs: bool) -> None:
        self.snapshot, self._graphs = snapshot, graphs
        self._units: list[_Unit] = []
        base = 0
        for segment in snapshot.segments:
            for part in segment.parts.get(encoding, ()):
                if isinstance(part, DensePart):
                    self._units.append(_Unit(segment, part, live_rows(segment, part), base))
                    base += len(part)

    def rank(self, vectors: Values, k: int) -> list[list[ranked.Place]]:
        """Return the best k passages for each vector (float32 [n, d])."""
        wide = vectors.astype(np.float64)
        lengths = np.linalg.norm(wide, axis=1).tolist()
        margins = [max((unit.part.margin(length) for unit in self._units), default=0.0) for length in lengths]
        lists = [_Shortlist(k, margin) for margin in margins]
        for unit in self._units:
            if not (self._graphs and unit.proposed(vectors, k, lists)):
                for first, scores in unit.part.blocks(vectors):
                    for shortlist, own in zip(lists, scores, strict=True):
                        shortlist.take(own, unit.base + first, None if unit.alive is None else unit.alive[first:])
        return [self._best(shortlist, vector, k) for shortlist, vector in zip(lists, wide, strict=True)]

    def _best(self, shortlist: _Shortlist, query: Values, k: int) -> list[ranked.Place]:
        rows = np.sort(shortlist.rows)
        found = []
        for unit in self._units:
            low, high = np.searchsorted(rows, (unit.base, unit.base + len(unit.part)))
            own = rows[low:high] - unit.base
            if len(own):
                found.append((unit.segment, unit.part.passages[own], unit.part.exact(own, query)))
        return ranked.best(found, k)


class _Shortlist:
    """The rows that can be among the best k of one query, when scores can be off by `margin`."""

    def __init__(self, k: int, margin: float) -> None:
        self.rows = np.zeros(0, np.int64)
        self._scores = np.zeros(0, np.float64)
        self._k, self._margin, self._floor = k, margin, -np.inf

    def take(self, scores: Values, first: int, alive: Values | None) -> None:
        """Look at the scores of the rows from `first` on, of which some may be deleted."""
        kept = np.flatnonzero(scores >= self._floor)
        if alive is not None:
            kept = kept[alive[kept]]
        if len(kept):
            self.put(kept + first, scores[kept])

    def put(self, rows: Values, scores: Values) -> None:
        """Add rows, and let those go that cannot be among the best any more."""
        self.rows = np.concatenate([self.rows, rows])
        self._scores = np.concatenate([self._scores, scores])
        if len(self.rows) > self._k:
            # A row that scores a margin less than the k-th best one, which may itself score a margin too much, cannot be in.
            self._floor = float(np.partition(self._scores, -self._k)[-self._k]) - 2 * self._margin
            keep = self._scores >= self._floor
            self.rows, self._scores = self.rows[keep], self._scores[keep]
