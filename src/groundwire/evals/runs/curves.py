"""The curves of a cell as numbers: ROC, precision and recall, reliability, histograms, errors by threshold.

Long curves are thinned to what an eye can tell apart. Left out: drawing (`drawings`, `picture`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from groundwire.evals.metrics import BINS, bin_of

MOST_POINTS = 200
HISTOGRAM_BINS = 20
STEPS = 100
"""Steps between the thresholds 0 and 1 of the slider."""

Points = list[tuple[float, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """A bin of a reliability diagram: mean score, share of supported rows, and rows."""

    score: float
    share: float
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What a threshold does to 1 000 answers such as these: supported ones flagged, unsupported ones let through."""

    threshold: float
    false_alarms: float
    misses: float


def roc(labels: NDArray[np.bool_], scores: NDArray[np.float64]) -> Points:
    """Return (share of unsupported accepted, share of supported accepted), from (0, 0) to (1, 1); empty of one class."""
    if labels.all() or not labels.any():
        return []
    accepted, right = _accepted(labels, scores)
    wrong = accepted - right
    return _thinned([(0.0, 0.0), *zip((wrong / wrong[-1]).tolist(), (right / right[-1]).tolist(), strict=True)])


def precision_recall(labels: NDArray[np.bool_], scores: NDArray[np.float64]) -> Points:
    """Return (recall, precision) of the supported class, by falling threshold; empty of one class."""
    if labels.all() or not labels.any():
        return []
    accepted, right = _accepted(labels, scores)
    return _thinned(list(zip((right / right[-1]).tolist(), (right / accepted).tolist(), strict=True)))


def reliability(labels: NDArray[np.bool_], scores: NDArray[np.float64]) -> list[Bin]:
    """Return the bins that hold any row."""
    which = bin_of(scores)
    members = [which == number for number in range(BINS)]
    return [
        Bin(score=float(scores[m].mean()), share=float(labels[m].mean()), n=int(m.sum())) for m in members if m.any()
    ]


def histogram(labels: NDArray[np.bool_], scores: NDArray[np.float64]) -> tuple[list[int], list[int]]:
    """Return how many supported rows, and how many others, lie in each of the equal bins of [0, 1]."""
    edges = np.linspace(0, 1, HISTOGRAM_BINS + 1)
    kinds = (np.histogram(np.clip(scores[labels == kind], 0, 1), bins=edges)[0] for kind in (True, False))
    supported, others = (counts.tolist() for counts in kinds)
    return supported, others


def steps(labels: NDArray[np.bool_], scores: NDArray[np.float64]) -> list[Step]:
    """Return what each threshold from 0 to 1 does, for 1 000 answers of which as many are supported as of these."""
    if not labels.size:
        return []
    supported, others = np.sort(scores[labels]), np.sort(scores[~labels])
    thresholds = np.linspace(0, 1, STEPS + 1)
    alarms = np.searchsorted(supported, thresholds, side="left")
    misses = others.size - np.searchsorted(others, thresholds, side="left")
    return [
        Step(threshold=float(t), false_alarms=float(a) * 1000 / labels.size, misses=float(m) * 1000 / labels.size)
        for t, a, m in zip(thresholds, alarms, misses, strict=True)
    ]


def _accepted(
    labels: NDArray[np.bool_], scores: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return at each distinct score, falling, how many rows have it or more, and how many of those are supported."""
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    last = np.flatnonzero(np.r_[ranked[1:] != ranked[:-1], True])
    return (last + 1).astype(np.float64), np.cumsum(labels[order])[last].astype(np.float64)


def _thinned(points: Points) -> Points:
    if len(points) <= MOST_POINTS:
        return points
    kept = np.unique(np.linspace(0, len(points) - 1, MOST_POINTS).round().astype(int))
    return [points[n] for n in kept]
