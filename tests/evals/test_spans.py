import random
from dataclasses import replace

import pytest
from sklearn import metrics as reference

from groundwire.evals.bootstrap import Bootstrap
from groundwire.evals.spans import Marked, compare, figures, known, marked_by
from groundwire.text import word_bounds
from groundwire.types import Case, Claim, ClaimVerdict, Label, Span, Verdict


def spans(*places: tuple[int, int]) -> tuple[Span, ...]:
    return tuple(Span(source="answer", start=start, end=end) for start, end in places)


CASE = Case(id="c", answer="The 😀 Ebro is 420 km.", contexts=(), label=Label.NOT_ENOUGH_INFO, spans=spans((14, 17)))


def judged(label: Label, *places: tuple[int, int]) -> ClaimVerdict:
    claim = Claim(id="c#0", text=CASE.answer, span=Span(source="answer", start=6, end=20))
    return ClaimVerdict(claim=claim, label=label, score=0.1, spans=spans(*places))


def test_a_word_is_marked_when_a_span_touches_it() -> None:
    row = compare(CASE, spans((16, 19), (4, 5)))
    assert [CASE.answer[s:e] for s, e in word_bounds(CASE.answer)] == ["The", "Ebro", "is", "420", "km"]
    assert row == Marked(gold=(False, False, False, True, False), found=(False, False, False, True, True))
    assert compare(CASE, spans((8, 8))).found == (False,) * 5


def test_an_unsupported_claim_without_spans_is_marked_in_whole_and_a_supported_one_never() -> None:
    claims = (judged(Label.NOT_ENOUGH_INFO), judged(Label.CONTRADICTED, (14, 17)), judged(Label.SUPPORTED, (1, 2)))
    verdict = Verdict(case=CASE, label=Label.NOT_ENOUGH_INFO, score=0.1, threshold=0.5, claims=claims)
    assert marked_by(verdict) == list(spans((6, 20), (14, 17)))


def test_gold_is_known_where_there_are_spans_or_nothing_is_wrong() -> None:
    assert known(CASE)
    assert known(replace(CASE, spans=(), label=Label.SUPPORTED))
    assert not known(replace(CASE, spans=()))


def test_figures_are_scikit_learns_over_all_words() -> None:
    rng = random.Random(3)
    rows = [
        Marked(
            gold=tuple(rng.random() < 0.3 for _ in range(n)),
            found=tuple(rng.random() < 0.4 for _ in range(n)),
            group=group,
        )
        for n, group in ((5, None), (1, "a"), (9, "a"), (0, None), (14, "b"))
    ]
    gold, found = ([mark for row in rows for mark in getattr(row, name)] for name in ("gold", "found"))
    wanted = reference.precision_recall_fscore_support(gold, found, average="binary")[:3]
    measured = figures(rows, Bootstrap(resamples=200))
    assert [measured[name].value for name in ("precision", "recall", "f1")] == pytest.approx(list(wanted))
    assert all(f.low <= f.value <= f.high for f in measured.values())


def test_nothing_wrong_is_undefined() -> None:
    measured = figures([Marked(gold=(False,), found=(True,))], Bootstrap(resamples=10))
    assert [figure.value for figure in measured.values()] == [None, None, None]
