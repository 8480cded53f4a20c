"""Encoding the passages of an index: those that a model has made nothing of yet, a commit every few seconds.

What is committed stays, so an interrupted run goes on where it was, and after passages were added only these are encoded.
A segment's files become one when the segment is done, and then a large one gets a graph.

Left out: the index itself (`local`), the files (`vectors`, `impacts`, `graph`), the models (`encoders`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from groundwire.errors import CorruptModel, MissingExtra, UsageError
from groundwire.index import combine, encoders, graph, impacts, vectors
from groundwire.index.encoders import DenseEncoder, Encoder, Kind, SparseEncoder
from groundwire.index.manifest import Encoding, FileEntry, PartEntry, SegmentEntry
from groundwire.index.parts import file_name, missing
from groundwire.index.segment import Segment
from groundwire.index.state import State
from groundwire.index.vectors import DensePart
from groundwire.types import Passage

Values = NDArray[Any]
Progress = Callable[[int, int], None]

EVERY = 20.0
"""Seconds between two commits, which is what a kill can cost."""
MOST = 65_536
"""Passages of a commit."""
_AT_ONCE = 256
"""Passages that are given to the model together, which sorts them by length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """What was encoded: `encoded` passages in this run, of which `cut` are longer than the model reads; `skipped` before.

    `graphed` passages are found through a graph, those of this run and of those before it.
    """

    model: str
    kind: str
    identity: str
    storage: str
    size: int | None
    encoded: int
    skipped: int
    cut: int
    graphed: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return the facts by name."""
        return asdict(self)


class Target(Protocol):
    """The index whose passages are encoded."""

    @property
    def folder(self) -> Path:
        """Where it is."""
        ...

    def snapshot(self) -> State:
        """Return the current state."""
        ...

    def publish(
        self, segments: Sequence[SegmentEntry], new: Mapping[str, FileEntry], encodings: Sequence[Encoding]
    ) -> None:
        """Make these the segments and the encodings, durably."""
        ...


class Embedding:
    """One call of `embed`. `graphs` is whether files of vectors get a graph; None: those of over `graph.BEYOND` rows."""

    def __init__(
        self,
        target: Target,
        encoder: Encoder,
        kind: Kind,
        source: str,
        *,
        storage: str,
        cosine: bool,
        graphs: bool | None = None,
    ) -> None:
        self._target, self._encoder, self._graphs = target, encoder, graphs
        if kind == "sparse" and (storage != "float32" or cosine or graphs):
            raise UsageError(f"{encoder.name} weighs terms and makes no vectors", "leave int8, cosine and graph away")
        if graphs and not graph.installed():
            raise MissingExtra("usearch", "usearch")
        self._asked = Encoding(
            id=0,
            kind=kind,
            model=encoder.name,
            source=source,
            identity=encoder.identity,
            storage="impacts" if kind == "sparse" else storage,
            cosine=cosine,
        )
        self._cut = 0

    def run(self, *, again: bool, progress: Progress | None) -> Embedded:
        """Encode what is not encoded yet; with `again`, all. Raises what the model raises; what was committed stays."""
        state = self._target.snapshot()
        held = [e for e in state.manifest.encodings if (e.kind, e.model) == (self._asked.kind, self._asked.model)]
        old = None if again or not held else held[0]
        if old is not None:
            self._check_same(old)
        self._replaced = [encoding.id for encoding in held] if again else []
        ids = [encoding.id for encoding in state.manifest.encodings]
        self._encoding = old or replace(self._asked, id=max(ids, default=0) + 1)
        left = {segment.entry.name: missing(segment, self._encoding.id) for segment in state.segments}
        total, done = sum(map(len, left.values())), 0
        if not total and old is None:
            self._publish("", {})
        for segment in state.segments:
            for some in self._segment(segment, left[segment.entry.name]):
                done += some
                if progress:
                    progress(done, total)
        graphed = sum(self._graphed(segment.entry.name) for segment in state.segments)
        return Embedded(
            model=self._encoding.model,
            kind=self._encoding.kind,
            identity=self._encoding.identity,
            storage=self._encoding.storage,
            size=self._encoding.size,
            encoded=total,
            skipped=sum(segment.live for segment in state.segments) - total,
            cut=self._cut,
            graphed=graphed,
        )

    def _check_same(self, old: Encoding) -> None:
        encoders.check_same(self._encoder, old, self._target.folder)
        if (old.storage, old.cosine) != (self._asked.storage, self._asked.cosine):
            hint = f"ask for the same, or encode all anew: {encoders.command(self._target.folder, old.source)} --again"
            kept = old.storage + (", by cosine" if old.cosine else "")
            raise UsageError(f"{self._target.folder} keeps the vectors of {old.model} as {kept}", hint)

    def _segment(self, segment: Segment, left: Values) -> Iterator[int]:
        """Encode passages of a segment, yielding how many are done; commit now and then, and at the end."""
        numbers: list[Values] = []
        made: list[Any] = []
        began = time.monotonic()
        for start in range(0, len(left), _AT_ONCE):
            some = left[start : start + _AT_ONCE]
            numbers.append(some)
            made.append(self._made([text_of(segment.store.passage(number)) for number in some.tolist()]))
            last = start + _AT_ONCE >= len(left)
            if last or time.monotonic() - began >= EVERY or sum(map(len, numbers)) >= MOST:
                self._commit(segment.entry.name, np.concatenate(numbers), made)
                numbers, made, began = [], [], time.monotonic()
            yield len(some)

    def _made(self, texts: Sequence[str]) -> Any:
        self._cut += sum(self._encoder.cut(texts, query=False))
        if isinstance(self._encoder, SparseEncoder):
            return self._encoder.impacts(texts, query=False)
        assert isinstance(self._encoder, DenseEncoder)  # noqa: S101 - the two kinds that there are
        found = encoders.directions(self._encoder.encode(texts, query=False), cosine=self._asked.cosine)
        size = self._encoding.size or found.shape[-1]
        if found.shape != (len(texts), size) or not np.isfinite(found).all():
            raise CorruptModel(f"{self._encoder.name}: model did not give {size} finite numbers for each text")
        self._encoding = replace(self._encoding, size=size)
        return found

    def _commit(self, name: str, passages: Values, made: Sequence[Any]) -> None:
        """Write what was made of some passages of a segment."""
        file, folder = self._file(name), self._target.folder
        if self._encoding.kind == "sparse":
            rows = [row for batch in made for row in batch]
            entry = impacts.write(folder / file, passages, impacts.lists_of(rows))
        else:
            kept, facts = vectors.arrays(np.concatenate(made), self._encoding.storage)
            columns = {column: [values] for column, values in kept.items()}
            entry = vectors.write(folder / file, passages, made[0].shape[1], columns, facts)
        self._publish(name, {file: entry})

    def _join(self, name: str) -> None:
        """Make one file of a segment's, when there are several."""
        segment = self._segment_of(name)
        if len(segment.parts.get(self._encoding.id, ())) > 1:
            file = self._file(name)
            entry = combine.parts(self._target.folder / file, segment, self._encoding)
            self._publish(name, {file: entry}, alone=True)

    def _graphed(self, name: str) -> int:
        """Make the graph of a segment's vectors where one is wanted; return how many rows have one now."""
        self._join(name)
        segment = self._segment_of(name)
        (part,) = segment.parts.get(self._encoding.id) or (None,)
        if not isinstance(part, DensePart):
            return 0
        wanted = self._graphs or (self._graphs is None and len(part) > graph.BEYOND and graph.installed())
        if wanted and part.graph is None:
            (entry,) = (entry for entry in segment.entry.parts if entry.encoding == self._encoding.id)
            file = f"{entry.file}.graph"
            self._replace(segment, replace(entry, graph=file), {file: graph.write(self._target.folder / file, part)})
        return len(part) if wanted or part.graph is not None else 0

    def _segment_of(self, name: str) -> Segment:
        return next(s for s in self._target.snapshot().segments if s.entry.name == name)

    def _replace(self, segment: Segment, part: PartEntry, new: Mapping[str, FileEntry]) -> None:
        """Make `part` what the encoding has of a segment."""
        state = self._target.snapshot()
        others = [entry for entry in segment.entry.parts if entry.encoding != part.encoding]
        changed = replace(segment.entry, parts=(*others, part))
        entries = [changed if s.entry.name == changed.name else s.entry for s in state.segments]
        self._target.publish(entries, new, state.manifest.encodings)

    def _file(self, name: str) -> str:
        return file_name(name, self._target.snapshot().manifest.number + 1, self._encoding)

    def _publish(self, name: str, new: Mapping[str, FileEntry], *, alone: bool = False) -> None:
        """Make files part of a segment, beside what the encoding has of it or (`alone`) in its place."""
        state, encoding = self._target.snapshot(), self._encoding
        entries = []
        for segment in state.segments:
            own = segment.entry.name == name
            gone = {*self._replaced, *([encoding.id] if own and alone else [])}
            parts = [part for part in segment.entry.parts if part.encoding not in gone]
            parts += [PartEntry(encoding=encoding.id, file=file) for file in new if own]
            entries.append(replace(segment.entry, parts=tuple(parts)))
        others = [held for held in state.manifest.encodings if held.id not in (*self._replaced, encoding.id)]
        self._target.publish(entries, new, [*others, encoding])


def text_of(passage: Passage) -> str:
    """Return what is encoded of a passage: its title and its text, as BM25 indexes them."""
    return f"{passage.title} {passage.text}" if passage.title else passage.text
