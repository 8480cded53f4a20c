"""Several segments become one, without what is deleted, in bounded memory.

The terms are merged first, which says how long every list will be; then the lists are brought together a slab of terms at
a time. Pairs keep their meaning (a passage's length does not change), so only their codes are given out anew, and packed
passages are copied as they are. Which segments are merged: those that together are at least half as large as the next
larger one. So each is at least twice as large as all smaller ones together, there are few of them, and a passage is
written O(log n) times.

Left out: the commit (`local`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from groundwire.index import postings, store
from groundwire.index.build import Built
from groundwire.index.manifest import FileEntry, SegmentEntry
from groundwire.index.segment import Segment

Values = NDArray[Any]
_SLAB = 1 << 22
"""Postings of a slab, more only where a single list has more."""


class Listed(Protocol):
    """Inverted lists of which some passages may be deleted: a segment, or what an encoder made of one."""

    alive: Values | None

    @property
    def postings(self) -> postings.Postings:
        """The lists."""
        ...

    @property
    def live(self) -> int:
        """How many passages are not deleted."""
        ...

    def frequencies(self, terms: Values) -> Values:
        """Return how many live passages hold each of these terms (places in the list of terms, u4)."""
        ...

    def is_live(self, numbers: Values) -> Values:
        """Say which of these passages are not deleted."""
        ...


def chosen(sizes: Sequence[int]) -> list[int]:
    """Return which segments should be merged now, given how many live passages each has; [] when none has to be."""
    order = sorted(range(len(sizes)), key=lambda i: (sizes[i], i))
    smaller, merged = 0, 0
    for place, segment in enumerate(order):
        if place and 2 * smaller >= sizes[segment]:
            merged = place + 1
        smaller += sizes[segment]
    return sorted(order[:merged])


def merge(folder: Path, name: str, segments: Sequence[Segment]) -> Built | None:
    """Write the live passages of some segments, in their order, as a new one; None when there are none."""
    total = sum(segment.live for segment in segments)
    if not total:
        return None
    entry = SegmentEntry(name=name, passages=total)
    return Built(
        segment=entry,
        files={
            entry.postings: postings.write(folder / entry.postings, lists(segments)),
            entry.store: _write_store(folder / entry.store, segments),
        },
    )


def lists(listed: Sequence[Listed]) -> postings.Lists:
    """Return the inverted lists of all live passages, numbered anew in their order."""
    return _Merged(listed).lists()


class _Merged:
    """The lists of some segments, brought together."""

    def __init__(self, segments: Sequence[Listed]) -> None:
        self._segments = segments
        bases = np.cumsum([0, *(segment.live for segment in segments)])
        self._moved = [moved(segment, int(base)) for segment, base in zip(segments, bases[:-1], strict=True)]
        own = [segment.postings.terms(0, len(segment.postings)) for segment in segments]
        counts = [
            segment.frequencies(np.arange(len(t), dtype=np.uint32)) for segment, t in zip(segments, own, strict=True)
        ]
        live = ((term for term, n in zip(t, c.tolist(), strict=True) if n) for t, c in zip(own, counts, strict=True))
        self._terms = sorted(set().union(*live))
        places = {term: place for place, term in enumerate(self._terms)}
        self._places = [np.fromiter((places.get(term, -1) for term in t), np.int64, len(t)) for t in own]
        self._starts, self._counts = [], np.zeros(len(self._terms), np.int64)
        for place, count in zip(self._places, counts, strict=True):
            here = place >= 0
            starts = np.zeros(len(place), np.int64)
            starts[here] = self._counts[place[here]]
            self._starts.append(starts)
            self._counts[place[here]] += count[here]
        self._pairs, self._recoded = _pairs(segments)

    def lists(self) -> postings.Lists:
        """Return what is to be written."""
        lengths = [s.postings.lengths.whole()[s.is_live(np.arange(s.postings.passages))] for s in self._segments]
        return postings.Lists(
            terms=self._terms,
            counts=self._counts,
            pairs=self._pairs,
            lengths=np.concatenate(lengths).astype(np.uint32),
            slabs=self._slabs,
        )

    def _slabs(self) -> Iterator[tuple[int, int, Values, Values]]:
        ends = np.cumsum(self._counts)
        first = 0
        while first < len(self._terms):
            before = int(ends[first - 1]) if first else 0
            last = max(first + 1, int(np.searchsorted(ends, before + _SLAB, side="right")))
            yield (first, last, *self._slab(first, last, before, int(ends[last - 1])))
            first = last

    def _slab(self, first: int, last: int, before: int, end: int) -> tuple[Values, Values]:
        numbers, pairs = np.empty(end - before, np.uint32), np.empty(end - before, np.uint32)
        begins = np.concatenate([[0], np.cumsum(self._counts[first:last])[:-1]])
        for i, segment in enumerate(self._segments):
            low, high = self._range(i, first, last)
            offsets = segment.postings.offsets.part(low, high + 1).astype(np.int64)
            start, stop = int(offsets[0]), int(offsets[-1])
            if stop == start:
                continue
            here = segment.postings.numbers.part(start, stop)
            mine = segment.postings.pair_numbers(start, stop)
            term = np.repeat(np.arange(low, high), np.diff(offsets))
            if segment.alive is not None:
                alive = segment.alive[here]
                here, mine, term = here[alive], mine[alive], term[alive]
            begin = np.flatnonzero(np.concatenate([[True], term[1:] != term[:-1]]))[: len(term)]
            nth = np.arange(len(term)) - np.repeat(begin, np.diff(np.append(begin, len(term))))
            at = begins[self._places[i][term] - first] + self._starts[i][term] + nth
            numbers[at] = self._moved[i][here]
            pairs[at] = self._recoded[i][mine]
        return numbers, pairs

    def _range(self, segment: int, first: int, last: int) -> tuple[int, int]:
        """Return which terms of a segment lie between two of the merged terms; those that are gone lie anywhere there."""
        own = self._segments[segment].postings
        return _place(own, self._terms[first]), _place(own, self._terms[last]) if last < len(self._terms) else len(own)


def _place(own: postings.Postings, term: bytes) -> int:
    """Return where a term stands, or would stand, among the terms of a segment."""
    low, high = 0, len(own)
    while low < high:
        middle = (low + high) // 2
        if own.terms(middle, middle + 1)[0] < term:
            low = middle + 1
        else:
            high = middle
    return low


def moved(segment: Listed, base: int) -> Values:
    """Return the new number of each live passage (u4), when the first gets `base`."""
    live = segment.is_live(np.arange(segment.postings.passages))
    return (np.cumsum(live) + (base - 1)).astype(np.uint32)


def _pairs(segments: Sequence[Listed]) -> tuple[postings.Pairs, list[Values]]:
    """Return the pairs of all segments, and for each segment the new number of each of its pairs."""
    every = [segment.postings.pairs() for segment in segments]
    keyed = [p.frequency.astype(np.uint64) << np.uint64(32) | p.length for p in every]
    distinct, which = np.unique(np.concatenate(keyed), return_inverse=True)
    count = np.zeros(len(distinct), np.uint64)
    np.add.at(count, which, np.concatenate([p.count for p in every]))
    pairs, recoded = postings.Pairs(
        frequency=(distinct >> np.uint64(32)).astype(np.uint32), length=distinct.astype(np.uint32), count=count
    ).sorted()
    ends = np.cumsum([0, *map(len, keyed)])
    return pairs, [recoded[which[i:j]] for i, j in itertools.pairwise(ends)]


def _write_store(path: Path, segments: Sequence[Segment]) -> FileEntry:
    bases = np.cumsum([0, *(segment.live for segment in segments)])
    renumbered = [moved(segment, int(base)) for segment, base in zip(segments, bases[:-1], strict=True)]
    tables = []
    for kind in store.KINDS:
        parts = [segment.store.table(kind) for segment in segments]
        live = [segment.is_live(part.passages) for segment, part in zip(segments, parts, strict=True)]
        keys = np.concatenate([part.keys[here] for part, here in zip(parts, live, strict=True)])
        places = [new[part.passages[here]] for new, part, here in zip(renumbered, parts, live, strict=True)]
        tables.append(store.Keyed(keys, np.concatenate(places)))
    ids = [segment.store.id_run(segment.alive) for segment in segments]
    blocks = (block for segment in segments for block in segment.store.packed(segment.alive))
    return store.write(path, ids, blocks, tables)
