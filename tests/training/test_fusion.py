"""Fitting the fusion: weights, calibration error, and what the regression learns from rows with a known rule."""

import random

import numpy as np
import pytest

from groundwire.errors import InputError
from groundwire.training.fusion import FEATURES, Row, calibration_error, fit, row_weights

pytest.importorskip("sklearn", reason="fitting needs the extra eval")


def rows(n: int, source: str, seed: int, share: float = 0.5) -> list[Row]:
    rng = random.Random(seed)
    made = []
    for _ in range(n):
        supported = rng.random() < share
        signals = {name: rng.random() for name in FEATURES}
        signals["supports"] = rng.gauss(2.0 if supported else -2.0, 2.0)
        signals["numbers_missing"] = float(not supported and rng.random() < 0.5)
        made.append(Row(source=source, signals=signals, supported=supported))
    return made


def test_every_set_and_class_weighs_the_same():
    made = rows(300, "large", 1, share=0.8) + rows(50, "small", 2)
    weights = row_weights(made)
    masses = {
        key: weights[[(r.source, r.supported) == key for r in made]].sum()
        for key in {(r.source, r.supported) for r in made}
    }
    assert np.ptp(list(masses.values())) < 1e-9
    assert weights.mean() == pytest.approx(1)


def test_the_rule_is_found_and_beats_the_single_signal():
    fusion, report = fit(rows(2000, "a", 1) + rows(2000, "b", 2, share=0.2))
    assert fusion.weights["supports"] > 0 > fusion.weights["numbers_missing"]
    assert abs(fusion.weights["overlap"]) < 0.3
    assert report["auc_fused"] > report["auc_supports"] > 0.8 > report["auc_overlap"]
    assert report["ece"] < 0.05


def test_one_class_is_an_error():
    with pytest.raises(InputError, match="classes"):
        fit(rows(50, "a", 1, share=1.0))


def test_calibration_error_of_a_perfect_and_a_constant_forecast():
    y = np.array([True, False] * 50)
    assert calibration_error(y.astype(float), y, np.ones(100)) == 0
    assert calibration_error(np.full(100, 0.9), y, np.ones(100)) == pytest.approx(0.4)
