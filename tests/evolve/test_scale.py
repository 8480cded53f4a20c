import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import InputError, UnknownName
from groundwire.evolve.scale import Scale, scale

POOL = [4.0, -2.0, 1.0, 7.5]
scores = st.floats(-20, 20)


def test_none_reads_no_pool() -> None:
    assert scale(POOL, "none", floor=3) == scale([math.nan], "none") == Scale(0, 1)
    assert scale(POOL, "none").of(3.25) == 3.25


def test_zscore_is_mean_and_deviation_of_the_pool() -> None:
    found = scale(POOL, "zscore")
    assert found.origin == pytest.approx(statistics.fmean(POOL))
    assert found.unit == pytest.approx(statistics.pstdev(POOL))
    standing = [found.of(score) for score in POOL]
    assert statistics.fmean(standing) == pytest.approx(0)
    assert statistics.pstdev(standing) == pytest.approx(1)


def test_minmax_is_the_range_of_the_pool_and_clips_nothing() -> None:
    found = scale(POOL, "minmax")
    assert [found.of(score) for score in (-2.0, 7.5, 2.75, 17.0, -11.5)] == [0, 1, 0.5, 2, -1]


@pytest.mark.parametrize("how", ["zscore", "minmax"])
@pytest.mark.parametrize("pool", [[3.0], [0.1] * 3, [0.7, 0.7 + 1e-8], [-5.0, -5.000001], [1e9, 1e9 + 100]])
def test_a_flat_pool_leaves_differences_as_they_are(how: str, pool: list[float]) -> None:
    found = scale(pool, how)
    assert found.unit == 1
    assert found.origin == pytest.approx(pool[0], rel=1e-6)
    assert scale(pool, how, floor=0.25).unit == 0.25


@pytest.mark.parametrize("how", ["zscore", "minmax"])
def test_an_empty_pool_is_no_scale(how: str) -> None:
    assert scale([], how) == Scale(0, 1)
    assert scale([], how, floor=2) == Scale(0, 2)


def test_no_unit_is_smaller_than_the_floor() -> None:
    assert scale([1.0, 1.2], "zscore").unit == pytest.approx(0.1)
    assert scale([1.0, 1.2], "zscore", floor=0.5) == Scale(pytest.approx(1.1), 0.5)
    assert scale([1.0, 1.2], "minmax", floor=0.5) == Scale(1, 0.5)
    assert scale(POOL, "zscore", floor=0.5) == scale(POOL, "zscore")


@given(st.lists(scores, min_size=2, max_size=40), scores, st.floats(0.01, 100), st.floats(-100, 100))
def test_a_scorer_that_is_stretched_and_moved_stands_where_it_stood(
    pool: list[float], score: float, factor: float, shift: float
) -> None:
    if max(pool) - min(pool) < 0.5:
        return
    for how in ("zscore", "minmax"):
        moved = scale([factor * one + shift for one in pool], how)
        assert moved.of(factor * score + shift) == pytest.approx(scale(pool, how).of(score), rel=1e-6, abs=1e-6)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, width=32)), scores)
def test_any_pool_gives_numbers(pool: list[float], score: float) -> None:
    for how in ("none", "zscore", "minmax"):
        found = scale(pool, how)
        assert found.unit > 0
        assert math.isfinite(found.of(score))


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf])
def test_a_pool_holds_numbers(wrong: float) -> None:
    with pytest.raises(InputError, match="finite"):
        scale([1.0, wrong], "zscore")


def test_other_scales_are_no_scales() -> None:
    with pytest.raises(UnknownName, match="zscore"):
        scale(POOL, "z-score")
