"""The inverted lists of a segment: for every term the passages that hold it, and how often.

A posting is a passage number (u4) and a code (u1) that stands for a pair (term frequency, length of the passage). There
are few such pairs in a segment, so whatever a query's k1 and b are, the score of a posting is one look into a small table:
nothing has to be fetched for the passage, and lengths stay exact. Codes are given out by how frequent the pairs are; where
the pairs do not fit, the highest code says "look it up", and the posting's pair stands in a short list beside. A segment in
which that happens often uses codes of two bytes.

For an upper bound on what a term can score, each list of some length keeps the shortest length it has at 1, 2, 3, 4, 5-6,
7-9, 10-15 and 16 and more occurrences, and its highest frequency. From these a bound follows for any k1 and b.

Left out: building the lists (`build`, `merge`), and scoring them (`evaluate`).
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groundwire import durable
from groundwire.index.format import ArrayFile, ArrayWriter, joined, narrow
from groundwire.index.manifest import FileEntry

Values = NDArray[Any]

LONG = 64
"""From this many postings on a list has bounds; a shorter one is bounded by its weight."""
STEPS = (1, 2, 3, 4, 5, 7, 10, 16)
"""The lowest term frequency of each class that has a shortest length."""
EMPTY = 65535
"""The shortest length of a class that has no posting."""
_EVERY = 32
"""Every so manyeth term is kept in memory, once a first one was looked up."""
_RARE = 0.1
"""With more escapes than this share, codes take two bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """The distinct (term frequency, length) of a segment and how many postings have each, most frequent first."""

    frequency: Values
    length: Values
    count: Values

    def sorted(self) -> tuple[Pairs, Values]:
        """Return these, most frequent first, and where each went."""
        order = np.argsort(-self.count.astype(np.int64), kind="stable")
        moved = np.empty(len(order), np.uint32)
        moved[order] = np.arange(len(order), dtype=np.uint32)
        ranked = Pairs(frequency=self.frequency[order], length=self.length[order], count=self.count[order])
        return ranked, moved


@dataclass(frozen=True, slots=True, kw_only=True)
class Lists:
    """What is written: sorted terms, how many postings each has, the pairs, the passages' lengths, and the postings.

    `slabs` gives (first term, one past the last, passages of all their postings, pairs of all their postings); it is
    called twice, once for each array of the file, so that no more than one slab is ever in memory.
    """

    terms: Sequence[bytes]
    counts: Values
    pairs: Pairs
    lengths: Values
    slabs: Callable[[], Iterator[tuple[int, int, Values, Values]]]


def write(path: Path, lists: Lists, more: Mapping[str, Values] = {}) -> FileEntry:
    """Write the inverted lists of a segment to `path`, durably; and `more` arrays beside them."""
    lengths = lists.lengths
    offsets = np.concatenate([np.zeros(1, np.uint64), np.cumsum(lists.counts, dtype=np.uint64)])
    facts = {"passages": len(lengths), "tokens": int(lengths.sum(dtype=np.uint64)), "filled": int((lengths > 0).sum())}
    with durable.replacing(path) as file:
        writer = ArrayWriter(file, {**facts, "postings": int(offsets[-1])})
        blob, starts = joined(lists.terms)
        writer.array("terms", blob)
        writer.array("term_starts", narrow(starts))
        writer.array("offsets", narrow(offsets))
        writer.array("lengths", lengths, "<u4" if lengths.size and lengths.max() > EMPTY else "<u2")
        writer.array("pair_frequency", lists.pairs.frequency, "<u4")
        writer.array("pair_length", lists.pairs.length, "<u4")
        writer.array("pair_count", lists.pairs.count, "<u8")
        writer.begin("passages", "<u4")
        for _, _, passages, _ in lists.slabs():
            writer.append(passages)
        _write_codes(writer, lists, offsets)
        for name, values in more.items():
            writer.array(name, values)
        return writer.finish()


def _write_codes(writer: ArrayWriter, lists: Lists, offsets: Values) -> None:
    pairs = lists.pairs
    width = "|u1" if pairs.count[255:].sum() <= _RARE * max(int(pairs.count.sum()), 1) else "<u2"
    escape = np.iinfo(width).max
    rare_at: list[Values] = []
    rare_pairs: list[Values] = []
    bounds: list[Values] = []
    least = _least_lengths(pairs)
    peaks: list[Values] = []
    longs = np.flatnonzero(lists.counts >= LONG)
    writer.begin("codes", width)
    for first, last, _, found in lists.slabs():
        writer.append(np.minimum(found, escape))
        rare = np.flatnonzero(found >= escape)
        rare_at.append(rare.astype(np.uint64) + offsets[first])
        rare_pairs.append(found[rare])
        here = longs[np.searchsorted(longs, first) : np.searchsorted(longs, last)]
        edges = (np.stack([offsets[here], offsets[here + 1]], axis=1).reshape(-1) - offsets[first]).astype(np.intp)
        if len(here):
            bounds.append(np.stack([_over(np.minimum, row, found, edges, EMPTY) for row in least], axis=1))
            peaks.append(_over(np.maximum, pairs.frequency, found, edges, 0))
    writer.array("rare_at", narrow(np.concatenate([np.zeros(0, np.uint64), *rare_at])))
    writer.array("rare_pairs", np.concatenate([np.zeros(0, np.uint32), *rare_pairs]), "<u4")
    writer.array("long", longs, "<u4")
    writer.array("bounds", np.concatenate([np.zeros((0, len(STEPS)), np.uint16), *bounds]), "<u2")
    writer.array("peaks", np.concatenate([np.zeros(0, np.uint32), *peaks]), "<u4")


