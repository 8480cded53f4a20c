"""An engine of a few lines, so that the tools can be tried against whatever an engine may do."""

import asyncio
from collections.abc import Sequence

import pytest

from groundwire.models.batcher.ticket import Ticket
from groundwire.protocols import Pair
from groundwire.types import Case, Claim, ClaimVerdict, Entailment, Evidence, Hit, Label, Passage, Span, Verdict

PASSAGES = (
    Passage(id="bridge", text="The bridge was opened in 1932. Its arch spans 503 metres.", title="Bridge"),
    Passage(id="opera", text="The Opera House was opened in 1973."),
)


class StubEngine:
    """Supports an answer that stands in a context. `raises` comes out of every call, `seconds` is how long one takes."""

    def __init__(self, raises: Exception | None = None, seconds: float = 0.0, passages: Sequence[Passage] = PASSAGES):
        self.raises, self.seconds, self.passages = raises, seconds, passages
        self.tickets: list[Ticket] = []
        self.cases: list[Case] = []
        self.scored = 0
        self.unwanted = 0

    async def start(self) -> None:
        return None

    async def check(self, cases: Sequence[Case], ticket: Ticket, *, threshold: float | None = None) -> list[Verdict]:
        await self._work(ticket)
        self.cases += cases
        return [_verdict(case) for case in cases]

    async def verify(self, case: Case, index_name: str, ticket: Ticket, **options: object) -> Verdict:
        return (await self.check([Case(**{**_fields(case), "contexts": tuple(self.passages)})], ticket))[0]

    async def search(
        self, index_name: str, query: str, k: int, ticket: Ticket, *, stack: str | None = None
    ) -> list[Hit]:
        await self._work(ticket)
        return [Hit(passage=p, score=3.0 - n, by="bm25") for n, p in enumerate(self.passages[:k])]

    async def entail(self, pairs: Sequence[Pair], ticket: Ticket) -> list[Entailment]:
        await self._work(ticket)
        self.scored += len(pairs)
        return [_entailment(claim in premise) for premise, claim in pairs]

    async def score(self, pairs: Sequence[Pair], ticket: Ticket) -> list[float]:
        await self._work(ticket)
        self.scored += len(pairs)
        return [float(sum(word in text for word in query.split())) for query, text in pairs]

    async def _work(self, ticket: Ticket) -> None:
        self.tickets.append(ticket)
        if self.raises is not None:
            raise self.raises
        try:
            await asyncio.sleep(self.seconds)
        except asyncio.CancelledError:
            self.unwanted += 1
            raise


def _fields(case: Case) -> dict[str, object]:
    return {"id": case.id, "question": case.question, "answer": case.answer}


def _entailment(found: bool) -> Entailment:
    return (
        Entailment(supports=0.9, refutes=0.02, neutral=0.08)
        if found
        else Entailment(supports=0.1, refutes=0.7, neutral=0.2)
    )


def _verdict(case: Case) -> Verdict:
    text, at = case.answer, Span(source="answer", start=0, end=len(case.answer))
    evidence = tuple(
        Evidence(
            claim_id="0",
            index=n,
            span=Span(source=passage.id, start=found, end=found + len(text)),
            entailment=_entailment(found=True),
        )
        for n, passage in enumerate(case.contexts)
        if (found := passage.text.find(text)) >= 0
    )
    label = Label.SUPPORTED if evidence else Label.NOT_ENOUGH_INFO
    claim = ClaimVerdict(
        claim=Claim(id="0", text=text, span=at), label=label, score=float(bool(evidence)), evidence=evidence
    )
    return Verdict(case=case, label=label, score=claim.score, threshold=0.5, claims=(claim,))


@pytest.fixture
def stub() -> type[StubEngine]:
    return StubEngine
