"""A file of learned term weights: what a sparse encoder made of some passages of a segment, as inverted lists.

The lists are those of `postings`; a pair is (impact, 0). They number rows, and beside them stands which passage a row is.

Left out: scoring (`sparse`), and bringing files together (`combine`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groundwire.index import postings, store
from groundwire.index.build import paired
from groundwire.index.format import ArrayFile
from groundwire.index.manifest import FileEntry
from groundwire.index.postings import Lists, Postings

Values = NDArray[Any]
_SLAB = 1 << 22
"""Postings that are looked through at a time."""


def lists_of(rows: Sequence[Mapping[str, int]]) -> Lists:
    """Return the inverted lists of rows of terms with whole weights, none of them 0."""
    numbers = np.repeat(np.arange(len(rows), dtype=np.uint64), [len(row) for row in rows])
    named = [store.encoded(term) for row in rows for term in row]
    weights = np.fromiter((weight for row in rows for weight in row.values()), np.uint32, len(named))
    terms = sorted(set(named))
    places = {term: place for place, term in enumerate(terms)}
    place = np.fromiter(map(places.__getitem__, named), np.uint64, len(named))
    order = np.argsort(place << np.uint64(32) | numbers)
    held = numbers[order].astype(np.uint32)
    pairs, pair_of = paired(weights[order], np.zeros(len(order), np.uint32))

    def slabs() -> Iterator[tuple[int, int, Values, Values]]:
        yield 0, len(terms), held, pair_of

    return Lists(
        terms=terms,
        counts=np.bincount(place.astype(np.intp), minlength=len(terms)),
        pairs=pairs,
        lengths=np.zeros(len(rows), np.uint32),
        slabs=slabs,
    )


def write(path: Path, passages: Values, lists: Lists) -> FileEntry:
    """Write a file to `path`, durably: the passages (u4, in any order) that have a row, and the lists of the rows."""
    return postings.write(path, lists, {"rows": passages.astype("<u4")})


class SparsePart:
    """A file of weights, open. Safe to share between threads."""

    def __init__(self, path: Path, entry: FileEntry) -> None:
        self.postings = Postings(path, entry)
        self.file = self.postings.file
        self._passages = self.file.column("rows")

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self._passages)

    @property
    def files(self) -> list[ArrayFile]:
        """Its files."""
        return [self.file]

    @property
    def passages(self) -> Values:
        """The passage of each row (u4)."""
        return self._passages.whole()


class LiveRows:
    """A file's rows without those that are deleted; what `merge` brings together. `alive` has one for each row, or is None."""

    def __init__(self, part: SparsePart, alive: Values | None) -> None:
        self.postings = part.postings
        self.alive = alive
        self.live = len(part) if alive is None else int(alive.sum())

    def is_live(self, numbers: Values) -> Values:
        """Say which of these rows are not deleted."""
        return np.ones(len(numbers), bool) if self.alive is None else self.alive[numbers]

    def frequencies(self, terms: Values) -> Values:
        """Return how many live rows hold each of these terms (places in the list of terms, u4)."""
        offsets = self.postings.offsets.whole().astype(np.int64)
        if self.alive is None:
            return np.diff(offsets)[terms]
        counts = np.zeros(len(self.postings), np.int64)
        for start in range(0, self.postings.total, _SLAB):
            stop = min(start + _SLAB, self.postings.total)
            at = np.flatnonzero(self.alive[self.postings.numbers.part(start, stop)]) + start
            counts += np.bincount(np.searchsorted(offsets, at, side="right") - 1, minlength=len(counts))
        return counts[terms]
