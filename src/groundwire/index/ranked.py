"""The best of what several segments found, in the order that every retriever keeps.

Left out: how they found it (`bm25`, `dense`, `sparse`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from groundwire.index.segment import Segment
from groundwire.types import Hit

Values = NDArray[Any]


class Place(NamedTuple):
    """A passage of a segment and its score."""

    segment: Segment
    number: int
    score: float


def best(found: Sequence[tuple[Segment, Values, Values]], k: int) -> list[Place]:
    """Return the best k of (segment, numbers, scores), of equal scores the smaller passage id first.

    Ids are read only of those that can be among them.
    """
    if not found:
        return []
    scores = np.concatenate([score for _, _, score in found])
    last = np.partition(scores, -k)[-k] if len(scores) > k else scores.min(initial=np.inf)
    ranked = [
        (-score, segment.store.id(number), Place(segment, number, score))
        for segment, numbers, own in found
        for number, score in zip(numbers[own >= last].tolist(), own[own >= last].tolist(), strict=True)
    ]
    ranked.sort(key=lambda entry: entry[:2])
    return [place for _, _, place in ranked[:k]]


def hits(ranked: Sequence[Sequence[Place]], by: str) -> list[list[Hit]]:
    """Return each query's places with their passages."""
    return [
        [Hit(passage=place.segment.store.passage(place.number), score=place.score, by=by) for place in places]
        for places in ranked
    ]


def ids(ranked: Sequence[Sequence[Place]]) -> list[list[tuple[str, float]]]:
    """Return each query's (passage id, score): what a run file needs, without fetching texts."""
    return [[(place.segment.store.id(place.number), place.score) for place in places] for places in ranked]
