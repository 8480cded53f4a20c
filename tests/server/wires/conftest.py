"""A stand-in for the engine that says what a test scripts, behind the real application."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from fastapi.testclient import TestClient

from groundwire.errors import GroundwireError
from groundwire.models.batcher.ticket import Ticket
from groundwire.server.app import build
from groundwire.server.engine import ModelInfo
from groundwire.server.settings import Limits, Settings
from groundwire.types import Case, Claim, ClaimVerdict, Entailment, Evidence, Label, Span, Verdict

SUPPORTED, CONTRADICTED, OPEN, IDLE = Label.SUPPORTED, Label.CONTRADICTED, Label.NOT_ENOUGH_INFO, Label.NOT_CHECKABLE


@dataclass
class Scripted:
    """An engine whose claims, entailments, logits and errors a test sets; it keeps what it was asked."""

    claims: list[tuple[str, Label, float | None, list[tuple[int, str, float]]]] = field(default_factory=list)
    """Words of the answer, label, score, and (context, its words, how far they support) for each evidence."""
    unbacked: dict[str, list[str]] = field(default_factory=dict)
    entailments: list[Entailment] = field(default_factory=list)
    logits: list[float] = field(default_factory=list)
    cut: list[bool] = field(default_factory=list)
    error: GroundwireError | None = None
    no_relevance: GroundwireError | None = None
    ready: bool = True
    threshold: float = 0.5
    asked: list[Any] = field(default_factory=list)
    model: ModelInfo = field(
        default_factory=lambda: ModelInfo(
            name="mini", identity="c0ffee", precision="int8", max_length=512, max_batch_tokens=1024
        )
    )

    async def check(self, cases: Sequence[Case], ticket: Ticket, *, threshold: float | None = None) -> list[Verdict]:
        self._note("check", list(cases), threshold)
        return [self._verdict(case, self.threshold if threshold is None else threshold) for case in cases]

    async def entail(self, pairs: Sequence[tuple[str, str]], ticket: Ticket) -> list[Entailment]:
        self._note("entail", list(pairs))
        return self.entailments

    async def score(self, pairs: Sequence[tuple[str, str]], ticket: Ticket) -> list[float]:
        self._note("score", list(pairs))
        if self.no_relevance:
            raise self.no_relevance
        return self.logits[: len(pairs)]

    async def truncated(
        self, pairs: Sequence[tuple[str, str]], ticket: Ticket, *, relevance: bool = False
    ) -> list[bool]:
        return self.cut or [False] * len(pairs)

    async def start(self) -> None: ...

    async def drain(self, seconds: float) -> bool:
        return True

    async def close(self) -> None: ...

    def full(self, client: str = "") -> int | None:
        return None

    def state(self) -> dict[str, Any]:
        return {}

    def indexes(self) -> dict[str, Any]:
        return {}

    def _note(self, *asked: Any) -> None:
        self.asked.append(asked)
        if self.error:
            raise self.error

    def _verdict(self, case: Case, threshold: float) -> Verdict:
        claims = tuple(self._claim(case, *row) for row in self.claims)
        scores = [claim.score for claim in claims if claim.score is not None]
        worst = min(claims, key=lambda c: 2.0 if c.score is None else c.score, default=None)
        return Verdict(
            case=case,
            label=worst.label if worst and scores else IDLE,
            score=min(scores, default=None),
            threshold=threshold,
            claims=claims,
            reason=None if scores else "nothing to check",
        )

    def _claim(
        self, case: Case, words: str, label: Label, score: float | None, found: list[tuple[int, str, float]]
    ) -> ClaimVerdict:
        def span(text: str, part: str, source: str) -> Span:
            start = text.index(part)
            return Span(source=source, start=start, end=start + len(part))

        where = span(case.answer, words, "answer")
        idle = "nothing to check" if score is None else None
        return ClaimVerdict(
            claim=Claim(id=words, text=words, span=where, idle=idle),
            label=label,
            score=score,
            reason=idle,
            spans=tuple(span(case.answer, part, "answer") for part in self.unbacked.get(words, [])),
            evidence=tuple(
                Evidence(
                    claim_id=words,
                    index=index,
                    span=span(case.contexts[index].text, text, str(index)),
                    entailment=Entailment(supports=supports),
                )
                for index, text, supports in found
            ),
        )


@pytest.fixture
def scripted() -> Scripted:
    return Scripted()


@pytest.fixture
def limits() -> Limits:
    return Limits(text_chars=2_000)


@pytest.fixture
def http(scripted: Scripted, limits: Limits) -> TestClient:
    app: Any = build(Settings(limits=limits), scripted)  # type: ignore[arg-type]
    return TestClient(app, base_url="http://localhost")
