import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from groundwire.errors import InputError
from groundwire.evals.bootstrap import Bootstrap
from groundwire.evals.compare import ALL, compare
from groundwire.evals.runs.measuring import Cell
from groundwire.evals.runs.rows import ScoredRow
from groundwire.types import Label

DRAW = Bootstrap(resamples=200)


def cell(scores: np.ndarray, labels: np.ndarray, *, checker: str = "c", slices: bool = True, data: str = "d") -> Cell:
    found = Cell(data, checker, 0.5)
    for n, (score, label) in enumerate(zip(scores.tolist(), labels.tolist(), strict=True)):
        found.add(
            ScoredRow(
                data=data,
                checker=checker,
                id=str(n),
                group=None,
                slice="even" if slices and n % 2 == 0 else "odd" if slices else None,
                gold=Label.SUPPORTED if label else Label.NOT_ENOUGH_INFO,
                score=score,
                label=Label.SUPPORTED,
                reason=None,
                seconds=0.1,
                digest=str(n),
            )
        )
    return found


@pytest.fixture
def labels() -> np.ndarray:
    return np.random.default_rng(0).random(200) < 0.5


def good(labels: np.ndarray, seed: int = 1) -> np.ndarray:
    return np.clip(0.5 + 0.2 * (labels * 2 - 1) + np.random.default_rng(seed).normal(0, 0.2, labels.size), 0, 1)


def test_a_run_is_neither_better_nor_worse_than_itself(labels: np.ndarray) -> None:
    found = compare([cell(good(labels), labels)], [cell(good(labels), labels)], DRAW)
    assert not found.worse
    assert {(each.difference.value, each.verdict) for each in found.differences} == {(0.0, "not shown")}
    assert found.rows == ()


def test_what_broke_in_one_slice_comes_first(labels: np.ndarray) -> None:
    before, after = good(labels), good(labels)
    after[::2] = 1 - after[::2]
    found = compare([cell(before, labels)], [cell(after, labels)], DRAW)
    assert found.worse
    assert (found.differences[0].slice, found.differences[0].verdict) == ("even", "worse")
    whole = next(each for each in found.differences if each.slice == ALL and each.metric == "auc")
    expected = roc_auc_score(labels, after) - roc_auc_score(labels, before)
    assert whole.difference.value == pytest.approx(expected)
    assert all(each.verdict == "not shown" for each in found.differences if each.slice == "odd")
    assert all(int(row.id) % 2 == 0 for row in found.rows)
    assert [row.loss for row in found.rows] == sorted((row.loss for row in found.rows), reverse=True)
    back = compare([cell(after, labels)], [cell(before, labels)], DRAW)
    assert not back.worse
    assert any(each.verdict == "better" for each in back.differences)


def test_rows_without_a_partner_are_counted(labels: np.ndarray) -> None:
    one, other = cell(good(labels), labels), cell(good(labels)[:150], labels[:150])
    found = compare([one], [other], DRAW)
    assert found.unpaired == {"d": 50}
    assert found.differences[0].n <= 150


def test_a_checker_that_scores_fewer_rows_is_worse_in_coverage(labels: np.ndarray) -> None:
    scores: list[float | None] = good(labels).tolist()
    fewer = [None if n % 4 == 0 else score for n, score in enumerate(scores)]
    found = compare([cell(np.array(scores), labels)], [cell(np.array(fewer), labels)], DRAW)
    assert found.worse
    lost = {each.slice: each for each in found.differences if each.metric == "coverage"}
    assert (lost[ALL].one, lost[ALL].other, lost[ALL].n) == (1.0, 0.75, 200)
    assert lost[ALL].difference.value == pytest.approx(-0.25)
    assert {name: each.verdict for name, each in lost.items()} == {ALL: "worse", "even": "worse", "odd": "not shown"}
    back = compare([cell(np.array(fewer), labels)], [cell(np.array(scores), labels)], DRAW)
    assert not back.worse


def test_one_class_is_undefined_and_not_worse() -> None:
    ones = np.ones(20, dtype=bool)
    found = compare([cell(ones * 0.9, ones, slices=False)], [cell(ones * 0.8, ones, slices=False)], DRAW)
    auc = next(each for each in found.differences if each.metric == "auc")
    assert (auc.verdict, auc.difference.value, auc.one) == ("undefined", None, None)
    assert not found.worse


def test_nothing_in_common_is_an_error(labels: np.ndarray) -> None:
    one = cell(good(labels), labels)
    with pytest.raises(InputError, match="share no data set"):
        compare([one], [cell(good(labels), labels, data="other")], DRAW)
    strange = Cell("d", "c", 0.5)
    with pytest.raises(InputError, match="share no scored row of d"):
        compare([one], [strange], DRAW)
