"""A file of dense vectors: what an encoder made of some passages of a segment, row by row.

Kept as float32, or as int8 with one float32 a row (the row's largest number is 127 times it), or both. A row in int8 is off
by `error` at most, as the length of what it lacks; so no score is off by more than that times the length of the query.

Scores come in two steps. `blocks` gives them as float32 matrix products, whose last digits depend on how the product is
cut; `margin` says by how much they can be wrong. `exact` gives those of a few rows in double, always the same. Who lets
every row within the margin into the second step ranks exactly by what is kept, whatever the first step was made of.

Left out: which rows are deleted, and the choice of the best (`dense`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groundwire import durable
from groundwire.index.format import ArrayFile, ArrayWriter
from groundwire.index.graph import Graph
from groundwire.index.manifest import FileEntry

Values = NDArray[Any]

_ROWS = 8192
"""Rows whose scores are found at once."""
_EXACT_ROWS = 2048
"""Rows that are multiplied in double at once."""
_LEVELS = 127
_ROUNDING = 2.0**-23
"""Twice what float32 loses in one operation, relative to the result."""
_TYPES = {"vectors": "<f4", "codes": "|i1", "scales": "<f4"}


def arrays(vectors: Values, storage: str) -> tuple[dict[str, Values], dict[str, float]]:
    """Return what is kept of vectors (float32 [n, d]), and the facts: no row is longer than `norm` or off by over `error`."""
    wide = vectors.astype(np.float64)
    kept: dict[str, Values] = {}
    facts = {"norm": float(np.linalg.norm(wide, axis=1).max(initial=0)), "error": 0.0}
    if "int8" in storage:
        scales = (np.abs(vectors).max(axis=1, initial=0) / np.float32(_LEVELS)).astype(np.float32)
        divided = np.divide(wide, scales[:, None], out=np.zeros_like(wide), where=scales[:, None] > 0)
        kept["codes"] = np.clip(np.rint(divided), -_LEVELS, _LEVELS).astype(np.int8)
        kept["scales"] = scales
        decoded = kept["codes"] * scales[:, None].astype(np.float64)
        facts["error"] = float(np.linalg.norm(wide - decoded, axis=1).max(initial=0))
    if "float32" in storage:
        kept["vectors"] = vectors
    return kept, facts


def write(
    path: Path, passages: Values, size: int, columns: Mapping[str, Iterable[Values]], facts: Mapping[str, float]
) -> FileEntry:
    """Write a file to `path`, durably: the passages (u4, in any order) that have a row, and each array in pieces."""
    with durable.replacing(path) as file:
        writer = ArrayWriter(file, {"size": size, **facts})
        writer.array("passages", passages, "<u4")
        for name, pieces in columns.items():
            writer.begin(name, _TYPES[name])
            for piece in pieces:
                writer.append(piece)
        return writer.finish()


class DensePart:
    """A file of vectors, open. Safe to share between threads. `storage` is one of `manifest.STORAGES`.

    `graph` is the graph over its rows, where there is one.
    """

    def __init__(self, path: Path, entry: FileEntry, storage: str, graph: Graph | None = None) -> None:
        self.file, self.graph = ArrayFile(path, entry), graph
        self.size: int = self.file.facts["size"]
        self.facts: dict[str, float] = {name: self.file.facts[name] for name in ("norm", "error")}
        self.names = [
            *(["codes", "scales"] if "int8" in storage else []),
            *(["vectors"] if "float32" in storage else []),
        ]
        self._passages = self.file.column("passages")
        self._columns = {name: self.file.column(name) for name in self.names}

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self._passages)

    @property
    def files(self) -> list[ArrayFile]:
        """Its files."""
        return [self.file, *([self.graph.file] if self.graph else [])]

    @property
    def passages(self) -> Values:
        """The passage of each row (u4)."""
        return self._passages.whole()

    def rows(self, name: str, start: int, stop: int) -> Values:
        """Return some rows of an array: [n, size], of the scales [n]."""
        if name == "scales":
            return self._columns[name].part(start, stop)
        return self._columns[name].part(start * self.size, stop * self.size).reshape(-1, self.size)

    def vectors(self, start: int, stop: int) -> Values:
        """Return some rows as what is scored: float32 [n, size]."""
        if "vectors" in self._columns:
            return self.rows("vectors", start, stop)
        return self.rows("codes", start, stop).astype(np.float32) * self.rows("scales", start, stop)[:, None]

    def blocks(self, queries: Values) -> Iterator[tuple[int, Values]]:
        """Give the scores of all rows for queries (float32 [q, size]), a block of rows at a time: (first row, [q, rows])."""
        for start in range(0, len(self), _ROWS):
            stop = min(start + _ROWS, len(self))
            if "codes" in self._columns:
                scores = queries @ self.rows("codes", start, stop).astype(np.float32).T
                scores *= self.rows("scales", start, stop)
            else:
                scores = queries @ self.rows("vectors", start, stop).T
            yield start, scores

    def margin(self, length: float) -> float:
        """Return how far a score of `blocks` can be from that of `exact`, as float32, for a query of this length."""
        kept = self.facts["error"] if len(self.names) == len(_TYPES) else 0.0
        norm = self.facts["norm"] + self.facts["error"]
        return length * (kept + norm * (self.size + 8) * _ROUNDING) + float(np.finfo(np.float32).tiny)

    def exact(self, rows: Values, query: Values) -> Values:
        """Return the scores of some rows for one query (float64 [size]): float32, summed in double."""
        pieces = (rows[start : start + _EXACT_ROWS] for start in range(0, len(rows), _EXACT_ROWS))
        scores = [(self._decoded(piece) * query).sum(axis=1).astype(np.float32) for piece in pieces]
        return np.concatenate([np.zeros(0, np.float32), *scores])

    def _decoded(self, rows: Values) -> Values:
        name = "vectors" if "vectors" in self._columns else "codes"
        taken = self._some(name, rows).astype(np.float64)
        if name == "codes":
            taken *= self._some("scales", rows)[:, None]
        return taken

    def _some(self, name: str, rows: Values) -> Values:
        """Return rows that lie anywhere. Of what the first step does not read, only these rows' blocks are checked."""
        if self.graph is not None or (name == "vectors" and "codes" in self._columns):
            return np.concatenate([self.rows(name, row, row + 1) for row in rows.tolist()])
        return self.rows(name, 0, len(self))[rows]
