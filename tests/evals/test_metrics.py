import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as reference
from sklearn.calibration import calibration_curve

from groundwire.errors import InputError
from groundwire.evals import metrics

# Few distinct scores, so that ties are the rule.
rows = st.lists(
    st.tuples(st.booleans(), st.sampled_from([0.0, 0.25, 0.5, 0.5000001, 0.75, 1.0])), min_size=1, max_size=40
)
both_classes = rows.filter(lambda r: len({label for label, _ in r}) == 2)


def split(pairs: list[tuple[bool, float]]) -> tuple[list[bool], list[float]]:
    return [label for label, _ in pairs], [score for _, score in pairs]


@given(both_classes)
def test_ranking_metrics_are_scikit_learns(pairs: list[tuple[bool, float]]) -> None:
    labels, scores = split(pairs)
    assert metrics.roc_auc(labels, scores) == pytest.approx(reference.roc_auc_score(labels, scores), abs=1e-12)
    expected = reference.average_precision_score(labels, scores)
    assert metrics.average_precision(labels, scores) == pytest.approx(expected, abs=1e-12)


@given(both_classes, st.sampled_from([0.0, 0.3, 0.5, 0.75, 1.0]))
def test_metrics_at_a_threshold_are_scikit_learns(pairs: list[tuple[bool, float]], threshold: float) -> None:
    labels, scores = split(pairs)
    accepted = [score >= threshold for score in scores]
    expected = reference.balanced_accuracy_score(labels, accepted)
    assert metrics.balanced_accuracy(labels, scores, threshold) == pytest.approx(expected, abs=1e-12)
    expected = reference.f1_score(labels, accepted, zero_division=0.0)
    assert metrics.f1_supported(labels, scores, threshold) == pytest.approx(expected, abs=1e-12)
    expected = reference.f1_score(labels, accepted, pos_label=False, zero_division=0.0)
    assert metrics.f1_hallucinated(labels, scores, threshold) == pytest.approx(expected, abs=1e-12)


@given(both_classes, st.sampled_from([0.0, 0.3, 0.5, 0.75, 1.0]))
def test_metrics_of_marked_words_are_scikit_learns(pairs: list[tuple[bool, float]], threshold: float) -> None:
    labels, scores = split(pairs)
    rejected, wrong = [score < threshold for score in scores], [not label for label in labels]
    ranked = metrics.Rows.of(labels, scores, threshold)
    for name, expected in zip(
        ("precision", "recall", "f1"),
        reference.precision_recall_fscore_support(wrong, rejected, average="binary", zero_division=0.0)[:3],
        strict=True,
    ):
        assert metrics.plain(metrics.SPAN_METRICS[name], ranked) == pytest.approx(expected, abs=1e-12), name


@given(both_classes, st.integers(0, 2**32 - 1))
def test_weights_count_as_copies(pairs: list[tuple[bool, float]], seed: int) -> None:
    labels, scores = split(pairs)
    counts = np.random.default_rng(seed).integers(0, 4, size=len(pairs))
    copied = [pair for pair, count in zip(pairs, counts, strict=True) for _ in range(count)]
    ranked = metrics.Rows.of(labels, scores, 0.5)
    weights = counts[None, ranked.order].astype(float)
    again = metrics.Rows.of(*split(copied), 0.5)
    others = {"best": metrics.weighted_best_accuracy, "accuracy": metrics.weighted_accuracy}
    for name, metric in {**metrics.METRICS, **metrics.PROBABILITY_METRICS, **others}.items():
        value, expected = metric(ranked, weights)[0], metrics.plain(metric, again)
        assert value == pytest.approx(np.nan if expected is None else expected, abs=1e-12, nan_ok=True), name


@given(both_classes, st.sampled_from([0.0, 0.05, 0.25, 0.5, 1.0]))
def test_what_is_caught_is_the_best_of_the_thresholds_that_alarm_so_rarely(
    pairs: list[tuple[bool, float]], alarms: float
) -> None:
    supported, others = ([score for label, score in pairs if label is kind] for kind in (True, False))
    rejected = [
        (np.mean([score < t for score in supported]), np.mean([score < t for score in others])) for _, t in pairs
    ]
    expected = max((caught for false, caught in rejected if false <= alarms), default=0.0)
    measured = metrics.plain(metrics.weighted_caught(alarms), metrics.Rows.of(*split(pairs)))
    assert measured == pytest.approx(expected, abs=1e-12)


