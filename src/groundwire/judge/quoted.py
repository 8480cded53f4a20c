"""What stands in a source word for word is backed by it, whatever a model makes of it.

A small model now and then reads a sentence as denied by itself: a price glued to its unit, a list of names, a text that was
tokenised by somebody. Whether a claim is a quotation can be seen without a model. Only whole sentences count: a clause out of
a sentence may say the opposite of what the sentence says.

Left out: claims that are nearly quotations, which are the model's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from groundwire.text import sentence_bounds
from groundwire.types import Entailment, Finding

SURE = 0.999
"""The probability that a source backs what it says itself, and that it is about it."""
_RELEVANT = 7.0
"""The logit of SURE, rounded up."""
# What stands between words may differ, and so may case; signs that change what a number is are part of it.
_SAID = re.compile(r"[^\W_]|[$€£¥₹₩%°<>=+?]|(?<=\d)[.,:/–-](?=\d)|(?<!\w)[-−](?=\d)")


def with_quotations(claim: str, findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings, those whose premise holds the claim as whole sentences certain that it is backed."""
    said = _said(claim)
    return [_certain(finding) if said and _holds(finding.premise.text, said) else finding for finding in findings]


def _holds(text: str, said: str) -> bool:
    """Whether a run of whole sentences of the text says this, letter for letter."""
    if said not in _said(text):
        return False
    parts = [_said(text[start:end]) for start, end in sentence_bounds(text)]
    whole, ends = "".join(parts), list(accumulate(map(len, parts)))
    starts = {0, *ends}
    at = whole.find(said)
    while at >= 0 and not (at in starts and at + len(said) in starts):
        at = whole.find(said, at + 1)
    return at >= 0


def _said(text: str) -> str:
    return "".join(_SAID.findall(text.casefold()))


def _certain(finding: Finding) -> Finding:
    read = finding.entailment
    if read.supports >= SURE:
        return finding
    rest = None if read.refutes is None else (1 - SURE) / 2
    certain = Entailment(supports=SURE, refutes=rest, neutral=rest)
    relevance = None if finding.relevance is None else max(finding.relevance, _RELEVANT)
    return replace(finding, entailment=certain, relevance=relevance)
