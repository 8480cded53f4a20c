"""The judge without an LLM: the check path over the passages that were found.

Yes, No and Not Related are what the model's three readings say: supports, refutes, neutral. Where the answer has several
sentences each is a claim of its own, as in `check`, and the answer is as good as its weakest. What an entailment model
cannot see is that an answer declines ("I don't have access to that"): it is recognised before, and is Not Related.

Left out: how claims are split and judged, which is the checker's that is handed in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.protocols import Checker
from groundwire.text.refusals import asserts_nothing
from groundwire.types import Case, Claim, ClaimVerdict, Label, Span, Verdict

DECLINES = "not related: the answer declines or asks back, and asserts nothing"


@dataclass(frozen=True, slots=True)
class NliJudge:
    """Judge answers by a checker of given contexts; `model` names what reads for it. What a reader read is not judged by.

    A reader's words are no evidence, the passages are: they carry the offsets, and they are what the index holds.
    """

    checker: Checker
    model: str = "nli"

    @property
    def name(self) -> str:
        """The judge as its spec string."""
        return f"nli:{self.model}"

    @property
    def threshold(self) -> float:
        """The score in [0, 1] from which an answer is supported."""
        return self.checker.threshold

    def compare(self, cases: Sequence[Case], readings: Sequence[str | None]) -> list[Verdict]:
        """Judge each case's answer by its contexts, as one batch."""
        del readings
        idle = [asserts_nothing(case.answer) for case in cases]
        judged = iter(self.checker.check([case for case, declines in zip(cases, idle, strict=True) if not declines]))
        return [self._declined(case) if declines else next(judged) for case, declines in zip(cases, idle, strict=True)]

    def _declined(self, case: Case) -> Verdict:
        label, score = Label.NOT_ENOUGH_INFO, 0.0
        claim = ClaimVerdict(claim=whole(case), label=label, score=score, reason=DECLINES)
        return Verdict(case=case, label=label, score=score, threshold=self.threshold, claims=(claim,), reason=DECLINES)


def whole(case: Case) -> Claim:
    """Return the whole answer as one claim, without the white space around it."""
    start = len(case.answer) - len(case.answer.lstrip())
    end = max(start, len(case.answer.rstrip()))
    span = Span(source="answer", start=start, end=end)
    return Claim(id=f"{case.id}#0", text=span.of(case.answer), span=span, question=case.question)
