"""Answers to draw: an evolution of any size, made of types alone."""

from collections.abc import Callable, Iterator
from itertools import accumulate

import pytest

from groundwire.types import (
    Answer,
    Candidate,
    Case,
    Claim,
    ClaimVerdict,
    Entailment,
    Evidence,
    Generation,
    Hit,
    Label,
    Passage,
    Ranking,
    Retrieval,
    Span,
    Stage,
    Trace,
    Verdict,
)

Grow = Callable[..., Answer]


def grown(*, generations: int = 2, each: int = 3, mark: str = "") -> Answer:
    """Return an answer of two sentences after so many generations of `each` candidates. `mark` stands in every text."""
    sources = tuple(
        Passage(id=f"{mark}p{n}", title=f"{mark}Title {n}", text=f"{mark}The door is blue. It is {n} m high.")
        for n in range(2)
    )
    lineage = tuple(_candidates(generations, each, mark, sources))
    # Best first: the younger the fitter, as an evolution has it; the first of the youngest is the answer.
    lineage = tuple(sorted(lineage, key=lambda c: -c.fitness["total"]))
    turns = tuple(_turn(n, each, lineage) for n in range(generations + 1)) if lineage else ()
    text = f"{mark}The door is blue. It is red."
    if lineage:
        first = lineage[0]
        lineage = (Candidate.from_dict({**first.to_dict(), "text": text}), *lineage[1:])
    return Answer(
        question=f"{mark}What colour is the door?",
        text=text,
        sources=sources,
        verdict=_verdict(text, sources, mark),
        lineage=lineage,
        generations=turns,
        stopped=f"{mark}nothing new",
        warnings=(f"{mark}long",),
        retrieval=Retrieval(
            query=f"{mark}door",
            rankings=(Ranking(by=f"{mark}bm25", hits=tuple(Hit(passage=p, score=1.0, by="bm25") for p in sources)),),
        ),
        trace=Trace(
            recipe=f"{mark}generate", model="mini", stages=(Stage(name="breed", items=3, seconds=0.5, note=mark),)
        ),
    )


def _candidates(generations: int, each: int, mark: str, sources: tuple[Passage, ...]) -> Iterator[Candidate]:
    operators = ("random", "query", "crossover")
    for g in range(generations + 1):
        for n in range(each):
            parents = tuple(f"{mark}{g - 1}-{(n + step) % each}" for step in range(1 + (n % 3 == 2))) if g else ()
            yield Candidate(
                id=f"{mark}{g}-{n}",
                text=f"{mark}The door of turn {g} is painted in shade {n}.",
                parents=tuple(dict.fromkeys(parents)),
                operator=f"{mark}{operators[n % 3]}" if g else "seed",
                generation=g,
                fitness={
                    "relevance": g - n / 10,
                    "rouge": 0.5,
                    "support": 1 / (n + 1),
                    f"{mark}total" if mark and not g else "total": g - n / 100,
                    "total": g - n / 100,
                },
                passage=None if g or n > 1 else sources[n].id,
            )


def _turn(number: int, each: int, lineage: tuple[Candidate, ...]) -> Generation:
    best = next(c.id for c in lineage if c.generation <= number)
    costs = {"calls": each, "prompt_tokens": 1000 * each, "reply_tokens": 10 * each} if number else {}
    return Generation(number=number, wanted=each + 3, new=each, failed=2, repeated=1, best=best, seconds=0.25, **costs)


def _verdict(text: str, sources: tuple[Passage, ...], mark: str) -> Verdict:
    ends = list(accumulate((len(mark) + len("The door is blue."), len(" It is red."))))
    spans = (Span(source="answer", start=len(mark), end=ends[0]), Span(source="answer", start=ends[0] + 1, end=ends[1]))
    start = len(mark)
    cited = Span(source=sources[0].id, start=start, end=start + len("The door is blue."))
    labels = (Label.SUPPORTED, Label.CONTRADICTED)
    claims = tuple(
        ClaimVerdict(
            claim=Claim(id=str(n), text=span.of(text), span=span),
            label=label,
            score=0.9 - 0.8 * n,
            evidence=(
                Evidence(claim_id=str(n), index=0, span=cited, entailment=Entailment(supports=0.9, refutes=0.05)),
            ),
            reason=f"{mark}a reason" if n else None,
            spans=(Span(source="answer", start=span.end - 4, end=span.end - 1),) if n else (),
        )
        for n, (span, label) in enumerate(zip(spans, labels, strict=True))
    )
    case = Case(id="0", question=f"{mark}q", answer=text, contexts=sources)
    trace = Trace(recipe="default", model=f"{mark}mini", stages=(Stage(name="entail", items=2, seconds=0.1),))
    return Verdict(case=case, label=Label.CONTRADICTED, score=0.1, threshold=0.5, claims=claims, trace=trace)


def unanswered() -> Answer:
    """Return what is told when no passage was found."""
    case = Case(id="0", question="What?", answer="", contexts=())
    empty = "the answer is empty"
    verdict = Verdict(case=case, label=Label.NOT_CHECKABLE, score=None, threshold=0.5, reason=empty)
    return Answer(question="What?", text="", sources=(), verdict=verdict, reason="no passage was found")


@pytest.fixture
def grow() -> Grow:
    """A function that makes an answer: `grow(generations=2, each=3, mark="")`."""
    return grown


@pytest.fixture
def nothing() -> Answer:
    """An answer where no passage was found."""
    return unanswered()
