"""The judge of the paper: an LLM is shown question, answer and what was found, and picks a label (figure 4).

A reply that is no label is asked for once more, with a seed so that no cache gives the same reply back, and is then
`unparseable`; a model that declines is `refused`, a call that failed `error`. None of these becomes a label or a score.

A label has no degree, so a supported answer scores 1 and any other 0. An LLM points nowhere either: the evidence is the
passages as a whole or, with a second judge, what that one cites. Where the two disagree the verdict says `needs review`:
a text that talks the LLM over does not talk the entailment model over in the same way.

Left out: the prompt's wording (`prompts.py`), the endpoint (`models/`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from groundwire.compare.labels import LABELS, Outcome, Said, parse
from groundwire.compare.nli import NliJudge, whole
from groundwire.prompts import COMPARE, Prompt, forget
from groundwire.protocols import LLM
from groundwire.types import Case, ClaimVerdict, Completion, Entailment, Evidence, Label, Span, Verdict

RETRY_SEED = 1
HALF = 0.5
NEEDS_REVIEW = "needs review"
"""How the warning begins that says that two judges disagree."""


@dataclass(frozen=True, slots=True)
class LlmJudge:
    """Judge answers by an LLM, one call each. `second` reads the same passages and raises `needs review`."""

    llm: LLM
    prompt: Prompt = field(default_factory=lambda: Prompt(COMPARE))
    second: NliJudge | None = None

    @property
    def name(self) -> str:
        """The judge as its spec string."""
        return f"llm:{self.llm.name}"

    @property
    def threshold(self) -> float:
        """The score from which an answer is supported; a label has no degree, so any in (0, 1] is the same."""
        return HALF

    def compare(self, cases: Sequence[Case], readings: Sequence[str | None]) -> list[Verdict]:
        """Judge each case's answer by what was read from its contexts, or by the contexts where nothing was read."""
        prompts = [self._prompt(case, reading) for case, reading in zip(cases, readings, strict=True)]
        replies = self._asked(prompts)
        verdicts = [self._verdict(case, *reply) for case, reply in zip(cases, replies, strict=True)]
        return self._reviewed(verdicts)

    def _prompt(self, case: Case, reading: str | None) -> str:
        found = "\n\n".join(passage.text for passage in case.contexts) if reading is None else reading
        return self.prompt.fill(
            {"query": case.question or "", "LLM_answer": case.answer, "Retriever_answer": found},
        )

    def _asked(self, prompts: Sequence[str]) -> list[tuple[Completion, Said | None]]:
        """Return each prompt's last reply with its label, None where it has none."""
        replies = [_read(reply) for reply in self.llm.complete(prompts)]
        again = self._unread(prompts, replies, range(len(prompts)))
        if again:
            for n, reply in zip(again, self.llm.complete([prompts[n] for n in again], seed=RETRY_SEED), strict=True):
                replies[n] = _read(reply)
            self._unread(prompts, replies, again, seed=RETRY_SEED)
        return replies

    def _unread(
        self,
        prompts: Sequence[str],
        replies: Sequence[tuple[Completion, Said | None]],
        asked: Sequence[int],
        **settings: int,
    ) -> list[int]:
        """Return which of those asked gave no label, and let an LLM that keeps its replies forget these."""
        unread = [n for n in asked if replies[n][1] is None and replies[n][0].status == "ok"]
        forget(self.llm, [prompts[n] for n in unread], **settings)
        return unread

    def _verdict(self, case: Case, reply: Completion, said: Said | None) -> Verdict:
        if said is None:
            return Verdict(
                case=case, label=Label.NOT_CHECKABLE, score=None, threshold=self.threshold, reason=why(reply)
            )
        label, score = LABELS[said], float(said is Said.YES)
        claim = whole(case)
        evidence = tuple(_evidence(claim.id, index, case, said) for index in range(len(case.contexts)))
        judged = ClaimVerdict(claim=claim, label=label, score=score, evidence=evidence)
        return Verdict(case=case, label=label, score=score, threshold=self.threshold, claims=(judged,))

    def _reviewed(self, verdicts: list[Verdict]) -> list[Verdict]:
        """Let the second judge read every answer that has a label."""
        if self.second is None:
            return verdicts
        labelled = [n for n, verdict in enumerate(verdicts) if verdict.score is not None]
        seconds = self.second.compare([verdicts[n].case for n in labelled], [None] * len(labelled))
        for n, other in zip(labelled, seconds, strict=True):
            verdicts[n] = _joined(verdicts[n], other)
        return verdicts


def why(reply: Completion) -> str:
    """Return the reason of a verdict that a reply gave none for; it begins with the outcome's word."""
    if reply.status == "ok":
        return f"{Outcome.UNPARSEABLE}: the LLM's reply, asked for twice, is not one of Yes, No, Not Related"
    if reply.status == "refused":
        return f"{Outcome.REFUSED}: the LLM declined to compare" + (f" ({reply.reason})" if reply.reason else "")
    return f"{Outcome.ERROR}: the LLM could not be asked ({reply.reason or 'no reason given'})"


def _read(reply: Completion) -> tuple[Completion, Said | None]:
    return reply, parse(reply.text) if reply.status == "ok" and reply.text is not None else None


def _evidence(claim_id: str, index: int, case: Case, said: Said) -> Evidence:
    """Return a whole passage as what the label speaks of; the label's word stands for all of the probability."""
    passage = case.contexts[index]
    return Evidence(
        claim_id=claim_id,
        index=index,
        span=Span(source=passage.id, start=0, end=len(passage.text)),
        entailment=Entailment(
            supports=float(said is Said.YES),
            refutes=float(said is Said.NO),
            neutral=float(said is Said.NOT_RELATED),
        ),
    )


def _joined(verdict: Verdict, other: Verdict) -> Verdict:
    """Return the LLM's verdict with the other judge's citations, and the warning where they disagree."""
    cited = tuple(replace(e, claim_id=verdict.claims[0].claim.id) for claim in other.claims for e in claim.evidence)
    claims = (replace(verdict.claims[0], evidence=cited or verdict.claims[0].evidence),)
    warnings = (*verdict.warnings, *other.warnings)
    if other.label is not Label.NOT_CHECKABLE and other.label is not verdict.label:
        score = "" if other.score is None else f" ({other.score:.2f})"
        warnings = (
            *warnings,
            f"{NEEDS_REVIEW}: the LLM says {verdict.label}, the entailment model {other.label}{score}",
        )
    return replace(verdict, claims=claims, warnings=warnings)
