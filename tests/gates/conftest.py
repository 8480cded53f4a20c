"""Verdicts whose every part can be read off: one claim a sentence, the first of them supported."""

from collections.abc import Callable

import pytest

from groundwire.types import (
    Case,
    Claim,
    ClaimVerdict,
    Entailment,
    Evidence,
    Label,
    Passage,
    Span,
    Stage,
    Trace,
    Verdict,
)

CONTEXT = "The bridge was opened in 1932.\nIt spans 503 metres."
ANSWER = "It was opened in 1932.\nIt spans 9 metres [long] {wide}."

Make = Callable[..., Verdict]


def span_of(text: str, words: str, source: str = "answer") -> Span:
    start = text.index(words)
    return Span(source=source, start=start, end=start + len(words))


@pytest.fixture
def make() -> Make:
    """Make a verdict of an answer whose second sentence has this label."""

    def made(
        label: Label = Label.CONTRADICTED, *, row: str = "r1", gold: Label | None = None, group: str | None = None
    ) -> Verdict:
        case = Case(
            id=row,
            question="When?",
            answer=ANSWER,
            contexts=(Passage(id="doc", text=CONTEXT),),
            label=gold,
            group=group,
        )
        trace = Trace(recipe="r", model="m", stages=(Stage(name="entail", items=2, seconds=0.5),))
        if label is Label.NOT_CHECKABLE:
            return Verdict(case=case, label=label, score=None, threshold=0.5, reason="no <contexts>", trace=trace)
        score = 0.9 if label is Label.SUPPORTED else 0.1
        evidence = Evidence(
            claim_id="1",
            index=0,
            span=span_of(CONTEXT, "It spans 503 metres.", "doc"),
            entailment=Entailment(supports=score),
        )
        first, second = (
            Claim(id=str(n), text=line, span=span_of(ANSWER, line)) for n, line in enumerate(ANSWER.split("\n"))
        )
        marked = () if label is Label.SUPPORTED else (span_of(ANSWER, "9 metres"),)
        claims = (
            ClaimVerdict(claim=first, label=Label.SUPPORTED, score=0.95),
            ClaimVerdict(claim=second, label=label, score=score, evidence=(evidence,), spans=marked),
        )
        return Verdict(case=case, label=label, score=score, threshold=0.5, claims=claims, trace=trace)

    return made
