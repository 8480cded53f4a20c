from dataclasses import replace
from itertools import pairwise
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.report.charts import chart_section, series_of, ticks_of
from groundwire.types import Answer, Candidate, Generation


def lineage() -> tuple[Candidate, ...]:
    values = [(1, 3.0, 0.5), (1, 2.0, 0.7), (0, 1.0, None), (0, 0.0, None)]
    return tuple(
        Candidate(id=str(n), text=str(n), generation=g, fitness={"total": t, **({} if r is None else {"rouge": r})})
        for n, (g, t, r) in enumerate(values)
    )


def test_the_course_of_the_best_and_of_the_mean(nothing: Answer) -> None:
    total, rouge = series_of(replace(nothing, lineage=lineage()))
    assert (total.term, total.best, total.mean) == ("total", ((0, 1.0), (1, 3.0)), ((0, 0.5), (1, 2.5)))
    assert (rouge.term, rouge.best, rouge.mean) == ("rouge", ((1, 0.5),), ((1, 0.6),))


def test_the_best_is_who_the_generation_says_it_was(nothing: Answer) -> None:
    turns = tuple(Generation(number=n, wanted=2, new=2, failed=0, repeated=0, best=b) for n, b in enumerate("31"))
    total, _ = series_of(replace(nothing, lineage=lineage(), generations=turns))
    assert total.best == ((0, 0.0), (1, 2.0))


def test_a_generation_without_news_keeps_the_best(nothing: Answer) -> None:
    turn = Generation(number=2, wanted=2, new=0, failed=2, repeated=0, best="unknown")
    total, _ = series_of(replace(nothing, lineage=lineage(), generations=(turn,)))
    assert total.best == ((0, 1.0), (1, 3.0), (2, 3.0))


def test_one_generation_has_no_course(nothing: Answer) -> None:
    assert chart_section(replace(nothing, lineage=lineage()[2:])) is None
    assert chart_section(nothing) is None


@given(st.floats(-1e6, 1e6), st.floats(0, 1e6))
def test_ticks_are_few_even_and_hold_the_values(low: float, spread: float) -> None:
    high = low + spread
    ticks, digits = ticks_of(low, high)
    assert 2 <= len(ticks) <= 6
    step = ticks[1] - ticks[0]
    assert ticks[0] <= low + 1e-6 * step
    assert ticks[-1] >= high - 1e-6 * step
    assert all(isclose(b - a, step, rel_tol=1e-6) for a, b in pairwise(ticks))
    assert len({f"{tick:.{digits}f}" for tick in ticks}) == len(ticks)


@pytest.mark.parametrize(
    ("low", "high", "ticks", "digits"),
    [
        (0.0, 1.0, [0.0, 0.5, 1.0], 1),
        (0.998, 0.999, [0.99, 1.0], 2),
        (-3.0, 9.0, [-5, 0, 5, 10], 0),
        (0, 0, [0, 1e-11], 11),
    ],
)
def test_ticks_are_round(low: float, high: float, ticks: list[float], digits: int) -> None:
    assert ticks_of(low, high) == (pytest.approx(ticks), digits)
