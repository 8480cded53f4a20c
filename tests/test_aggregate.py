"""Aggregation policies: Provenance section 3.4, and ours over claims."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.aggregate import POLICIES, Aggregate
from groundwire.errors import UnknownName

SCORES, WEIGHTS = [0.2, 0.9, 0.5], [0.5, 0.3, 0.2]


@pytest.mark.parametrize(
    ("policy", "value"), [("min", 0.2), ("max", 0.9), ("weighted", 0.47), ("mean", 1.6 / 3), ("product", 0.09)]
)
def test_policies_over_sources(policy, value):
    assert Aggregate(policy, "min").claim(SCORES, WEIGHTS) == pytest.approx(value)


def test_policy_over_claims_is_the_second_one():
    assert Aggregate("max", "min").answer(SCORES) == 0.2


def test_weights_that_underflowed_weigh_the_same():
    assert Aggregate("weighted", "min").claim([0.2, 0.4], [0.0, 0.0]) == pytest.approx(0.3)


def test_prints_as_its_names():
    assert str(Aggregate("weighted", "min")) == "weighted/min"


def test_unknown_policy():
    with pytest.raises(UnknownName, match="max"):
        Aggregate("maxx", "min")


@given(st.sampled_from(sorted(POLICIES)), st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_every_policy_stays_within_the_scores(policy, scores):
    joined = Aggregate(policy, policy).answer(scores)
    least = 0.0 if policy == "product" else min(scores)
    assert least - 1e-5 <= joined <= max(scores) + 1e-5
