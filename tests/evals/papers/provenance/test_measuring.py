import math
import random

import pytest

from groundwire.evals.bootstrap import Bootstrap
from groundwire.evals.papers.provenance.data import DataSet
from groundwire.evals.papers.provenance.measuring import (
    AT_BEST,
    AT_GMEAN,
    AT_HALF,
    Checked,
    accuracies,
    auc,
    thresholds,
)
from groundwire.evals.papers.provenance.scoring import Scores

DRAW = Bootstrap(resamples=50)


def scored(labels: list[bool], scores: list[float | None]) -> Scores:
    groups = [str(n) for n in range(len(labels))]
    return Scores(data=DataSet(name="PAWS"), labels=labels, groups=groups, by_recipe={"r": scores})


def test_thresholds_are_those_that_a_search_finds() -> None:
    rng = random.Random(4)
    labels = [rng.random() < 0.3 for _ in range(60)]
    scores = [round(rng.random() * 0.6 + 0.3 * label, 2) for label in labels]
    found = thresholds(Checked.of(scored(labels, list(scores)), "r"))

    def right(at: float) -> float:
        return sum((s >= at) == label for s, label in zip(scores, labels, strict=True)) / 60

    def gmean(at: float) -> float:
        true = sum(s >= at for s, label in zip(scores, labels, strict=True) if label) / sum(labels)
        false = sum(s >= at for s, label in zip(scores, labels, strict=True) if not label) / (60 - sum(labels))
        return math.sqrt(true * (1 - false))

    candidates = [*scores, 2.0]
    assert right(found[AT_BEST]) == max(map(right, candidates))
    assert gmean(found[AT_GMEAN]) == pytest.approx(max(map(gmean, candidates)))
    assert found[AT_HALF] == 0.5


def test_accuracy_counts_the_checked_rows_alone() -> None:
    found = accuracies(scored([True, False, False, True], [0.9, 0.6, 0.1, None]), "r", DRAW)
    assert found[AT_HALF].figure.value == pytest.approx(2 / 3)
    assert found[AT_BEST].figure.value == 1.0
    assert {level.n for level in found.values()} == {3}


def test_one_class_and_no_score_are_said_and_are_not_nan() -> None:
    one = auc(scored([True, True], [0.2, 0.4]), "r", DRAW)
    assert (one.figure.value, one.text(share=True)) == (None, "one class")
    none = auc(scored([True], [None]), "r", DRAW)
    assert none.to_dict() == {"value": None, "low": None, "high": None, "n": 0, "why": "no score"}
    assert accuracies(scored([True, True], [0.2, 0.4]), "r", DRAW)[AT_GMEAN].figure.value == 0.0
    assert accuracies(scored([False], [None]), "r", DRAW)[AT_BEST].text(share=True) == "no score"
