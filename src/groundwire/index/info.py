"""What an index holds, counted. Left out: the index (`local`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groundwire.index import kernels
from groundwire.index.manifest import Encoding
from groundwire.index.parts import missing
from groundwire.index.segment import Segment
from groundwire.index.state import State

Values = NDArray[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexInfo:
    """What is in an index. Deleted passages count in `deleted` and in `bytes` alone.

    `bytes` are all files, `text_bytes` the compressed texts among them. `tokens` and `terms` are after analysis.
    `vectors` are the models that passages were encoded by, each with its kind, storage, size and number of passages.
    `loops` says what evaluates queries of terms: "numpy", or "compiled" with the extra `fast`; "" where it is not ours.
    """

    analyzer: str
    passages: int
    documents: int
    segments: int
    deleted: int
    tokens: int
    terms: int
    bytes: int
    text_bytes: int
    generation: int
    vectors: tuple[dict[str, Any], ...] = ()
    loops: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers by name."""
        return asdict(self)


def described(state: State) -> IndexInfo:
    """Return what is in a state of an index."""
    segments = state.segments
    terms = len(set().union(*(segment.live_terms() for segment in segments)))
    documents = np.concatenate([np.zeros(0, np.uint64), *map(_documents, segments)])
    live = sum(segment.live for segment in segments)
    return IndexInfo(
        analyzer=state.manifest.analyzer,
        passages=live,
        documents=len(np.unique(documents)),
        segments=len(segments),
        deleted=sum(segment.entry.passages for segment in segments) - live,
        tokens=sum(segment.tokens for segment in segments),
        terms=terms,
        bytes=sum(entry.size for entry in state.manifest.files.values()),
        text_bytes=sum(segment.store.text_bytes for segment in segments),
        generation=state.manifest.generation,
        vectors=tuple(_described(encoding, segments) for encoding in state.manifest.encodings),
        loops=kernels.described(),
    )


def _described(encoding: Encoding, segments: Sequence[Segment]) -> dict[str, Any]:
    """Return what `IndexInfo` says of an encoding."""
    encoded = sum(segment.live - len(missing(segment, encoding.id)) for segment in segments)
    names = ("model", "kind", "storage", "size", "cosine", "identity")
    return {name: getattr(encoding, name) for name in names} | {"passages": encoded}


def _documents(segment: Segment) -> Values:
    """Return the keys of the documents of all live passages."""
    cut, own = segment.store.table("document"), segment.store.table("id")
    whole = np.ones(segment.entry.passages, bool)
    whole[cut.passages] = False
    keys = [cut.keys[segment.is_live(cut.passages)], own.keys[whole[own.passages] & segment.is_live(own.passages)]]
    return np.concatenate(keys)
