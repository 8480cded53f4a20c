"""Metrics of a binary checker, each written once, in a form that can weigh every row.

The positive class is *supported*. A weight of 1 for every row gives the plain metric; the counts with which a bootstrap
resample drew the rows give that resample's metric, so `bootstrap` computes a thousand of them as one matrix.

Definitions: area under the ROC curve by mid-ranks, so a tie counts one half (Hanley and McNeil 1982; Fawcett 2006,
section 7); average precision as the step-wise sum of precision over recall, not interpolated (as in scikit-learn);
balanced accuracy as the mean of both classes' recalls; F1 = 2 TP / (2 TP + FP + FN).

A metric whose class has no row is undefined: `None` from the plain functions, NaN in the arrays of the weighted ones,
never 0. What is measured at the best threshold of the very rows is named optimistic, and `best_threshold` is for tuning on
other rows. Left out: intervals (`bootstrap.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from groundwire.errors import InputError

Weights = NDArray[np.float64]
"""[resamples, n]: how often each resample holds each row, the rows in the order of `Rows`."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Labelled scores, highest score first, ready to be weighed.

    `order` holds each row's position in the input, `scores` its score, `starts` the first row of every run of equal scores,
    `accepted` the rows whose score is at least the threshold.
    """

    order: NDArray[np.intp]
    scores: NDArray[np.float64]
    positive: NDArray[np.bool_]
    accepted: NDArray[np.bool_]
    starts: NDArray[np.intp]

    @classmethod
    def of(cls, labels: ArrayLike, scores: ArrayLike, threshold: float = 0.5) -> Self:
        """Rank n `labels` (true = supported) by n finite `scores`.

        Raises InputError where the lengths differ or a score is not finite: a row without a score is not a row.
        """
        positive = np.asarray(labels, dtype=bool).reshape(-1)
        values = np.asarray(scores, dtype=np.float64).reshape(-1)
        if positive.shape != values.shape:
            raise InputError(f"{positive.size} labels but {values.size} scores", "give one score for each label")
        if not np.isfinite(values).all():
            raise InputError("a score is not finite", "leave rows that could not be checked out, and count them")
        order = np.argsort(-values, kind="stable")
        ranked = values[order]
        starts = np.flatnonzero(np.r_[True, ranked[1:] != ranked[:-1]][: ranked.size])
        return cls(order=order, scores=ranked, positive=positive[order], accepted=ranked >= threshold, starts=starts)

    def ones(self) -> Weights:
        """Return the weights that hold every row once."""
        return np.ones((1, self.positive.size))


Metric = Callable[[Rows, Weights], NDArray[np.float64]]
"""Gives one figure for each resample, NaN where the resample lacks the class."""


def _ratio(numerator: NDArray[np.float64], denominator: NDArray[np.float64]) -> NDArray[np.float64]:
    quotient = np.full(numerator.shape, np.nan)
    np.divide(numerator, denominator, out=quotient, where=denominator > 0)
    return quotient


def _runs(rows: Rows, weights: Weights) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the weight of the positive and of the negative rows in each run of equal scores: [resamples, runs]."""
    if not rows.starts.size:
        return np.zeros((len(weights), 1)), np.zeros((len(weights), 1))
    total = np.add.reduceat(weights, rows.starts, axis=1)
    positive = np.add.reduceat(weights * rows.positive, rows.starts, axis=1)
    return positive, total - positive


def weighted_auc(rows: Rows, weights: Weights) -> NDArray[np.float64]:
    """Area under the ROC curve: the chance that a supported row outscores another, a tie counting one half."""
    positive, negative = _runs(rows, weights)
    above = np.cumsum(positive, axis=1) - positive / 2
    return _ratio((above * negative).sum(axis=1), positive.sum(axis=1) * negative.sum(axis=1))


def weighted_average_precision(rows: Rows, weights: Weights) -> NDArray[np.float64]:
    """Precision, averaged over the recall that each distinct score adds. Undefined where either class is absent."""
    positive, negative = _runs(rows, weights)
    found = np.cumsum(positive, axis=1)
    precision = np.nan_to_num(_ratio(found, found + np.cumsum(negative, axis=1)))
    average = _ratio((positive * precision).sum(axis=1), positive.sum(axis=1))
    return np.where(negative.sum(axis=1) > 0, average, np.nan)


