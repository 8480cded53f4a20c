import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from groundwire.errors import InputError
from groundwire.evals.metrics import roc_auc
from groundwire.evals.run import evaluate, sample
from groundwire.types import Case, Claim, ClaimVerdict, Label, Passage, Span, Stage, Trace, Verdict


class Known:
    """A checker that reads the score from the answer; an answer that is no number cannot be checked."""

    name = "known"
    threshold = 0.5

    def __init__(self) -> None:
        self.batches: list[int] = []

    def check(self, cases: Sequence[Case]) -> list[Verdict]:
        self.batches.append(len(cases))
        stages = (Stage(name="split", items=7, seconds=0.1), Stage(name="entail", items=2 * len(cases), seconds=0.1))
        trace = Trace(recipe=self.name, model="fake", stages=stages)
        return [self._verdict(case, trace) for case in cases]

    def _verdict(self, case: Case, trace: Trace) -> Verdict:
        try:
            score = float(case.answer)
        except ValueError:
            reason = "nothing to check"
            return Verdict(case=case, label=Label.NOT_CHECKABLE, score=None, threshold=0.5, reason=reason, trace=trace)
        label = Label.SUPPORTED if score >= 0.5 else Label.NOT_ENOUGH_INFO
        return Verdict(case=case, label=label, score=score, threshold=0.5, trace=trace)


def case(n: int, answer: object, label: Label | None, group: str | None = None) -> Case:
    contexts = (Passage(id="0", text="text"),)
    return Case(id=f"r{n}", answer=str(answer), contexts=contexts, label=label, group=group)


YES, NO = Label.SUPPORTED, Label.NOT_ENOUGH_INFO
CASES = [case(0, 0.9, YES), case(1, 0.4, YES), case(2, 0.4, Label.CONTRADICTED), case(3, 0.1, NO), case(4, "?", NO)]


def test_rows_that_cannot_be_checked_are_counted_and_left_out() -> None:
    report = evaluate(Known(), CASES)
    assert (report.n, report.n_not_checkable, report.n_positive, len(report.rows)) == (5, 1, 2, 4)
    assert report.reasons == {"nothing to check": 1}
    assert report.figures["auc"].value == roc_auc([True, True, False, False], [0.9, 0.4, 0.4, 0.1])


def test_both_kinds_of_not_supported_are_one_class_and_f1_is_theirs() -> None:
    figures = evaluate(Known(), CASES).figures
    assert figures["balanced_accuracy"].value == 0.75
    assert figures["f1"].value == pytest.approx(0.8)
    assert figures["f1_supported"].value == pytest.approx(2 / 3)


def test_the_report_is_json_with_the_published_keys() -> None:
    row = json.loads(json.dumps(evaluate(Known(), CASES).to_dict(), allow_nan=False))
    for key in ("auc", "average_precision", "balanced_accuracy", "f1"):
        assert set(row[key]) == {"value", "low", "high"}
        assert row[key]["low"] <= row[key]["value"] <= row[key]["high"]
    assert (row["recipe"], row["model"], row["threshold"]) == ("known", "fake", 0.5)
    assert (row["n"], row["n_not_checkable"], row["n_positive"], row["n_negative"]) == (5, 1, 2, 2)


def test_marked_words_are_measured_where_gold_marks_some() -> None:
    assert "spans" not in evaluate(Known(), CASES).to_dict()
    wrong = replace(case(5, 0.1, NO), spans=(Span(source="answer", start=0, end=3),))
    report = evaluate(Marking(), [*CASES[:4], wrong])
    assert report.n_spans == 3  # two supported rows, and the one whose spans are known
    found = json.loads(json.dumps(report.to_dict(), allow_nan=False))["spans"]
    assert (found["n"], found["recall"]["value"], found["precision"]["value"]) == (3, 1.0, 0.5)
    assert set(found["f1"]) == {"value", "low", "high"}


class Marking(Known):
    """The same with a claim that is the whole answer, so that one that is not supported is marked in whole."""

    def _verdict(self, case: Case, trace: Trace) -> Verdict:
        verdict = super()._verdict(case, trace)
        claim = Claim(id="0", text=case.answer, span=Span(source="answer", start=0, end=len(case.answer)))
        return replace(verdict, claims=(ClaimVerdict(claim=claim, label=verdict.label, score=verdict.score),))


def test_pairs_are_counted_once_a_batch() -> None:
    report = evaluate(Known(), CASES, batch=2)
    assert report.pairs == 10
    assert report.pairs_per_second == pytest.approx(10 / report.seconds)


def test_cases_stream_through_in_batches() -> None:
    checker, told = Known(), []
    evaluate(checker, (case(i, 0.5, YES) for i in range(7)), batch=3, progress=told.append)
    assert checker.batches == told == [3, 3, 1]


def test_one_class_has_no_auc_and_says_so() -> None:
    report = evaluate(Known(), [case(0, 0.9, YES), case(1, 0.2, YES)])
    assert report.one_class
    assert report.to_dict()["auc"] == {"value": None, "low": None, "high": None}


def test_no_rows_at_all() -> None:
    report = evaluate(Known(), [])
    assert (report.n, report.model, report.pairs_per_second) == (0, None, None)
    json.dumps(report.to_dict(), allow_nan=False)


@pytest.mark.parametrize("label", [None, Label.NOT_CHECKABLE])
def test_a_row_without_a_label_is_an_error_that_names_it(label: Label | None) -> None:
    with pytest.raises(InputError, match="'r1' has no label"):
        evaluate(Known(), [CASES[0], case(1, 0.5, label)])


def test_a_limit_draws_a_seeded_sample_in_order_not_the_first_rows() -> None:
    cases = [case(i, 0.5, YES) for i in range(1000)]
    drawn = [int(c.id[1:]) for c in sample(cases, 50, seed=1)]
    assert drawn == [int(c.id[1:]) for c in sample(cases, 50, seed=1)]
    assert drawn == sorted(drawn)
    assert len(set(drawn)) == 50
    assert drawn != [int(c.id[1:]) for c in sample(cases, 50, seed=2)]
    assert 300 < sum(drawn) / 50 < 700


def test_every_row_is_as_likely_to_be_drawn() -> None:
    cases = [case(i, 0.5, YES) for i in range(10)]
    counts = dict.fromkeys((c.id for c in cases), 0)
    for seed in range(2000):
        for drawn in sample(cases, 3, seed):
            counts[drawn.id] += 1
    assert all(500 < count < 700 for count in counts.values())


def test_a_limit_beyond_the_input_takes_all() -> None:
    assert list(sample(CASES, 99, seed=0)) == CASES
    assert list(sample(CASES, 0, seed=0)) == []


def test_groups_widen_the_interval() -> None:
    cases = [case(i, (i * 37 % 100) / 100, YES if i % 3 else NO) for i in range(60)]
    grouped = [case(i, c.answer, c.label, group=str(i % 60)) for i, c in enumerate(cases * 6)]
    naive = evaluate(Known(), cases * 6).figures["auc"]
    together = evaluate(Known(), grouped).figures["auc"]
    assert together.value == naive.value
    assert together.high - together.low > 1.5 * (naive.high - naive.low)
