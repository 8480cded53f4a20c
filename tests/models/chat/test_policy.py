from datetime import UTC, datetime

import pytest

from groundwire.errors import UsageError
from groundwire.models.chat.policy import Budget, Policy, retry_after

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "date", "seconds"),
    [
        ("0", None, 0.0),
        ("7", None, 7.0),
        (" 1.5 ", None, 1.5),
        ("Sun, 01 Mar 2026 12:00:20 GMT", None, 20.0),
        ("Sun, 01 Mar 2026 11:00:00 GMT", None, 0.0),
        ("Sunday, 01-Mar-26 12:00:20 GMT", None, 20.0),
        ("Sun Mar  1 12:00:20 2026", None, 20.0),
        # The endpoint's clock is an hour behind ours: what counts is the distance on its own clock.
        ("Sun, 01 Mar 2026 11:00:30 GMT", "Sun, 01 Mar 2026 11:00:00 GMT", 30.0),
        ("Sun, 01 Mar 2026 12:00:20 GMT", "yesterday", 20.0),
        (None, None, None),
        ("", None, None),
        ("soon", None, None),
        ("-5", None, None),
        ("nan", None, None),
        ("1e9", None, None),
        ("9" * 400, None, None),
        ("Sun, 99 Foo 2026 99:99:99 GMT", None, None),
    ],
)
def test_retry_after_in_both_forms(value: str | None, date: str | None, seconds: float | None) -> None:
    assert retry_after(value, date, NOW) == seconds


def test_waits_double_up_to_their_bound_and_are_never_the_same() -> None:
    policy = Policy(first_wait=1.0, longest_wait=10.0)
    for retry, bound in enumerate([1, 2, 4, 8, 10, 10]):
        waits = [policy.backoff(retry) for _ in range(400)]
        assert 0 <= min(waits) < 0.2 * bound
        assert 0.8 * bound < max(waits) <= bound
        assert len(set(waits)) > 390
    assert policy.backoff(10**6) <= 10


def test_a_budget_is_earned_by_calls() -> None:
    budget = Budget(0.5, 2)
    assert [budget.spend() for _ in range(3)] == [True, True, False]
    budget.earn()
    assert not budget.spend()
    budget.earn()
    assert [budget.spend(), budget.spend()] == [True, False]


@pytest.mark.parametrize(
    "limits", [{"attempt": 0}, {"call": -1}, {"batch": 0}, {"retries": -1}, {"failures": 0}, {"call": float("nan")}]
)
def test_limits_that_make_no_sense_are_refused(limits: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        Policy(**limits)