def _confusion(rows: Rows, weights: Weights) -> tuple[NDArray[np.float64], ...]:
    """Return true positives, false positives, false negatives and true negatives, each [resamples]."""
    cells = ((True, True), (False, True), (True, False), (False, False))
    return tuple(weights @ ((rows.positive == p) & (rows.accepted == a)).astype(np.float64) for p, a in cells)


def weighted_balanced_accuracy(rows: Rows, weights: Weights) -> NDArray[np.float64]:
    """Mean of the share of supported rows that are accepted and the share of the others that are not."""
    tp, fp, fn, tn = _confusion(rows, weights)
    return (_ratio(tp, tp + fn) + _ratio(tn, tn + fp)) / 2


def weighted_f1_supported(rows: Rows, weights: Weights) -> NDArray[np.float64]:
    """F1 of finding the supported rows."""
    tp, fp, fn, _ = _confusion(rows, weights)
    return np.where(tp + fn > 0, _ratio(2 * tp, 2 * tp + fp + fn), np.nan)


def weighted_f1_hallucinated(rows: Rows, weights: Weights) -> NDArray[np.float64]:
    """F1 of finding the rows that are *not* supported: what is published under the plain key `f1`."""
    _, fp, fn, tn = _confusion(rows, weights)
    return np.where(fp + tn > 0, _ratio(2 * tn, 2 * tn + fp + fn), np.nan)


def weighted_precision_hallucinated(rows: Rows, weights: Weights) -> NDArray[np.float64]:
    """Share of the rejected rows that are indeed not supported; 0 where none is rejected."""
    _, fp, fn, tn = _confusion(rows, weights)
    precision = np.where(fn + tn > 0, _ratio(tn, fn + tn), 0.0)
    return np.where(fp + tn > 0, precision, np.nan)


def weighted_recall_hallucinated(rows: Rows, weights: Weights) -> NDArray[np.float64]:
    """Share of the rows that are not supported which are rejected."""
    _, fp, _, tn = _confusion(rows, weights)
    return _ratio(tn, fp + tn)


def weighted_caught(alarms: float) -> Metric:
    """Return the metric that gives the share of unsupported rows rejected where at most `alarms` of the others are.

    The threshold is that of each resample: the highest that rejects no larger share of the supported rows.
    """

    def metric(rows: Rows, weights: Weights) -> NDArray[np.float64]:
        positive, negative = _runs(rows, weights)
        false, caught = (_below(part) for part in (positive, negative))
        return np.where(np.isnan(false).all(axis=1), np.nan, np.where(false <= alarms, caught, 0.0).max(axis=1))

    return metric


