"""Fitting the fusion: weights, calibration error, and what the regression learns from rows with a known rule."""

import json
import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from groundwire import recipes
from groundwire.errors import InputError
from groundwire.judge.fused import Fusion
from groundwire.training.fusion import (
    FEATURES,
    PARTS,
    Row,
    calibration_error,
    cases_of,
    collect,
    fit,
    fitting_cases,
    left_out,
    row_weights,
    save,
    save_parts,
)
from groundwire.training.mixture import load_mixture

pytest.importorskip("sklearn", reason="fitting needs the extra eval")


def rows(n: int, source: str, seed: int, share: float = 0.5) -> list[Row]:
    rng = random.Random(seed)
    made = []
    for _ in range(n):
        supported = rng.random() < share
        signals = {name: rng.random() for part in (FEATURES, *PARTS.values()) for name in part}
        signals["supports"] = rng.gauss(2.0 if supported else -2.0, 2.0)
        signals["numbers_missing"] = float(not supported and rng.random() < 0.5)
        made.append(Row(source=source, signals=signals, supported=supported))
    return made


ALONE = PARTS["without relevance"]


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
    fusion, report = fit(rows(2000, "a", 1) + rows(2000, "b", 2, share=0.2), features=ALONE)
    assert fusion.weights["supports"] > 0 > fusion.weights["numbers_missing"]
    assert abs(fusion.weights.get("overlap", 0.0)) < 0.3
    assert report["auc_fused"] > report["auc_supports"] > 0.8 > report["auc_overlap"]
    assert report["ece"] < 0.05


def test_a_fusion_of_some_signals_reads_no_other(tmp_path):
    made = rows(1000, "a", 1)
    fusion, report = fit(made, features={"overlap": 1, "numbers_missing": -1})
    assert set(fusion.weights) <= {"overlap", "numbers_missing"}
    assert 0.6 < report["auc_fused"] < fit(made, features=ALONE)[1]["auc_fused"]
    save_parts(made, tmp_path / "parts.json")
    found = json.loads((tmp_path / "parts.json").read_text())["fusions"]
    assert {name: set(part["weights"]) - set(PARTS[name]) for name, part in found.items()} == {n: set() for n in PARTS}
    assert found["without relevance"]["weights"]["supports"] > 0


def test_every_signal_counts_the_same_way_wherever_it_is_read():
    signs = {}
    for part in (FEATURES, *PARTS.values()):
        for name, sign in part.items():
            assert signs.setdefault(name, sign) == sign


def test_one_class_is_an_error():
    with pytest.raises(InputError, match="classes"):
        fit(rows(50, "a", 1, share=1.0))


def test_calibration_error_of_a_perfect_and_a_constant_forecast():
    y = np.array([True, False] * 50)
    assert calibration_error(y.astype(float), y, np.ones(100)) == 0
    assert calibration_error(np.full(100, 0.9), y, np.ones(100)) == pytest.approx(0.4)


def test_signals_are_collected_for_answers_of_one_claim():
    row = {"id": 1, "question": None, "contexts": ["The Ebro rises in Cantabria."], "label": 1}
    one, two = row | {"answer": "The Ebro rises."}, row | {"answer": "The Ebro rises. It flows east.", "label": 0}
    found = collect(recipes.build("default"), cases_of([one, two], "rivers"))
    assert [(r.source, r.supported) for r in found] == [("rivers", True)]
    assert set(FEATURES) <= set(found[0].signals)


def test_whether_a_claim_is_denied_is_known_where_three_labels_are_told_apart():
    row = {"id": 1, "question": None, "contexts": ["The Ebro rises in Cantabria."], "answer": "The Ebro rises."}
    told = [row | {"label": int(name == "supports"), "label3": name} for name in ("supports", "refutes", "nei")]
    found = collect(recipes.build("default"), cases_of([*told, row | {"label": 0}], "rivers"))
    assert [(r.supported, r.denied) for r in found] == [(True, None), (False, True), (False, False), (False, None)]


def test_the_fitting_cases_are_of_sets_that_the_model_does_not_train_on(shared_data, tmp_path):
    mixture = load_mixture()
    assert mixture.fusion
    assert not set(mixture.fusion) & {name for counts in mixture.counts.values() for name in counts}
    row = {"id": "v", "question": None, "answer": "a", "contexts": ["b"], "label": 1}
    rows = [row | {"subset": "number"}, row | {"subset": None}, row | {"subset": "digest-merged"}]
    (tmp_path / "validation.jsonl").write_text("\n".join(map(json.dumps, rows)))
    found = fitting_cases(mixture, shared_data, tmp_path, limit=3)
    counts = Counter(group for group, _, _ in found)
    ours = [
        "small worlds",
        "written",
        "answers from memory",
        "told from a glimpse",
        "told anew, changed",
        "put together",
    ]
    assert counts == dict.fromkeys([*mixture.fusion, *ours], 3) | {"minimal pairs": 1}
    assert all(case.question for group, case, _ in found if group == "answers from memory")


def test_a_saved_fusion_is_plain_json(tmp_path):
    path = tmp_path / "fusion.json"
    fusion = Fusion(weights={"overlap": 1.5}, bias=-1.0, model_sha256="ab")
    save(fusion, {"n": 3.0, "auc_fused/a": 0.9}, path, denials={"caught/a": 0.7}, others={"b": 0.8})
    data = json.loads(path.read_text())
    assert (data["weights"], data["bias"], data["model_sha256"]) == ({"overlap": 1.5}, -1.0, "ab")
    assert data["cross_validated"] == {"n": 3.0, "auc_fused/a": 0.9}
    assert (data["denied"], data["denied_fitted"]) == (0.0, {"caught/a": 0.7})
    assert data["fitted_on_the_others"] == {"b": 0.8}


def test_what_a_rule_of_the_other_groups_is_worth_on_each():
    turned = [replace(row, supported=not row.supported) for row in rows(400, "turned", 3)]
    found = left_out(rows(400, "a", 1) + rows(400, "b", 2) + turned + rows(9, "sure", 4, share=1.0), features=ALONE)
    assert set(found) == {"a", "b", "turned"}
    assert found["turned"] < 0.2 < 0.8 < min(found["a"], found["b"])
    assert left_out(rows(50, "a", 1)) == {}
