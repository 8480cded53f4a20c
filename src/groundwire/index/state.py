"""One state of an index, open, while writers make others. Left out: changing it (`local`)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from groundwire.errors import CorruptIndex
from groundwire.index import manifest as manifests
from groundwire.index.manifest import Manifest
from groundwire.index.segment import Segment

_TRIES = 5
"""How often opening starts anew when a writer takes files away meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class State:
    """One state of an index: its manifest, and its segments open, largest first."""

    manifest: Manifest
    segments: tuple[Segment, ...]


def opened(folder: Path, before: State | None) -> State:
    """Open the state that the manifest in `folder` names; a writer may be at work."""
    for _ in range(_TRIES - 1):
        manifest = manifests.read(folder)
        if before is not None and manifest == before.manifest:
            return before
        try:
            return renewed(folder, manifest, before)
        except CorruptIndex:
            if manifests.read(folder).generation == manifest.generation:
                raise
    return renewed(folder, manifests.read(folder), before)


def renewed(folder: Path, manifest: Manifest, before: State | None) -> State:
    """Open a state; segments that did not change since the one before stay open."""
    known = {segment.entry: segment for segment in before.segments} if before else {}
    segments = [known.get(entry) or Segment(folder, entry, manifest) for entry in manifest.segments]
    return State(manifest=manifest, segments=tuple(sorted(segments, key=lambda s: (-s.live, s.entry.name))))
