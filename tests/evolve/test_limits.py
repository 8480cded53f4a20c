"""Budgets: looked at before each generation, 0 breeds nobody, and no call beyond its budget."""

import pytest

from groundwire.errors import UsageError
from groundwire.evolve.limits import Limits, Spent


@pytest.mark.parametrize("name", ["generations", "calls", "tokens", "seconds"])
def test_a_budget_is_spent_when_it_is_reached(name):
    limits = Limits(**{"generations": None, name: 3})
    assert limits.reached(Spent(**{name: 2})) is None
    assert limits.reached(Spent(**{name: 3})) == f"the budget of 3 {name} is spent"
    assert Limits(**{name: 0}).reached(Spent()) == f"the budget of 0 {name} is spent"
    with pytest.raises(UsageError, match=f"a budget of {name} is 0 or more"):
        Limits(**{name: -1})


def test_a_generation_is_made_smaller_by_the_calls_that_are_left():
    assert Limits(calls=14).affordable(12, Spent(calls=12)) == 2
    assert Limits(calls=14).affordable(12, Spent()) == 12
    assert Limits().affordable(12, Spent(calls=1000)) == 12


def test_without_limits_nothing_is_reached_and_nan_is_none():
    assert Limits(generations=None).reached(Spent(generations=10**9, seconds=1e9)) is None
    with pytest.raises(UsageError):
        Limits(seconds=float("nan"))
