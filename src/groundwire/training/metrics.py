"""Figures of validation: ranking (AUC), three-way accuracy, token F1, and edits caught at a fixed rate of false alarms.

Plain Python, for a few thousand values. Leaves out: intervals (the evaluation package has them).
"""

from __future__ import annotations

from collections.abc import Sequence


def auc(scores: Sequence[float], labels: Sequence[int]) -> float | None:
    """Area under the ROC curve, ties at half; None where one class is missing."""
    positives = sum(labels)
    negatives = len(labels) - positives
    if not positives or not negatives:
        return None
    order = sorted(range(len(scores)), key=lambda i: scores[i])
    total, at = 0.0, 0
    while at < len(order):
        end = at
        while end < len(order) and scores[order[end]] == scores[order[at]]:
            end += 1
        total += (at + end + 1) / 2 * sum(labels[order[i]] for i in range(at, end))
        at = end
    return (total - positives * (positives + 1) / 2) / (positives * negatives)


def f1(predicted: Sequence[bool], actual: Sequence[bool]) -> float | None:
    """F1 of the positive class; None where it does not occur."""
    hits = sum(p and a for p, a in zip(predicted, actual, strict=True))
    found, there = sum(predicted), sum(actual)
    return 2 * hits / (found + there) if there else None


def caught(scores: Sequence[float], labels: Sequence[int], false_alarms: float = 0.05) -> float | None:
    """Share of unsupported claims (label 0) below the threshold that alarms on `false_alarms` of supported ones."""
    good = sorted(s for s, y in zip(scores, labels, strict=True) if y)
    bad = [s for s, y in zip(scores, labels, strict=True) if not y]
    if not good or not bad:
        return None
    threshold = good[int(false_alarms * len(good))]
    return sum(s < threshold for s in bad) / len(bad)
