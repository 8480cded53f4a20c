"""Selection: Provenance section 3.2 and every edge case of it."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import UnknownName, UsageError
from groundwire.select import All, TopK, TopP, parse, probabilities
from groundwire.types import Hit, Passage


def hits(*scores: float) -> list[Hit]:
    return [Hit(passage=Passage(id=str(i), text=f"source {i}"), score=s, by="test") for i, s in enumerate(scores)]


def logits(*p: float) -> list[Hit]:
    """Hits whose softmax is p."""
    return hits(*(math.log(x) for x in p))


def positions(kept: list[tuple[int, float]]) -> list[int]:
    return [i for i, _ in kept]


def test_softmax_of_raw_logits():
    assert probabilities([0.0, math.log(3)]) == pytest.approx([0.25, 0.75])


def test_softmax_survives_the_range_of_raw_logits():
    p = probabilities([-10.0, 10.0, 1000.0])
    assert p == pytest.approx([0, 0, 1])
    assert all(math.isfinite(x) for x in p)


def test_sigmoid_then_sum():
    assert probabilities([0.0, 0.0], "sigmoid") == pytest.approx([0.5, 0.5])


def test_no_scores():
    assert probabilities([]) == []
    assert TopP().select([]) == []
    assert TopK().select([]) == []
    assert All().select([]) == []


def test_top_p_keeps_the_item_that_crosses():
    assert positions(TopP(0.9).select(logits(0.5, 0.3, 0.15, 0.05))) == [0, 1, 2]


def test_top_p_stops_when_the_sum_is_reached_in_spite_of_rounding():
    assert positions(TopP(0.9).select(logits(0.5, 0.4, 0.1))) == [0, 1]


def test_top_p_always_keeps_one():
    assert positions(TopP(0.01).select(logits(0.2, 0.5, 0.3))) == [1]


def test_ties_at_the_boundary_go_to_the_earlier_source():
    assert positions(TopP(0.5).select(logits(0.25, 0.25, 0.25, 0.25))) == [0, 1]
    assert positions(TopK(2).select(hits(1.0, 1.0, 1.0))) == [0, 1]


def test_top_k_larger_than_n_keeps_all():
    assert positions(TopK(5).select(hits(3.0, 1.0))) == [0, 1]


def test_a_single_source_weighs_one():
    assert TopP().select(hits(-7.3)) == [(0, 1.0)]


def test_kept_sources_stand_in_their_original_order_with_weights_that_sum_to_one():
    kept = TopK(2).select(logits(0.3, 0.1, 0.6))
    assert positions(kept) == [0, 2]
    assert [w for _, w in kept] == pytest.approx([1 / 3, 2 / 3])


def test_duplicate_sources_split_the_weight():
    assert [w for _, w in TopK(2).select(hits(2.0, 2.0))] == pytest.approx([0.5, 0.5])


@pytest.mark.parametrize("spec", ["all", "top-k:5", "top-k:3:sigmoid", "top-p:0.9", "top-p:0.75:sigmoid"])
def test_a_selector_prints_as_the_string_that_makes_it(spec):
    assert str(parse(spec)) == spec


@pytest.mark.parametrize("spec", ["top-k:0", "top-k:x", "top-p:0", "top-p:1.5", "top-p:nan"])
def test_impossible_numbers_are_usage_errors(spec):
    with pytest.raises(UsageError):
        parse(spec)


def test_unknown_selectors_name_the_near_ones():
    with pytest.raises(UnknownName, match="top-k"):
        parse("top-q:0.9")


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=30), st.floats(0.01, 1.0))
def test_top_p_is_the_shortest_run_that_reaches_p(scores, p):
    kept = TopP(p).select(hits(*scores))
    probability = probabilities(scores)
    mass = math.fsum(probability[i] for i, _ in kept)
    assert mass >= p - 1e-9
    assert mass - min(probability[i] for i, _ in kept) < p + 1e-9
    assert math.fsum(w for _, w in kept) == pytest.approx(1)
    assert positions(kept) == sorted(positions(kept))
