"""What a report says of one row: nothing, or what is wrong with it.

There are two gates. `by_evidence` is that of `check`: an answer has to be grounded. `by_label` is that of an evaluation: a
verdict has to agree with the row's gold label, so a hallucination that is found is as it should be.

Left out: how it is written down.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from groundwire.gates.told import told
from groundwire.types import LABEL_NAMES, ClaimVerdict, Label, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What is wrong with a row: the rule that it breaks, one line, all of it, and the claims that are to blame.

    `checked` is False for a row that could not be checked at all.
    """

    rule: str
    message: str
    details: str
    claims: tuple[ClaimVerdict, ...] = ()
    checked: bool = True


Gate = Callable[[Verdict], Finding | None]

RULES = {
    "contradicted": "The contexts contradict what the answer says.",
    "not-enough-info": "Nothing in the contexts backs what the answer says.",
    "not-checkable": "The answer could not be checked.",
    "wrong-verdict": "The verdict does not agree with the row's label.",
}
"""Every rule, by its id."""

_RULE_OF = {
    Label.CONTRADICTED: "contradicted",
    Label.NOT_ENOUGH_INFO: "not-enough-info",
    Label.NOT_CHECKABLE: "not-checkable",
}


def rule_of(label: Label) -> str:
    """Return the rule that a claim with this label breaks, any label but supported."""
    return _RULE_OF[label]


def by_evidence(verdict: Verdict) -> Finding | None:
    """Return what is wrong with an answer that is not grounded, None for one that is."""
    if verdict.grounded:
        return None
    details = told(verdict)
    blamed = tuple(claim for claim in verdict.claims if claim.label in _RULE_OF and claim.score is not None)
    return Finding(
        rule=_RULE_OF[verdict.label],
        message=details.partition("\n")[0],
        details=details,
        claims=blamed,
        checked=verdict.score is not None,
    )


def by_label(verdict: Verdict) -> Finding | None:
    """Return what is wrong with a verdict beside the row's gold label, None where they agree on supported or not."""
    if verdict.score is None:
        return by_evidence(verdict)
    gold = verdict.case.label
    if gold is None or (gold is Label.SUPPORTED) == verdict.grounded:
        return None
    message = (
        f"labelled {LABEL_NAMES[gold]}, judged {LABEL_NAMES[verdict.label]} "
        f"(score {verdict.score:.2f}, threshold {verdict.threshold:.2f})"
    )
    return Finding(rule="wrong-verdict", message=message, details=f"{message}\n{told(verdict)}", claims=verdict.claims)