def test_nothing_is_caught_where_a_class_is_missing() -> None:
    for label in (True, False):
        assert metrics.plain(metrics.weighted_caught(0.05), metrics.Rows.of([label], [0.5])) is None


@given(both_classes, st.sampled_from([0.0, 0.3, 0.5, 0.75, 1.0]))
def test_accuracy_recall_and_brier_are_scikit_learns(pairs: list[tuple[bool, float]], threshold: float) -> None:
    labels, scores = split(pairs)
    accepted = [score >= threshold for score in scores]
    ranked = metrics.Rows.of(labels, scores, threshold)
    for metric, expected in (
        (metrics.weighted_accuracy, reference.accuracy_score(labels, accepted)),
        (metrics.weighted_recall_supported, reference.recall_score(labels, accepted)),
        (metrics.weighted_brier, reference.brier_score_loss(labels, scores)),
    ):
        assert metrics.plain(metric, ranked) == pytest.approx(expected, abs=1e-12)


@given(both_classes)
def test_the_calibration_error_weighs_scikit_learns_curve(pairs: list[tuple[bool, float]]) -> None:
    labels, scores = split(pairs)
    # scikit-learn's bins take their upper edge; ours take the lower one, as its own of the mirrored scores do.
    shares, means = calibration_curve([not label for label in labels], [1 - s for s in scores], n_bins=metrics.BINS)
    counts = np.unique(metrics.bin_of(np.array(scores)), return_counts=True)[1][::-1]
    expected = float(np.abs(shares - means) @ counts / len(pairs))
    found = metrics.plain(metrics.weighted_calibration_error, metrics.Rows.of(labels, scores))
    assert found == pytest.approx(expected, abs=1e-12)


@given(rows)
def test_the_best_accuracy_is_that_of_the_best_of_all_thresholds(pairs: list[tuple[bool, float]]) -> None:
    labels, scores = split(pairs)
    at = [np.mean([(s >= t) is label for label, s in pairs]) for t in (*scores, 2.0)]
    ranked = metrics.Rows.of(labels, scores)
    assert metrics.plain(metrics.weighted_best_accuracy, ranked) == pytest.approx(max(at), abs=1e-12)
    tuned = metrics.best_threshold(ranked)
    assert tuned is not None
    found = metrics.plain(metrics.weighted_accuracy, metrics.Rows.of(labels, scores, tuned))
    assert found == pytest.approx(max(at), abs=1e-12)


def test_the_best_threshold_lies_between_the_classes() -> None:
    assert metrics.best_threshold(metrics.Rows.of([True, False], [0.9, 0.5])) == pytest.approx(0.7)
    assert metrics.best_threshold(metrics.Rows.of([], [])) is None
    none = metrics.best_threshold(metrics.Rows.of([False, False], [0.9, 0.5]))
    assert none is not None
    assert none > 0.9


@given(rows)
def test_the_order_of_the_rows_does_not_matter(pairs: list[tuple[bool, float]]) -> None:
    assert metrics.roc_auc(*split(pairs)) == pytest.approx(metrics.roc_auc(*split(pairs[::-1])), abs=1e-12)


@pytest.mark.parametrize("label", [True, False])
def test_one_class_is_undefined_not_nan(label: bool) -> None:
    labels, scores = [label] * 3, [0.1, 0.5, 0.9]
    assert metrics.roc_auc(labels, scores) is None
    assert metrics.average_precision(labels, scores) is None
    assert metrics.balanced_accuracy(labels, scores, 0.5) is None
    assert (metrics.f1_supported(labels, scores, 0.5) is None) is not label
    assert (metrics.f1_hallucinated(labels, scores, 0.5) is None) is label


def test_no_rows_are_undefined() -> None:
    others = (metrics.weighted_accuracy, metrics.weighted_best_accuracy, metrics.weighted_recall_supported)
    for metric in (*metrics.METRICS.values(), *metrics.PROBABILITY_METRICS.values(), *others):
        assert metrics.plain(metric, metrics.Rows.of([], [])) is None


def test_the_threshold_itself_is_accepted() -> None:
    assert metrics.balanced_accuracy([True, False], [0.5, 0.4], 0.5) == 1.0


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_score_that_is_not_finite_is_refused(bad: float) -> None:
    with pytest.raises(InputError, match="not finite"):
        metrics.roc_auc([True, False], [0.5, bad])


def test_lengths_must_agree() -> None:
    with pytest.raises(InputError, match="2 labels but 1 scores"):
        metrics.roc_auc([True, False], [0.5])
