"""Vectors follow their passages: files of one encoding become one when segments are merged, or a segment is encoded whole.

Rows are copied as they are, without those that are deleted; nothing is encoded or rounded anew.

Left out: which segments are merged (`merge`), the commit (`local`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from groundwire.index import impacts, merge, vectors
from groundwire.index.build import Built
from groundwire.index.impacts import LiveRows, SparsePart
from groundwire.index.manifest import Encoding, FileEntry, PartEntry
from groundwire.index.parts import file_name, live_rows
from groundwire.index.segment import Segment
from groundwire.index.vectors import DensePart

Values = NDArray[Any]
_ROWS = 4096
"""Rows that are copied at once."""


class Source(NamedTuple):
    """A file of vectors, which of its rows are kept (None: all), and the new numbers of their passages."""

    part: DensePart | SparsePart
    alive: Values | None
    passages: Values


def segments(folder: Path, number: int, merged: Sequence[Segment], encodings: Sequence[Encoding]) -> Built | None:
    """Write the live passages of some segments, in their order, as a new one, with their vectors; None without any."""
    name = f"s{number:06d}"
    built = merge.merge(folder, name, merged)
    if built is None:
        return None
    bases = np.cumsum([0, *(segment.live for segment in merged)])
    numbers = [merge.moved(segment, int(base)) for segment, base in zip(merged, bases[:-1], strict=True)]
    parts, files = [], dict(built.files)
    for encoding in encodings:
        sources = [
            _source(segment, part, moved)
            for segment, moved in zip(merged, numbers, strict=True)
            for part in segment.parts.get(encoding.id, ())
        ]
        if any(len(source.passages) for source in sources):
            file = file_name(name, number, encoding)
            files[file] = _write(folder / file, sources)
            parts.append(PartEntry(encoding=encoding.id, file=file))
    return Built(segment=replace(built.segment, parts=tuple(parts)), files=files)


def parts(path: Path, segment: Segment, encoding: Encoding) -> FileEntry:
    """Write all that an encoding has of a segment to one file."""
    same = np.arange(segment.entry.passages, dtype=np.uint32)
    return _write(path, [_source(segment, part, same) for part in segment.parts[encoding.id]])


def _source(segment: Segment, part: DensePart | SparsePart, moved: Values) -> Source:
    alive = live_rows(segment, part)
    return Source(part, alive, moved[part.passages if alive is None else part.passages[alive]])


def _write(path: Path, sources: Sequence[Source]) -> FileEntry:
    kept = [source for source in sources if len(source.passages)]
    passages = np.concatenate([source.passages for source in kept])
    if isinstance(kept[0].part, SparsePart):
        listed = [LiveRows(source.part, source.alive) for source in kept if isinstance(source.part, SparsePart)]
        return impacts.write(path, passages, merge.lists(listed))
    dense = [(source.part, source.alive) for source in kept if isinstance(source.part, DensePart)]
    first = dense[0][0]
    facts = {name: max(part.facts[name] for part, _ in dense) for name in first.facts}
    return vectors.write(path, passages, first.size, {name: _copied(dense, name) for name in first.names}, facts)


def _copied(dense: Sequence[tuple[DensePart, Values | None]], name: str) -> Iterator[Values]:
    for part, alive in dense:
        for start in range(0, len(part), _ROWS):
            stop = min(start + _ROWS, len(part))
            rows = part.rows(name, start, stop)
            yield rows if alive is None else rows[alive[start:stop]]
