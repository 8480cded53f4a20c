import math
import random
from collections.abc import Sequence

import pytest

from groundwire.errors import InputError, UnknownName
from groundwire.evals.ranking import METRICS, known, measure

pytest.importorskip("ir_measures", reason="needs the extra eval")


def of_one(ranked: Sequence[str], grades: dict[str, int], *metrics: str, level: int = 1) -> list[float]:
    found = measure({"q": ranked}, {"q": grades}, metrics, level=level)
    return [found.by_query[name]["q"] for name in metrics]


def test_the_definitions_by_hand() -> None:
    grades = {"a": 3, "b": 1, "c": 0, "z": 1}
    names = ("map", "ndcg_cut_10", "recip_rank", "recall_100", "recall_2", "P_2", "P_30")
    precision, ndcg, first, recall, recall_2, p_2, p_30 = of_one(["c", "a", "x", "b"], grades, *names)
    assert precision == pytest.approx((1 / 2 + 2 / 4) / 3)
    assert ndcg == pytest.approx((3 / math.log2(3) + 1 / math.log2(5)) / (3 + 1 / math.log2(3) + 1 / 2))
    assert (first, recall, recall_2) == pytest.approx((1 / 2, 2 / 3, 1 / 3))
    assert (p_2, p_30) == pytest.approx((1 / 2, 2 / 30))


def test_a_ranking_is_measured_in_the_order_that_it_has() -> None:
    """Trec_eval puts equal scores by falling id; here nothing is equal."""
    ranked = [f"d{i:04}" for i in range(1500)]
    for place in (1, 7, 999, 1400):
        assert of_one(ranked, {ranked[place - 1]: 1}, "recip_rank") == pytest.approx([1 / place])


def test_a_level_is_the_least_relevant_grade_and_ndcg_takes_grades_as_they_are() -> None:
    grades = {"a": 1, "b": 2}
    assert of_one(["a", "b"], grades, "map", "recip_rank", "P_2", level=2) == pytest.approx([0.5, 0.5, 0.5])
    assert of_one(["a", "b"], grades, "ndcg_cut_10", level=2) == of_one(["a", "b"], grades, "ndcg_cut_10")


def test_means_are_over_all_judged_queries() -> None:
    found = measure({"1": ["a"], "3": ["a"]}, {"1": {"a": 1}, "2": {"b": 1}}, ["map"])
    assert found.means == {"map": 0.5}
    assert found.queries == ("1", "2")
    figure = found.figures()["map"]
    assert (figure.value, figure.low, figure.high) == (0.5, 0.0, 1.0)


def test_a_query_without_hits_counts_nothing() -> None:
    assert measure({"1": [], "2": ["b"]}, {"1": {"a": 1}, "2": {"b": 1}}, ["map"]).means == {"map": 0.5}


def test_the_usual_metrics_are_all_known() -> None:
    known(METRICS)
    assert set(measure({"q": ["a"]}, {"q": {"a": 1}}).means) == set(METRICS)


@pytest.mark.parametrize("name", ["nonsense", "official", "ndcg_cut_", ""])
def test_a_metric_that_nobody_knows(name: str) -> None:
    with pytest.raises(UnknownName, match="unknown metric"):
        known([name])


def test_ids_that_do_not_meet_are_said() -> None:
    with pytest.raises(InputError, match="no query of the run is judged"):
        measure({"1": ["a"]}, {"2": {"a": 1}})


@pytest.mark.parametrize("seed", range(5))
def test_ndcg_is_what_scikit_learn_computes(seed: int) -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="needs the extra eval")
    rng = random.Random(seed)
    judged = {f"d{i}": rng.choice((0, 0, 1, 2, 3)) for i in range(40)} | {"d0": 2}
    ranked = rng.sample([*judged, *(f"x{i}" for i in range(20))], 30)
    everything = [*ranked, *(d for d in judged if d not in ranked)]
    scores = [-rank for rank in range(len(everything))]
    theirs = metrics.ndcg_score([[judged.get(d, 0) for d in everything]], [scores], k=10, ignore_ties=True)
    assert of_one(ranked, judged, "ndcg_cut_10") == pytest.approx([theirs])
