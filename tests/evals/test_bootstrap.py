import time

import numpy as np
import pytest

from groundwire.errors import InputError
from groundwire.evals.bootstrap import Bootstrap, Figure, mean_figure, ratio
from groundwire.evals.metrics import METRICS, Rows, plain, roc_auc, weighted_auc


def made(n: int, seed: int = 0, signal: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < 0.4
    return labels, rng.normal(size=n) + signal * labels


def test_the_same_seed_gives_the_same_interval() -> None:
    rows = Rows.of(*made(200))
    assert Bootstrap(seed=3).figure(weighted_auc, rows) == Bootstrap(seed=3).figure(weighted_auc, rows)
    assert Bootstrap(seed=3).figure(weighted_auc, rows) != Bootstrap(seed=4).figure(weighted_auc, rows)


def test_the_interval_is_that_of_resampling_by_hand() -> None:
    labels, scores = made(150)
    figure = Bootstrap(resamples=2000).figure(weighted_auc, Rows.of(labels, scores))
    rng = np.random.default_rng(9)
    draws = [roc_auc(labels[i], scores[i]) for i in rng.integers(150, size=(2000, 150))]
    assert figure.value == roc_auc(labels, scores)
    assert (figure.low, figure.high) == pytest.approx(tuple(np.quantile(draws, (0.025, 0.975))), abs=0.01)


def test_it_does_not_matter_how_many_resamples_share_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = Rows.of(*made(50))
    whole = Bootstrap(resamples=64).figures(dict(METRICS), rows)
    monkeypatch.setattr("groundwire.evals.bootstrap._BLOCK", 500)
    assert Bootstrap(resamples=64).figures(dict(METRICS), rows) == whole


def test_copies_in_one_group_do_not_narrow_the_interval() -> None:
    labels, scores = made(100)
    copies, groups = 8, [f"g{i}" for i in range(100)] * 8
    rows = Rows.of(np.tile(labels, copies), np.tile(scores, copies))
    alone = Bootstrap().figure(weighted_auc, Rows.of(labels, scores))
    grouped, naive = Bootstrap().figure(weighted_auc, rows, groups), Bootstrap().figure(weighted_auc, rows)
    assert (grouped.low, grouped.high) == pytest.approx((alone.low, alone.high), abs=1e-12)
    assert naive.high - naive.low < 0.6 * (alone.high - alone.low)


def test_the_nominal_coverage_is_about_met() -> None:
    truth = roc_auc(*made(200_000))
    figures = [Bootstrap(resamples=200).figure(weighted_auc, Rows.of(*made(200, seed))) for seed in range(1, 201)]
    covered = sum(f.low <= truth <= f.high for f in figures)
    assert 180 <= covered <= 199


def test_a_paired_difference_is_narrower_than_two_intervals() -> None:
    labels, scores = made(400)
    better = scores + 0.2 * labels
    one, other = Rows.of(labels, better), Rows.of(labels, scores)
    difference = Bootstrap().paired_difference(weighted_auc, one, other)
    single = Bootstrap().figure(weighted_auc, one)
    assert difference.value == plain(weighted_auc, one) - plain(weighted_auc, other)
    assert 0 < difference.low < difference.value < difference.high
    assert difference.high - difference.low < 0.5 * (single.high - single.low)


def test_a_score_list_does_not_differ_from_itself() -> None:
    rows = Rows.of(*made(60))
    assert Bootstrap(resamples=50).paired_difference(weighted_auc, rows, rows) == Figure(0.0, 0.0, 0.0)


def test_one_class_and_no_rows_have_no_figure() -> None:
    assert Bootstrap().figure(weighted_auc, Rows.of([True, True], [0.1, 0.2])) == Figure(None)
    assert Bootstrap().figure(weighted_auc, Rows.of([], [])) == Figure(None)


def test_resamples_of_one_class_are_left_out() -> None:
    figure = Bootstrap().figure(weighted_auc, Rows.of([True, False, False], [0.9, 0.1, 0.2]))
    assert figure == Figure(1.0, 1.0, 1.0)


def test_groups_must_be_named_for_every_row() -> None:
    with pytest.raises(InputError, match="3 rows but 1 groups"):
        Bootstrap().figure(weighted_auc, Rows.of([True, False, True], [1, 2, 3]), ["a"])


def test_a_mean_of_figures_adds_half_widths_in_quadrature() -> None:
    mean = mean_figure([Figure(0.6, 0.57, 0.63), Figure(0.8, 0.76, 0.84)])
    assert (mean.value, mean.low, mean.high) == pytest.approx((0.7, 0.675, 0.725))
    assert mean_figure([Figure(0.6, 0.57, 0.63), Figure(None)]) == Figure(None)


def test_a_thousand_resamples_of_five_thousand_rows_take_seconds() -> None:
    rows = Rows.of(*made(5000))
    start = time.process_time()
    Bootstrap().figure(weighted_auc, rows)
    assert time.process_time() - start < 3


def test_a_mean_and_its_interval_are_those_of_resampling_by_hand() -> None:
    values = np.random.default_rng(5).gamma(2.0, size=60)
    figure = Bootstrap(resamples=2000).mean(values)
    rng = np.random.default_rng(9)
    draws = [values[i].mean() for i in rng.integers(60, size=(2000, 60))]
    assert figure.value == pytest.approx(values.mean())
    assert (figure.low, figure.high) == pytest.approx(tuple(np.quantile(draws, (0.025, 0.975))), abs=0.03)
    assert Bootstrap().mean([]) == Figure(None)


def test_a_mean_draws_groups_together() -> None:
    values, groups = [0.0] * 8 + [1.0] * 8, ["a"] * 8 + ["b"] * 8
    assert Bootstrap().mean(values, groups) == Figure(0.5, 0.0, 1.0)


def test_a_quantile_is_one_of_the_values_as_numpy_has_it() -> None:
    values = np.random.default_rng(0).gamma(2, size=101).tolist()
    for share in (0.5, 0.95):
        found = Bootstrap(resamples=200).quantile(values, share)
        assert found.value == pytest.approx(np.quantile(values, share, method="inverted_cdf"))
        assert found.low is not None
        assert found.high is not None
        assert found.low <= found.value <= found.high
    assert Bootstrap().quantile([], 0.5) == Figure(None)


def test_sums_make_ratios_and_a_ratio_over_nothing_is_undefined() -> None:
    found = Bootstrap(resamples=200).sums([[1, 2], [3, 2], [0, 4]], ratio)
    assert found.value == pytest.approx(0.5)
    assert found.low is not None
    assert Bootstrap().sums([[1, 0], [0, 0]], ratio) == Figure(None)
    assert Bootstrap().sums([], ratio) == Figure(None)


def test_the_mean_of_ones_as_sums_is_the_mean() -> None:
    values = [0.0, 1.0, 1.0, 0.0, 1.0]
    by_sums = Bootstrap().sums([[value, 1.0] for value in values], ratio)
    assert by_sums.to_dict() == pytest.approx(Bootstrap().mean(values).to_dict())
