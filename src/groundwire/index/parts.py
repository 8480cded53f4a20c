"""What encoders made of a segment's passages: the files, open, and which passages have no row in them yet.

Left out: what is in the files (`vectors`, `impacts`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from groundwire.index.graph import Graph
from groundwire.index.impacts import SparsePart
from groundwire.index.manifest import Encoding, Manifest, SegmentEntry
from groundwire.index.vectors import DensePart

Values = NDArray[Any]
Part = DensePart | SparsePart


class Encoded(Protocol):
    """A segment, as far as its vectors go."""

    entry: SegmentEntry
    alive: Values | None

    @property
    def parts(self) -> Mapping[int, Sequence[Part]]:
        """The files of vectors, by the number of the encoding."""
        ...


def opened(folder: Path, entry: SegmentEntry, manifest: Manifest) -> dict[int, list[Part]]:
    """Open the files of a segment's vectors, by encoding. Raises CorruptIndex."""
    encodings = {encoding.id: encoding for encoding in manifest.encodings}
    found: dict[int, list[Part]] = {}
    for part in entry.parts:
        path, file, encoding = folder / part.file, manifest.files[part.file], encodings[part.encoding]
        graph = Graph(folder / part.graph, manifest.files[part.graph]) if part.graph else None
        dense = encoding.kind != "sparse"
        made = DensePart(path, file, encoding.storage, graph) if dense else SparsePart(path, file)
        found.setdefault(encoding.id, []).append(made)
    return found


def file_name(segment: str, number: int, encoding: Encoding) -> str:
    """Return the name of a new file."""
    return f"{segment}.{number:06d}-{encoding.id}.{'impacts' if encoding.kind == 'sparse' else 'vectors'}"


def live_rows(segment: Encoded, part: Part) -> Values | None:
    """Say of each row whether its passage is not deleted; None when all are there."""
    return None if segment.alive is None else segment.alive[part.passages]


def missing(segment: Encoded, encoding: int) -> Values:
    """Return the live passages that an encoding has no row for, rising."""
    left = np.ones(segment.entry.passages, bool) if segment.alive is None else segment.alive.copy()
    for part in segment.parts.get(encoding, ()):
        left[part.passages] = False
    return np.flatnonzero(left)