def _below(part: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the share of the weight [resamples, runs] that stands below each run, never less than none of it."""
    total = part.sum(axis=1, keepdims=True)
    return np.maximum(_ratio(total - np.cumsum(part, axis=1), np.broadcast_to(total, part.shape)), 0.0)


def weighted_accuracy(rows: Rows, weights: Weights) -> NDArray[np.float64]:
    """Share of the rows that stand on the side of the threshold where they belong."""
    right = (rows.positive == rows.accepted).astype(np.float64)
    return _ratio(weights @ right, weights.sum(axis=1))


def weighted_best_accuracy(rows: Rows, weights: Weights) -> NDArray[np.float64]:
    """The highest accuracy that any threshold gives on these very rows: optimistic, for each resample picks its own."""
    positive, negative = _runs(rows, weights)
    none = negative.sum(axis=1)
    right = none[:, None] + np.cumsum(positive - negative, axis=1)
    return _ratio(np.maximum(right.max(axis=1), none), weights.sum(axis=1))


def weighted_recall_supported(rows: Rows, weights: Weights) -> NDArray[np.float64]:
    """Share of the supported rows that are accepted."""
    tp, _, fn, _ = _confusion(rows, weights)
    return _ratio(tp, tp + fn)


def weighted_brier(rows: Rows, weights: Weights) -> NDArray[np.float64]:
    """Mean squared distance of the score, read as a probability, from the label (Brier 1950); 0 is best."""
    return _ratio(weights @ (rows.scores - rows.positive) ** 2, weights.sum(axis=1))


def weighted_calibration_error(rows: Rows, weights: Weights) -> NDArray[np.float64]:
    """Expected calibration error over ten bins of equal width (Naeini et al. 2015; Guo et al. 2017): 0 is best.

    A bin holds the scores from its lower edge to below its upper one, the last one 1 too. The error is the mean distance
    between a bin's mean score and its share of supported rows, weighed by its rows.
    """
    gap = np.zeros(len(weights))
    which = bin_of(rows.scores)
    for number in np.unique(which):
        members = which == number
        gap += np.abs(weights[:, members] @ (rows.scores[members] - rows.positive[members]))
    return _ratio(gap, weights.sum(axis=1))


BINS = 10
"""Of the calibration error and of reliability diagrams."""


def bin_of(scores: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the bin of each score in [0, 1], counted from 0."""
    edges = np.linspace(0, 1, BINS + 1)[1:-1]
    return np.searchsorted(edges, scores, side="right")


METRICS: Mapping[str, Metric] = {
    "auc": weighted_auc,
    "average_precision": weighted_average_precision,
    "balanced_accuracy": weighted_balanced_accuracy,
    "f1": weighted_f1_hallucinated,
    "f1_supported": weighted_f1_supported,
}
"""Every metric by the key it is published under."""

SPAN_METRICS: Mapping[str, Metric] = {
    "precision": weighted_precision_hallucinated,
    "recall": weighted_recall_hallucinated,
    "f1": weighted_f1_hallucinated,
}
"""What is measured of marked words, a row each, by the key it is published under."""


PROBABILITY_METRICS: Mapping[str, Metric] = {"ece": weighted_calibration_error, "brier": weighted_brier}
"""What is measured of scores in [0, 1] that are read as probabilities; 0 is best."""


def best_threshold(rows: Rows) -> float | None:
    """Return the threshold of the highest accuracy on these rows, half-way between two scores; None of no rows.

    It may only be used on other rows. Of several that are as good it is the one nearest one half. Where it is best to reject
    every row the threshold lies just over the highest score.
    """
    if not rows.starts.size:
        return None
    positive, negative = (part[0] for part in _runs(rows, rows.ones()))
    right = np.r_[negative.sum(), negative.sum() + np.cumsum(positive - negative)]
    scores = rows.scores[rows.starts]
    cuts = np.r_[np.nextafter(scores[0], np.inf), (scores[:-1] + scores[1:]) / 2, scores[-1]]
    best = cuts[right == right.max()]
    return float(best[np.argmin(np.abs(best - 0.5))])


def plain(metric: Metric, rows: Rows) -> float | None:
    """Return the metric over every row once, or None where it is undefined."""
    value = float(metric(rows, rows.ones())[0])
    return None if math.isnan(value) else value


def roc_auc(labels: Sequence[bool], scores: Sequence[float]) -> float | None:
    """Return the area under the ROC curve in [0, 1], or None where only one class is there."""
    return plain(weighted_auc, Rows.of(labels, scores))


def average_precision(labels: Sequence[bool], scores: Sequence[float]) -> float | None:
    """Return the average precision of the supported class in [0, 1], or None where only one class is there."""
    return plain(weighted_average_precision, Rows.of(labels, scores))


def balanced_accuracy(labels: Sequence[bool], scores: Sequence[float], threshold: float) -> float | None:
    """Return the mean recall of both classes at `score >= threshold`, or None where only one class is there."""
    return plain(weighted_balanced_accuracy, Rows.of(labels, scores, threshold))


def f1_supported(labels: Sequence[bool], scores: Sequence[float], threshold: float) -> float | None:
    """Return F1 of the supported class at `score >= threshold`, or None where no row is supported."""
    return plain(weighted_f1_supported, Rows.of(labels, scores, threshold))


def f1_hallucinated(labels: Sequence[bool], scores: Sequence[float], threshold: float) -> float | None:
    """Return F1 of the class that is not supported at `score >= threshold`, or None where every row is supported."""
    return plain(weighted_f1_hallucinated, Rows.of(labels, scores, threshold))
