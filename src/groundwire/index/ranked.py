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
    """A passage of a segment, its score and its id."""

    segment: Segment
    number: int
    score: float
    id: str


def best(found: Sequence[tuple[Segment, Values, Values]], k: int) -> list[Place]:
    """Return the best k of (segment, numbers, scores), of equal scores the smaller passage id first.

    Ids are read only of those that can be among them.
    """
    if not found:
        return []
    scores = np.concatenate([score for _, _, score in found]) if len(found) > 1 else found[0][2]
    last = np.partition(scores, -k)[-k] if len(scores) > k else scores.min(initial=np.inf)
    ranked = []
    for segment, numbers, own in found:
        here = np.flatnonzero(own >= last)
        for number, score in zip(numbers[here].tolist(), own[here].tolist(), strict=True):
            ranked.append(Place(segment, number, score, segment.store.id(number)))
    ranked.sort(key=lambda place: (-place.score, place.id))
    return ranked[:k]


def hits(ranked: Sequence[Sequence[Place]], by: str) -> list[list[Hit]]:
    """Return each query's places with their passages."""
    return [
        [Hit(passage=place.segment.store.passage(place.number), score=place.score, by=by) for place in places]
        for places in ranked
    ]


def ids(ranked: Sequence[Sequence[Place]]) -> list[list[tuple[str, float]]]:
    """Return each query's (passage id, score): what a run file needs, without fetching texts."""
    return [[(place.id, place.score) for place in places] for places in ranked]
