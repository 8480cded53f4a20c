"""The default judge: the model's reading of a claim together with plain lexical evidence, joined by a small fitted rule.

A small entailment model knows negation, roles and changed values, and is unsure of long passages and of registers that it
has not seen; the share of a claim's words and bigrams that stand in the source is the other way round. A logistic
regression over both (`fusion.json`, fitted by `groundwire.training.fusion` on sets that the model was not trained on) is
better than either, and every number it reads is in the verdict's `signals`.

Left out: the fitting, and models that it was not fitted for.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from operator import mul

from groundwire.judge.dates import with_dates
from groundwire.judge.evidence import cite
from groundwire.judge.hours import with_hours
from groundwire.judge.lexical import Lexicon
from groundwire.judge.quoted import with_quotations
from groundwire.judge.scales import with_scales
from groundwire.judge.signs import with_signs
from groundwire.judge.spans import unbacked, words
from groundwire.judge.threshold import answer_of, leaves_open, likeliest
from groundwire.odds import logit, sigmoid
from groundwire.protocols import Aggregator
from groundwire.types import Claim, ClaimVerdict, Finding, Label

SCHEMA = 1
LEAST, MOST = 1e-4, 1 - 1e-3
"""Between these is a probability of being backed kept before its log-odds are taken: a small model that is surer is not right
more often."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fusion:
    """A logistic regression over named signals: probability = sigmoid(bias + Σ weight · signal).

    `model_sha256` is the model that it was fitted for. `unbacked` is the logit of that model over which a word of a claim
    that is not supported counts as not backed, `denied` the value of the signal of that name from which on such a claim counts
    as contradicted.
    """

    weights: Mapping[str, float]
    bias: float
    model_sha256: str
    unbacked: float = 0.0
    denied: float = 0.0

    def probability(self, signals: Mapping[str, float]) -> float:
        """Return the probability in (0, 1) that a claim with these signals is supported."""
        return sigmoid(self.bias + math.fsum(weight * signals[name] for name, weight in self.weights.items()))


@cache
def shipped() -> Fusion:
    """Return the fusion that was fitted for the built-in model."""
    data = json.loads(files("groundwire.judge").joinpath("fusion.json").read_text(encoding="utf-8"))
    return Fusion(
        weights=data["weights"],
        bias=data["bias"],
        model_sha256=data["model_sha256"],
        unbacked=data["unbacked"],
        denied=data["denied"],
    )


def signals(claim: Claim, findings: Sequence[Finding]) -> dict[str, float]:
    """Return everything that the fusion may read of one claim, by name; all finite.

    A premise says something of a claim in so far as it is about it: `backed` are the log-odds of the highest P(relevant) ·
    P(supports) over the premises, and `overlap_relevant` the highest P(relevant) · share of the claim's words and word pairs
    over those of a single context: sentences picked from several for the claim's words share these with it whatever they say.
    `relevance` is the highest logit of relevance. A model that reads none counts every premise as relevant.

    `supports` and `refutes` are log-odds: the highest over the premises, and (`..._gathered`) those of the last premise,
    which for a shortlist is the sentences that together hold the claim's words. `denied` is the highest log-odds that a
    premise denies the claim rather than leaving it open, over the relevant ones of a single context, where none reads as
    support.
    `unbacked_most` is the log-odds that the claim's least backed word is not backed, `unbacked_mean` the mean probability over
    its words (both 0 for a model that reads no tokens). The rest is lexical, in [0, 1]: `overlap` is the mean share of the
    claim's words and word pairs that stand in the premises, `overlap_best` in the best of them.
    """
    supports = [logit(f.entailment.supports) for f in findings]
    refutes = [logit(f.entailment.refutes or 0.0) for f in findings]
    best = supports.index(max(supports))
    lexicon = Lexicon([f.premise.text for f in findings])
    lexical = lexicon.signals(claim.text)
    relevant = [1.0 if f.relevance is None else sigmoid(f.relevance) for f in findings]
    shares = map(mul, relevant, lexicon.shares(claim.text))
    whole = (share for share, finding in zip(shares, findings, strict=True) if _is_of_one_context(finding))
    backed = max(map(mul, relevant, (f.entailment.supports for f in findings)))
    denial = _denial(findings)
    logits = [word.logit for word in words(claim, findings)]
    return {
        "backed": logit(min(max(backed, LEAST), MOST)),
        "overlap_relevant": max(whole, default=0.0),
        "relevance": max(f.relevance or 0.0 for f in findings),
        "supports": supports[best],
        "supports_gathered": supports[-1],
        "refutes": max(refutes),
        "refutes_best": refutes[best],
        "denied": _denies(denial) if denial else logit(0.0),
        "unbacked_most": max(logits, default=0.0),
        "unbacked_mean": math.fsum(map(sigmoid, logits)) / max(1, len(logits)),
        "overlap": (lexical["words"] + lexical["bigrams"]) / 2,
        "overlap_best": (lexical["best_window_words"] + lexical["best_window_bigrams"]) / 2,
        **lexical,
    }


def _denial(findings: Sequence[Finding]) -> Finding | None:
    """Return what denies the claim most; None where the likeliest reading of any premise is that it supports the claim.

    Only a premise of one context that is likelier than not relevant may deny: a window about something else often reads as a
    no, and so do sentences of several contexts, picked for the claim's words, of which each speaks of another thing. Where
    the model reads no relevance every premise of one context may.
    """
    if any(likeliest(f) == "supports" for f in findings):
        return None
    about = [f for f in findings if _is_of_one_context(f) and (f.relevance is None or f.relevance >= 0.0)]
    return max(about, key=_denies, default=None)


def _denies(finding: Finding) -> float:
    """Return the log-odds that a finding denies the claim rather than leaving it open; a two-way model denies nothing."""
    refutes = finding.entailment.refutes or 0.0
    return logit(refutes / (refutes + leaves_open(finding))) if refutes else logit(0.0)


def _is_of_one_context(finding: Finding) -> bool:
    return len({source.index for source in finding.premise.sources}) == 1


@dataclass(frozen=True, slots=True)
class FusedJudge:
    """Judge claims by a fusion; join them by the aggregator's policy over claims."""

    aggregate: Aggregator
    fusion: Fusion

    @classmethod
    def fitted(cls, aggregate: Aggregator) -> FusedJudge:
        """Return the judge with the shipped fusion."""
        return cls(aggregate, shipped())

    def __str__(self) -> str:
        return f"fused:{self.aggregate}"

    def judge(self, claim: Claim, findings: Sequence[Finding], threshold: float) -> ClaimVerdict:
        """Judge one claim by its findings (at least one), that of the gathered sentences last."""
        findings = with_quotations(claim.text, findings)
        for denying in (with_hours, with_dates, with_signs, with_scales):
            findings = denying(claim.text, findings)
        named = signals(claim, findings)
        score = self.fusion.probability(named)
        against = _denial(findings) if score < threshold and named["denied"] >= self.fusion.denied else None
        label = Label.SUPPORTED if score >= threshold else Label.CONTRADICTED if against else Label.NOT_ENOUGH_INFO
        evidence = cite(claim, findings, against, narrow=True)
        spans = () if label is Label.SUPPORTED else unbacked(claim, findings, self.fusion.unbacked)
        return ClaimVerdict(claim=claim, label=label, score=score, evidence=evidence, signals=named, spans=spans)

    def answer(self, verdicts: Sequence[ClaimVerdict], threshold: float) -> tuple[Label, float]:
        """Join the claims' scores and labels."""
        return answer_of(verdicts, self.aggregate, threshold)
