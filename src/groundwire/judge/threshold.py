"""The paper's judge: aggregate the support probabilities over the sources, compare with a threshold.

Source: Provenance (arXiv 2411.01022), section 3.4: the answer is factual when the aggregated score is at or over the
threshold. A model with three readings lets us also say that the evidence contradicts; a two-way model never does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.judge.evidence import cite
from groundwire.protocols import Aggregator
from groundwire.types import Claim, ClaimVerdict, Finding, Label

HALF = 0.5


@dataclass(frozen=True, slots=True)
class ThresholdJudge:
    """Aggregate, then compare. `narrow` cites sentences rather than whole sources."""

    aggregate: Aggregator
    narrow: bool = False

    def __str__(self) -> str:
        return f"threshold:{self.aggregate}"

    def judge(self, claim: Claim, findings: Sequence[Finding], threshold: float) -> ClaimVerdict:
        """Judge one claim by its findings (at least one)."""
        supports = [f.entailment.supports for f in findings]
        score = self.aggregate.claim(supports, [math.fsum(f.premise.weights) for f in findings])
        against = None if score >= threshold else _refuting(findings)
        label = Label.SUPPORTED if score >= threshold else Label.CONTRADICTED if against else Label.NOT_ENOUGH_INFO
        return ClaimVerdict(
            claim=claim,
            label=label,
            score=score,
            evidence=cite(claim, findings, against, narrow=self.narrow),
            signals={"entailment": score},
        )

    def answer(self, verdicts: Sequence[ClaimVerdict], threshold: float) -> tuple[Label, float]:
        """Join the claims by the aggregation's second policy."""
        return answer_of(verdicts, self.aggregate, threshold)


def _refuting(findings: Sequence[Finding]) -> Finding | None:
    """Return what contradicts an unsupported claim: the strongest of the findings whose likeliest reading is that it refutes
    the claim. None when there is none, or when the likeliest reading of any finding is that it supports it."""
    if any(likeliest(f) == "supports" for f in findings):
        return None
    against = [f for f in findings if likeliest(f) == "refutes"]
    return max(against, key=lambda f: f.entailment.refutes or 0.0) if against else None


def likeliest(finding: Finding) -> str:
    """Return the likeliest of the three readings; "open" for a two-way model that does not say more than half."""
    e = finding.entailment
    if e.refutes is None:
        return "supports" if e.supports > HALF else "open"
    readings = {"supports": e.supports, "refutes": e.refutes, "open": leaves_open(finding)}
    return max(readings, key=lambda name: readings[name])


def leaves_open(finding: Finding) -> float:
    """Return the probability that a finding leaves the claim open: what remains where the model does not say."""
    e = finding.entailment
    return max(0.0, 1.0 - e.supports - (e.refutes or 0.0)) if e.neutral is None else e.neutral


def answer_of(verdicts: Sequence[ClaimVerdict], aggregate: Aggregator, threshold: float) -> tuple[Label, float]:
    """Join an answer's claims: supported by its score; else contradicted if any is; else not enough information."""
    score = aggregate.answer([v.score for v in verdicts if v.score is not None])
    if score >= threshold:
        return Label.SUPPORTED, score
    contradicted = any(v.label is Label.CONTRADICTED for v in verdicts)
    return (Label.CONTRADICTED if contradicted else Label.NOT_ENOUGH_INFO), score
