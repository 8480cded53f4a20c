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

UNDER = 0.005
"""How far under the threshold, at least, an answer with an unsupported claim is kept when its other claims are strong."""


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
        label = Label.SUPPORTED if score >= threshold else refuted_or_open(findings)
        return ClaimVerdict(
            claim=claim,
            label=label,
            score=score,
            evidence=cite(claim, findings, label, narrow=self.narrow),
            signals={"entailment": score},
        )

    def answer(self, verdicts: Sequence[ClaimVerdict], threshold: float) -> tuple[Label, float]:
        """Join the claims by the aggregation's second policy."""
        return answer_of(verdicts, self.aggregate, threshold)


def refuted_or_open(findings: Sequence[Finding]) -> Label:
    """Label an unsupported claim: contradicted when a source's likeliest reading is that it refutes the claim."""
    for finding in findings:
        e = finding.entailment
        if e.refutes is not None and e.refutes > max(e.supports, e.neutral or 0.0):
            return Label.CONTRADICTED
    return Label.NOT_ENOUGH_INFO


def answer_of(verdicts: Sequence[ClaimVerdict], aggregate: Aggregator, threshold: float) -> tuple[Label, float]:
    """Join an answer's claims: supported if all of them are; else contradicted if any is; else not enough information.

    The score is the aggregator's, but it never disagrees with the label: whatever the policy, an answer with an
    unsupported claim stays under the threshold, and one without stays at or over it.
    """
    score = aggregate.answer([v.score for v in verdicts if v.score is not None])
    if all(v.label is Label.SUPPORTED for v in verdicts):
        return Label.SUPPORTED, max(score, threshold)
    if score >= threshold:
        score = threshold - UNDER * (2 - score)
    contradicted = any(v.label is Label.CONTRADICTED for v in verdicts)
    return (Label.CONTRADICTED if contradicted else Label.NOT_ENOUGH_INFO), max(score, 0.0)
