"""From passages to a segment: analysed as they come, sorted when the buffer is full, in bounded memory.

The buffer holds one number a token. Term numbers are given out as terms turn up and become places among the sorted terms
at the end; then one sort of (term, passage) brings every list together, in passage order, and equal neighbours are a term
frequency. A raw token is analysed once: a table leads from it to its term's number.

Left out: which passages are taken (`local`), and the files themselves (`postings`, `store`).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from groundwire.index import postings, store
from groundwire.index.manifest import FileEntry, SegmentEntry
from groundwire.types import Passage

Values = NDArray[Any]

FULL_TOKENS = 12_000_000
"""The buffer is full at so many raw tokens: about 350 MB while it is sorted."""
FULL_BYTES = 256 << 20
"""And at so many bytes of packed passages, for those of few tokens."""
_MEMORY = 1_000_000
"""Raw tokens whose term is remembered from one buffer to the next."""
_LONGEST = 64
"""A longer one is no word of any language and will not come back."""
_DROPPED = -1


class Analyzer(Protocol):
    """What building and searching ask of an analyser."""

    @property
    def name(self) -> str:
        """The name that opens it again."""
        ...

    def terms(self, text: str) -> list[str]:
        """Return the terms of a text, in order."""
        ...

    def pieces(self, text: str) -> list[str]:
        """Return the raw tokens of a text."""
        ...

    def term(self, piece: str) -> str | None:
        """Return the term of a raw token, or None when it has none (a stop word)."""
        ...


class _Memo(dict[str, "str | None"]):
    """Raw token to term, of all buffers; forgets everything when it is full."""

    def __init__(self, analyzer: Analyzer) -> None:
        super().__init__()
        self._term = analyzer.term

    def __missing__(self, piece: str) -> str | None:
        term = self._term(piece)
        if len(piece) <= _LONGEST:
            if len(self) >= _MEMORY:
                self.clear()
            self[piece] = term
        return term


class _Numbers(dict[str, int]):
    """Raw token to the number of its term in this buffer."""

    def __init__(self, memo: _Memo) -> None:
        super().__init__()
        self.terms: dict[str, int] = {}
        self._memo = memo

    def __missing__(self, piece: str) -> int:
        term = self._memo[piece]
        number = _DROPPED if term is None else self.terms.setdefault(term, len(self.terms))
        self[piece] = number
        return number


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A segment that was written: its entry, and its files'."""

    segment: SegmentEntry
    files: dict[str, FileEntry]


class Buffer:
    """Passages that are not on the disk yet."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._memo = _Memo(analyzer)
        self.clear()

    def clear(self) -> None:
        """Forget the passages."""
        self._numbers = _Numbers(self._memo)
        self._tokens = array("i")
        self._ends: list[int] = []
        self._content: list[Values] = []
        self._pack = store.Pack()

    def __len__(self) -> int:
        return len(self._ends)

    @property
    def full(self) -> bool:
        """True when it should be written."""
        return len(self._tokens) >= FULL_TOKENS or self._pack.nbytes >= FULL_BYTES

    def add(self, passages: list[Passage], content: Values) -> None:
        """Take some passages and the keys of their contents."""
        pieces, numbers, tokens = self._analyzer.pieces, self._numbers, self._tokens
        for passage in passages:
            self._pack.add(passage)
            text = f"{passage.title} {passage.text}" if passage.title else passage.text
            tokens.extend(map(numbers.__getitem__, pieces(text)))
            self._ends.append(len(tokens))
        self._content.append(content)

    def write(self, folder: Path, name: str) -> Built:
        """Write what the buffer holds as a segment; it holds it still."""
        segment = SegmentEntry(name=name, passages=len(self._ends))
        content = np.concatenate([np.zeros(0, np.uint64), *self._content])
        files = {
            segment.postings: postings.write(folder / segment.postings, self._lists()),
            segment.store: self._pack.write(folder / segment.store, content),
        }
        return Built(segment=segment, files=files)

    def _lists(self) -> postings.Lists:
        terms, ranks = _ranked(self._numbers.terms)
        raw = np.frombuffer(self._tokens, np.intc) if self._tokens else np.zeros(0, np.intc)
        kept = raw >= 0
        ends = np.array(self._ends, np.intp)
        lengths = (
            np.diff(np.concatenate([[0], np.cumsum(kept)[ends - 1] * (ends > 0)]))
            if len(ends) and len(raw)
            else ends * 0
        )
        keyed = ranks[raw[kept]] << np.uint64(32)
        keyed |= np.repeat(np.arange(len(ends), dtype=np.uint64), lengths)
        del raw, kept
        keyed.sort()
        first = (
            np.flatnonzero(np.concatenate([[True], keyed[1:] != keyed[:-1]])) if keyed.size else np.zeros(0, np.intp)
        )
        frequency = np.diff(np.append(first, keyed.size)).astype(np.uint32)
        found = keyed[first]
        del keyed, first
        numbers = found.astype(np.uint32)
        counts = np.bincount((found >> np.uint64(32)).astype(np.intp), minlength=len(terms))
        del found
        pairs, pair_of = paired(frequency, lengths.astype(np.uint32)[numbers])

        def slabs() -> Iterator[tuple[int, int, Values, Values]]:
            yield 0, len(terms), numbers, pair_of

        return postings.Lists(terms=terms, counts=counts, pairs=pairs, lengths=lengths.astype(np.uint32), slabs=slabs)


def _ranked(numbers: dict[str, int]) -> tuple[list[bytes], Values]:
    """Return the terms in order of their bytes, and for each number the place of its term (u8)."""
    spelled = [store.encoded(term) for term in numbers]
    order = sorted(range(len(spelled)), key=spelled.__getitem__)
    ranks = np.empty(len(order), np.uint64)
    ranks[order] = np.arange(len(order), dtype=np.uint64)
    return [spelled[i] for i in order], ranks


def paired(frequency: Values, length: Values) -> tuple[postings.Pairs, Values]:
    """Return the distinct pairs, most frequent first, and the pair of each posting (u4)."""
    frequencies, at = _distinct(frequency)
    lengths, column = _distinct(length)
    cell = at.astype(np.int64) * max(len(lengths), 1) + column
    counted = np.bincount(cell, minlength=1)
    used = np.flatnonzero(counted)
    pairs = postings.Pairs(
        frequency=frequencies[used // max(len(lengths), 1)],
        length=lengths[used % max(len(lengths), 1)],
        count=counted[used].astype(np.uint64),
    )
    pairs, moved = pairs.sorted()
    places = np.zeros(len(counted), np.uint32)
    places[used] = moved
    return pairs, places[cell]


def _distinct(values: Values) -> tuple[Values, Values]:
    """Return the distinct values and which of them each one is; by counting, as long as the values are small."""
    if not values.size or int(values.max()) > 1 << 24:
        distinct, which = np.unique(values, return_inverse=True)
        return distinct, which
    present = np.zeros(int(values.max()) + 1, bool)
    present[values] = True
    distinct = np.flatnonzero(present).astype(np.uint32)
    return distinct, (np.cumsum(present, dtype=np.uint32) - np.uint32(1))[values]