def _least_lengths(pairs: Pairs) -> list[Values]:
    """Return, for each class of frequencies, the length of every pair that is in it; of the others, none."""
    classes = np.searchsorted(STEPS, pairs.frequency, side="right") - 1
    short = np.minimum(pairs.length, EMPTY - 1).astype(np.uint16)
    return [np.where(classes == step, short, np.uint16(EMPTY)) for step in range(len(STEPS))]


def _over(least: np.ufunc, table: Values, found: Values, edges: Values, nothing: int) -> Values:
    """Return the least (or most) of `table` over the pairs between every two edges."""
    values = np.append(table[found], table.dtype.type(nothing))
    reduced: Values = least.reduceat(values, edges)[::2]
    return reduced


class Postings:
    """The inverted lists of a segment, open. Safe to share between threads."""

    def __init__(self, path: Path, entry: FileEntry) -> None:
        self.file = ArrayFile(path, entry)
        column, facts = self.file.column, self.file.facts
        self.passages: int = facts["passages"]
        self.tokens: int = facts["tokens"]
        self.filled: int = facts["filled"]
        self.total: int = facts["postings"]
        self.offsets = column("offsets")
        self.numbers = column("passages")
        self.lengths = column("lengths")
        self._codes = column("codes")
        self._rare_at, self._rare_pairs = column("rare_at"), column("rare_pairs")
        self._long, self._bounds, self._peaks = column("long"), column("bounds"), column("peaks")
        self._terms, self._starts = column("terms"), column("term_starts")
        self.escape = int(np.iinfo(self._codes.dtype).max)
        self._known: dict[str, int] = {}
        self._sample: list[bytes] | None = None

    def __len__(self) -> int:
        """How many terms there are."""
        return len(self._starts) - 1

    def find(self, term: str) -> int:
        """Return the term's place among the sorted terms, or -1 when no passage holds it."""
        place = self._known.get(term)
        if place is None:
            place = self._find(term.encode("utf-8", "surrogatepass"))
            if len(self._known) >= 1 << 16:
                self._known.clear()
            self._known[term] = place
        return place

    def _find(self, term: bytes) -> int:
        if self._sample is None:
            starts, blob = self._starts.whole(), self._terms.whole().tobytes()
            self._sample = [
                blob[i:j] for i, j in zip(starts[:-1:_EVERY].tolist(), starts[1::_EVERY].tolist(), strict=True)
            ]
        group = bisect_right(self._sample, term) - 1
        if group < 0:
            return -1
        first = group * _EVERY
        try:
            return first + self.terms(first, min(first + _EVERY, len(self))).index(term)
        except ValueError:
            return -1

    def terms(self, first: int, last: int) -> list[bytes]:
        """Return some of the sorted terms, in UTF-8."""
        starts = self._starts.part(first, last + 1).tolist()
        base = starts[0] if starts else 0
        blob = self._terms.part(base, starts[-1] if starts else 0).tobytes()
        return [blob[i - base : j - base] for i, j in itertools.pairwise(starts)]

    def pairs(self) -> Pairs:
        """Return the pairs that codes stand for; pair i has code i, those from `escape` on share that code."""
        column = self.file.column
        names = ("pair_frequency", "pair_length", "pair_count")
        frequency, length, count = (column(name).whole() for name in names)
        return Pairs(frequency=frequency, length=length, count=count)

    def span(self, term: int) -> tuple[int, int]:
        """Return where the list of a term starts and ends."""
        start, stop = self.offsets.part(term, term + 2).tolist()
        return start, stop

    def codes(self, start: int, stop: int) -> tuple[Values, Values, Values]:
        """Return the codes of some postings, and which of them (counted from `start`) have a pair of their own, and it."""
        low, high = self._rare_span(start, stop)
        at = self._rare_at.part(low, high).astype(np.int64) - start
        return self._codes.part(start, stop), at, self._rare_pairs.part(low, high)

    def check(self, start: int, stop: int) -> None:
        """Hold all that is read of these postings against its checksums."""
        self.numbers.part(start, stop)
        self.codes(start, stop)

    def unchecked(self) -> tuple[Values, Values, Values, Values]:
        """Return all passage numbers, all codes, which postings have a pair of their own (sorted), and it.

        Of the first two only those postings may be read that `check` was asked for.
        """
        return self.numbers.unchecked, self._codes.unchecked, self._rare_at.whole(), self._rare_pairs.whole()

    def pair_numbers(self, start: int, stop: int) -> Values:
        """Return the pair of each of these postings (u4)."""
        codes, at, pairs = self.codes(start, stop)
        numbers = codes.astype(np.uint32)
        numbers[at] = pairs
        return numbers

    def pairs_at(self, start: int, at: Values) -> Values:
        """Return the pairs of the postings at these places, counted from `start`; the caller has read their list."""
        last = int(at.max())
        codes = self._codes.part(start, start + last + 1)[at]
        rare = np.flatnonzero(codes == self.escape)
        if not len(rare):
            return codes
        numbers = codes.astype(np.uint32)
        where = np.searchsorted(self._rare_at.whole(), (at[rare] + start).astype(self._rare_at.dtype))
        numbers[rare] = self._rare_pairs.whole()[where]
        return numbers

    def _rare_span(self, start: int, stop: int) -> tuple[int, int]:
        if not len(self._rare_at):
            return 0, 0
        low, high = np.searchsorted(self._rare_at.whole(), np.array([start, stop], self._rare_at.dtype))
        return int(low), int(high)

    def bounds(self) -> tuple[Values, Values, Values]:
        """Return the terms that have bounds, the highest frequency of each [n] and its shortest lengths [n, classes].

        A class that is empty has length 65535; lengths over 65534 are given as that.
        """
        return self._long.whole(), self._peaks.whole(), self._bounds.whole().reshape(-1, len(STEPS))
