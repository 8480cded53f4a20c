"""Figures against values worked out by hand."""

import pytest

from groundwire.training.metrics import auc, caught, f1


def test_auc() -> None:
    assert auc([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1]) == pytest.approx(0.75)
    assert auc([0.5, 0.5], [0, 1]) == pytest.approx(0.5)
    assert auc([0.1, 0.2], [1, 1]) is None


def test_f1() -> None:
    assert f1([True, True, False], [True, False, True]) == pytest.approx(0.5)
    assert f1([True], [False]) is None


def test_caught() -> None:
    scores, labels = [0.9] * 19 + [0.2] + [0.1, 0.3, 0.95], [1] * 20 + [0, 0, 0]
    assert caught(scores, labels, 0.05) == pytest.approx(2 / 3)
    assert caught([0.3], [1]) is None
