"""Figures of a set's scores: AUC, and accuracy at 0.5 and at two thresholds that are chosen on the same rows.

The paper does not say at which threshold its accuracies are. At .5 nothing is chosen; the other two look at the labels of the
rows that they are reported on, and are labelled as optimistic: the threshold of the best accuracy, and that of the largest
G-mean √(TPR · (1 − FPR)), as the TRUE library has it. Their intervals keep the threshold. Rows that could not be checked are
left out and counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from groundwire.evals.bootstrap import Bootstrap, Figure
from groundwire.evals.metrics import Rows, weighted_auc
from groundwire.evals.papers.provenance.scoring import Scores
from groundwire.evals.papers.table import Level

ONE_CLASS = "one class"
NOTHING = "no score"
AT_HALF, AT_BEST, AT_GMEAN = "at .5", "best, optimistic", "G-mean, optimistic"
THRESHOLDS = (AT_HALF, AT_BEST, AT_GMEAN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The rows that have a score: labels (true = factual), scores, groups."""

    labels: NDArray[np.bool_]
    scores: NDArray[np.float64]
    groups: list[str]

    @classmethod
    def of(cls, scores: Scores, recipe: str) -> Checked:
        """Take the rows that this recipe could check."""
        rows = [
            (label, score, group)
            for label, score, group in zip(scores.labels, scores.by_recipe[recipe], scores.groups, strict=True)
            if score is not None
        ]
        return cls(
            labels=np.array([row[0] for row in rows], dtype=bool),
            scores=np.array([row[1] for row in rows], dtype=np.float64),
            groups=[row[2] for row in rows],
        )

    @property
    def n(self) -> int:
        """Return how many rows have a score."""
        return int(self.labels.size)


def auc(scores: Scores, recipe: str, draw: Bootstrap) -> Level:
    """Return the area under the ROC curve; why there is none where only one class is there."""
    checked = Checked.of(scores, recipe)
    if not checked.n:
        return Level(figure=Figure(None), why=NOTHING)
    figure = draw.figure(weighted_auc, Rows.of(checked.labels, checked.scores), checked.groups)
    return Level(figure=figure, n=checked.n, why=ONE_CLASS)


def accuracies(scores: Scores, recipe: str, draw: Bootstrap) -> dict[str, Level]:
    """Return the accuracy at each of `THRESHOLDS`."""
    checked = Checked.of(scores, recipe)
    if not checked.n:
        return {name: Level(figure=Figure(None), why=NOTHING) for name in THRESHOLDS}
    return {name: _accuracy(checked, at, draw) for name, at in thresholds(checked).items()}


def thresholds(checked: Checked) -> Mapping[str, float]:
    """Return the three thresholds; a score from the threshold on counts as factual. Of equally good ones the lowest counts.

    With a single class there is no G-mean: its threshold is .5.
    """
    candidates = np.unique(np.r_[checked.scores, np.inf])
    true, false = (_accepted(checked.scores[which], candidates) for which in (checked.labels, ~checked.labels))
    right = true + (~checked.labels).sum() - false
    best = float(candidates[int(right.argmax())])
    if checked.labels.all() or not checked.labels.any():
        return {AT_HALF: 0.5, AT_BEST: best, AT_GMEAN: 0.5}
    tpr, fpr = true / checked.labels.sum(), false / (~checked.labels).sum()
    return {AT_HALF: 0.5, AT_BEST: best, AT_GMEAN: float(candidates[int((tpr * (1 - fpr)).argmax())])}


def _accepted(scores: NDArray[np.float64], thresholds: NDArray[np.float64]) -> NDArray[np.int64]:
    """Count the scores that reach each threshold."""
    below: NDArray[np.int64] = np.searchsorted(np.sort(scores), thresholds, side="left")
    return scores.size - below


def _accuracy(checked: Checked, threshold: float, draw: Bootstrap) -> Level:
    right = (checked.scores >= threshold) == checked.labels
    return Level(figure=draw.mean([float(hit) for hit in right], checked.groups), n=checked.n)
