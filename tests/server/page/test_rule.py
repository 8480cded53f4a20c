"""The page's labels are the judge's: a record asked for at threshold 1 gives that of every other threshold."""

from typing import Any

import pytest

from groundwire.aggregate import Aggregate
from groundwire.api import Checker
from groundwire.judge import ThresholdJudge
from groundwire.render import record
from groundwire.server.page.about import examples
from groundwire.types import Case, Claim, Entailment, Finding, Label, Passage, Premise, Source, Span, Verdict

from .conftest import Window

THRESHOLDS = (0.0, 0.05, 0.2, 0.5, 0.8, 0.9, 0.95, 1.0)
RELABEL = "async ([record, at]) => (await import('/page/labels.js')).relabelled(record, at)"


def relabelled(window: Window, given: dict[str, Any], threshold: float) -> dict[str, Any]:
    made: dict[str, Any] = window.page.evaluate(RELABEL, [given, threshold])
    return made


def same(made: dict[str, Any], wanted: dict[str, Any]) -> None:
    for name in ("verdict", "threshold", "grounded"):
        assert made[name] == wanted[name]
    assert made["score"] == (None if wanted["score"] is None else pytest.approx(wanted["score"]))
    for mine, theirs in zip(made["claims"], wanted["claims"], strict=True):
        assert [mine.get(name) for name in ("verdict", "spans", "start", "end", "reason")] == [
            theirs.get(name) for name in ("verdict", "spans", "start", "end", "reason")
        ]
        assert [c["text"] for c in mine["citations"][:1]] == [c["text"] for c in theirs["citations"][:1]]


def test_any_threshold_follows_from_the_strictest(window: Window) -> None:
    window.go("check")
    cases = [
        Case(id=row["id"], question=row["question"], answer=row["answer"], contexts=contexts(row)) for row in examples()
    ]
    cases.append(
        Case(
            id="idle",
            question=None,
            answer="Sure! Is it? The mast is 9 metres.",
            contexts=(Passage(id="a", text="The mast is 9 metres."),),
        )
    )
    cases.append(Case(id="empty", question=None, answer="", contexts=(Passage(id="a", text="The mast."),)))
    strictest = [record(verdict) for verdict in Checker(threshold=1.0).check(cases)]
    seen = set()
    for threshold in THRESHOLDS:
        for given, verdict in zip(strictest, Checker(threshold=threshold).check(cases), strict=True):
            same(relabelled(window, given, threshold), record(verdict))
            seen.add(verdict.label)
    assert seen == set(Label)


def contexts(row: dict[str, Any]) -> tuple[Passage, ...]:
    given = [one if isinstance(one, dict) else {"text": one} for one in row["contexts"]]
    return tuple(Passage(id=one.get("id", str(n)), text=one["text"]) for n, one in enumerate(given))


@pytest.mark.parametrize("score", [0.0, 0.3, 0.5, 1.0])
def test_a_score_that_meets_the_threshold_is_supported(window: Window, score: float) -> None:
    window.go("check")
    strictest = record(judged(score, 1.0))
    for threshold in (0.0, 0.3, 0.5, 1.0):
        same(relabelled(window, strictest, threshold), record(judged(score, threshold)))


def judged(supports: float, threshold: float) -> Verdict:
    """Return what the paper's judge says of one claim with this support, refuted where it is not supported."""
    judge = ThresholdJudge(Aggregate())
    passage = Passage(id="a", text="The mast is 9 metres high.")
    claim = Claim(id="0", text="It is 9.", span=Span(source="answer", start=0, end=8))
    source = Source(index=0, span=Span(source="a", start=0, end=26), text=passage.text)
    reading = Entailment(supports=supports, refutes=1 - supports, neutral=0.0)
    finding = Finding(premise=Premise(text=passage.text, sources=(source,), weights=(1.0,)), entailment=reading)
    one = judge.judge(claim, [finding], threshold)
    label, score = judge.answer([one], threshold)
    return Verdict(
        case=Case(id="0", answer="It is 9.", contexts=(passage,)),
        label=label,
        score=score,
        threshold=threshold,
        claims=(one,),
    )


def test_offsets_of_the_server_find_their_words_beyond_the_first_plane(window: Window) -> None:
    window.go("check")
    text = "😀 The 🚀 left at 5. It 👩‍🚀 landed."
    cut = (
        "async ([text, spans]) => (await import('/page/offsets.js')).pieces(text, spans).map((p) => [p.text, !!p.span])"
    )
    at = text.index("It")
    found = window.page.evaluate(
        cut, [text, [{"start": at, "end": len(text)}, {"start": 2, "end": at - 1}, {"start": 3, "end": 9}]]
    )
    assert found == [["😀 ", False], ["The 🚀 left at 5.", True], [" ", False], ["It 👩‍🚀 landed.", True]]
