import random

import pytest

from groundwire.evals.ranking import ndcg


def test_the_definition_by_hand() -> None:
    grades = {"a": 3, "b": 1, "c": 0}
    assert ndcg(["a", "b", "c"], grades) == 1
    assert ndcg(["c", "a", "b"], grades) == pytest.approx((3 / 1.5849625 + 1 / 2) / (3 + 1 / 1.5849625))
    assert ndcg(["x", "y"], grades) == 0


def test_what_nobody_judged_and_what_stands_below_k_gain_nothing() -> None:
    grades = {"a": 2}
    assert ndcg(["x", "a"], grades, k=1) == 0
    assert ndcg(["a", "x"], grades, k=1) == 1


def test_a_negative_grade_counts_as_none() -> None:
    assert ndcg(["a", "b"], {"a": -2, "b": 1}) == ndcg(["x", "b"], {"b": 1})


def test_without_a_relevant_document_it_is_undefined() -> None:
    assert ndcg(["a"], {"a": 0}) is None
    assert ndcg(["a"], {}) is None


@pytest.mark.parametrize("seed", range(20))
def test_it_is_what_scikit_learn_computes(seed: int) -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="needs the extra eval")
    rng = random.Random(seed)
    judged = {f"d{i}": rng.choice((0, 0, 1, 2, 3)) for i in range(40)} | {"d0": 2}
    ranked = rng.sample([*judged, *(f"x{i}" for i in range(20))], 30)
    everything = [*ranked, *(d for d in judged if d not in ranked)]
    scores = [-rank for rank in range(len(everything))]
    theirs = metrics.ndcg_score([[judged.get(d, 0) for d in everything]], [scores], k=10, ignore_ties=True)
    assert ndcg(ranked, judged, k=10) == pytest.approx(theirs)
