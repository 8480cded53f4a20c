"""A graph over a file of vectors (usearch, HNSW), by which a query looks at some of the rows and not at all of them.

Beyond about a million passages reading every vector is too much for a query. The graph only proposes rows; who asked scores
these by the vectors themselves, so a score is the one that exact search gives, and what can go wrong is that a row is not
proposed (Malkov and Yashunin 2018, arXiv 1603.09320). It is built in one thread, so that equal vectors give equal graphs,
and kept in a file of ours, so that usearch is never given a byte that was not checked.

Left out: when there is one (`embedding`), and what is done with the rows (`dense`).
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from groundwire import durable
from groundwire._optional import require
from groundwire.index.format import ArrayFile, ArrayWriter
from groundwire.index.manifest import FileEntry

Values = NDArray[Any]

BEYOND = 1_000_000
"""Rows of a file from which on a graph is made without being asked for, where usearch is installed."""
OVER = 4
"""Rows that are proposed for each that is asked for, ..."""
LEAST = 200
"""... and at least so many: they are what the search in the graph keeps in sight (HNSW's ef)."""
_EXPANSION = 128
"""What building keeps in sight."""
_ROWS = 8192
"""Rows that are put into the graph at once."""


class Rows(Protocol):
    """The vectors of a file."""

    size: int

    def __len__(self) -> int:
        """How many rows there are."""
        ...

    def vectors(self, start: int, stop: int) -> Values:
        """Return some rows as float32 [n, size]."""
        ...


def write(path: Path, rows: Rows) -> FileEntry:
    """Build the graph of all rows and write it to `path`, durably. Needs the extra usearch."""
    graph = _empty(rows.size)
    for start in range(0, len(rows), _ROWS):
        stop = min(start + _ROWS, len(rows))
        graph.add(np.arange(start, stop, dtype=np.uint64), rows.vectors(start, stop), threads=1)
    made = np.frombuffer(graph.save(), np.uint8)
    with durable.replacing(path) as file:
        writer = ArrayWriter(file, {"size": rows.size, "rows": len(rows)})
        writer.array("graph", made)
        return writer.finish()


class Graph:
    """A graph, open: read and checked when it is first asked. Safe to share between threads."""

    def __init__(self, path: Path, entry: FileEntry) -> None:
        self.file = ArrayFile(path, entry)
        self._made: Any = None

    def near(self, queries: Values, k: int) -> list[Values]:
        """Return rows whose product with each query (float32 [q, size]) is likely among the best `k`: some more than `k`."""
        count = min(self.file.facts["rows"], max(OVER * k, LEAST))
        graph = self._opened()
        return [np.sort(graph.search(query, count, threads=1).keys.astype(np.int64)) for query in queries]

    def _opened(self) -> Any:
        if self._made is None:
            graph = _empty(self.file.facts["size"])
            graph.load(self.file.column("graph").whole().tobytes())
            self._made = graph
        return self._made


def installed() -> bool:
    """Say whether usearch is here."""
    return find_spec("usearch") is not None


def _empty(size: int) -> Any:
    index = require("usearch.index", "usearch")
    return index.Index(ndim=size, metric="ip", dtype="f16", expansion_add=_EXPANSION, expansion_search=LEAST)
