"""A segment: inverted lists, passages, which of them are deleted, and what encoders made of them.

A segment never changes. Deleting writes a new file of deletions: a bit for each passage, and how many of the deleted hold
each term, so that a deleted passage leaves every statistic at once (N, n of its terms, tokens) and not at the next merge.

Left out: taking deleted passages out of the lists, which is the merge's part.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groundwire import durable
from groundwire.index import parts
from groundwire.index.format import ArrayFile, ArrayWriter
from groundwire.index.manifest import FileEntry, Manifest, SegmentEntry
from groundwire.index.postings import Postings
from groundwire.index.store import Store

Values = NDArray[Any]
_SLAB = 1 << 22
"""Postings that are looked through at a time."""


class Segment:
    """An open segment. `live`, `tokens` and `filled` (passages with a term at all) do not count what is deleted.

    `parts` are the files of vectors, by the number of the encoding.
    """

    def __init__(self, folder: Path, entry: SegmentEntry, manifest: Manifest) -> None:
        self.entry = entry
        self.postings = Postings(folder / entry.postings, manifest.files[entry.postings])
        self.store = Store(folder / entry.store, manifest.files[entry.store])
        self.parts = parts.opened(folder, entry, manifest)
        self.files: list[ArrayFile] = [self.postings.file, self.store.file]
        self.files += [file for of_one in self.parts.values() for part in of_one for file in part.files]
        self.alive: Values | None = None
        self.dead_terms = np.zeros(0, np.uint32)
        self.dead_counts = np.zeros(0, np.uint32)
        self.live, self.tokens, self.filled = self.postings.passages, self.postings.tokens, self.postings.filled
        if entry.deleted:
            file = ArrayFile(folder / entry.deleted, manifest.files[entry.deleted])
            self.files.append(file)
            self.alive = np.unpackbits(file.column("alive").whole(), count=entry.passages).astype(bool)
            self.dead_terms, self.dead_counts = file.column("terms").whole(), file.column("counts").whole()
            self.live, self.tokens, self.filled = (file.facts[name] for name in ("live", "tokens", "filled"))

    def frequencies(self, terms: Values) -> Values:
        """Return how many live passages hold each of these terms (places in the list of terms, u4)."""
        offsets = self.postings.offsets.whole()
        counts: Values = offsets[terms + np.uint32(1)].astype(np.int64) - offsets[terms]
        if len(self.dead_terms):
            at = np.minimum(np.searchsorted(self.dead_terms, terms), len(self.dead_terms) - 1)
            counts -= np.where(self.dead_terms[at] == terms, self.dead_counts[at], 0)
        return counts

    def live_terms(self) -> list[bytes]:
        """Return the terms that a live passage holds, in UTF-8, sorted."""
        every = self.postings.terms(0, len(self.postings))
        if not len(self.dead_terms):
            return every
        counts = self.frequencies(np.arange(len(every), dtype=np.uint32))
        return [term for term, count in zip(every, counts.tolist(), strict=True) if count]

    def is_live(self, numbers: Values) -> Values:
        """Say which of these passages are not deleted."""
        return np.ones(len(numbers), bool) if self.alive is None else self.alive[numbers]

    def delete(self, folder: Path, number: int, dead: Values) -> tuple[SegmentEntry, dict[str, FileEntry]]:
        """Write that `dead` (live passages until now) are deleted. Returns the segment's entry and the new file's."""
        alive = np.ones(self.entry.passages, bool) if self.alive is None else self.alive.copy()
        alive[dead] = False
        terms, counts = self._counted(dead)
        lengths = self.postings.lengths.whole()[dead]
        facts = {
            "live": self.live - len(dead),
            "tokens": self.tokens - int(lengths.sum(dtype=np.uint64)),
            "filled": self.filled - int((lengths > 0).sum()),
        }
        name = f"{self.entry.name}.{number:06d}.deleted"
        with durable.replacing(folder / name) as file:
            writer = ArrayWriter(file, facts)
            writer.array("alive", np.packbits(alive))
            writer.array("terms", terms, "<u4")
            writer.array("counts", counts, "<u4")
            entry = writer.finish()
        return replace(self.entry, deleted=name), {name: entry}

    def _counted(self, dead: Values) -> tuple[Values, Values]:
        """Return the terms of all that is deleted, old and new, and how many of these passages hold each."""
        chosen = np.zeros(self.entry.passages, bool)
        chosen[dead] = True
        offsets = self.postings.offsets.whole()
        found = [np.repeat(self.dead_terms, self.dead_counts).astype(np.intp)]
        for start in range(0, self.postings.total, _SLAB):
            numbers = self.postings.numbers.part(start, min(start + _SLAB, self.postings.total))
            at = (np.flatnonzero(chosen[numbers]) + start).astype(offsets.dtype)
            found.append(np.searchsorted(offsets, at, side="right") - 1)
        terms, counts = np.unique(np.concatenate(found), return_counts=True)
        return terms, counts
