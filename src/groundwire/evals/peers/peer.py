"""The frame of every peer: cases in, verdicts out, with what cannot be scored said and the time taken.

A peer judges an answer as a whole, so its verdict holds one claim, the answer, and cites nothing. It says supported or not;
none of them tells a contradiction from missing evidence, so what is not supported is "not enough info".

Left out: how any peer scores (one file each).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

from groundwire.check import NO_ANSWER, NO_CONTEXTS
from groundwire.compare.nli import whole
from groundwire.errors import CorruptModel, InputError
from groundwire.types import Case, ClaimVerdict, Label, Span, Stage, Trace, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What a peer says of one answer: a score in [0, 1], or None and the reason. `spans` are the words it marks, if any."""

    score: float | None
    reason: str | None = None
    spans: tuple[tuple[int, int], ...] = ()


class Scorer(Protocol):
    """How one peer scores."""

    @property
    def model(self) -> str:
        """What reads for it, as a run's record says it."""
        ...

    def score(self, cases: Sequence[Case]) -> list[Opinion]:
        """Score every case, in order; each has an answer and contexts with text."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """A checker that is somebody else's. `name` is the spec string that opens it, `threshold` in [0, 1] its convention."""

    name: str
    scorer: Scorer
    threshold: float = 0.5

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise InputError(f"a threshold lies in [0, 1], got {self.threshold}")

    def check(self, cases: Sequence[Case]) -> list[Verdict]:
        """Check every case, as one batch; what cannot be scored is NOT_CHECKABLE with its reason.

        Raises CorruptModel where the peer returns something else than a score in [0, 1] for each answer.
        """
        reasons = [_nothing_to_check(case) for case in cases]
        live = [case for case, reason in zip(cases, reasons, strict=True) if reason is None]
        start = perf_counter()
        opinions = self.scorer.score(live) if live else []
        trace = Trace(
            recipe=self.name,
            model=self.scorer.model,
            stages=(Stage(name="peer", items=len(live), seconds=perf_counter() - start),),
        )
        self._sound(len(live), opinions)
        said = iter(opinions)
        return [
            self._verdict(case, next(said) if reason is None else Opinion(score=None, reason=reason), trace)
            for case, reason in zip(cases, reasons, strict=True)
        ]

    def _verdict(self, case: Case, opinion: Opinion, trace: Trace) -> Verdict:
        score, reason = opinion.score, opinion.reason
        if score is None:
            label = Label.NOT_CHECKABLE
            reason = reason or "the peer gave no score"
            claims: tuple[ClaimVerdict, ...] = ()
        else:
            label = Label.SUPPORTED if score >= self.threshold else Label.NOT_ENOUGH_INFO
            marked = opinion.spans if label is not Label.SUPPORTED else ()
            spans = tuple(Span(source="answer", start=start, end=end) for start, end in marked)
            claims = (ClaimVerdict(claim=whole(case), label=label, score=score, reason=reason, spans=spans),)
        return Verdict(
            case=case, label=label, score=score, threshold=self.threshold, claims=claims, reason=reason, trace=trace
        )

    def _sound(self, wanted: int, opinions: Sequence[Opinion]) -> None:
        if len(opinions) != wanted:
            raise CorruptModel(f"{self.name} returned {len(opinions)} scores for {wanted} answers", "check its package")
        for opinion in opinions:
            if opinion.score is not None and not 0 <= opinion.score <= 1:  # a NaN is in no range
                raise CorruptModel(f"{self.name} returned the score {opinion.score}", "a score lies in [0, 1]")


def context_of(case: Case) -> str:
    """Return all contexts of a case as one text, each on lines of its own."""
    return "\n".join(passage.text for passage in case.contexts if passage.text.strip())


def _nothing_to_check(case: Case) -> str | None:
    if case.reason:
        return case.reason
    if not case.answer.strip():
        return NO_ANSWER
    return None if any(passage.text.strip() for passage in case.contexts) else NO_CONTEXTS
