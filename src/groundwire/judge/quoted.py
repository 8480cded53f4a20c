"""What stands in a source word for word is backed by it, whatever a model makes of it.

A small model now and then reads a sentence as denied by itself: a price glued to its unit, a list of names, a text that was
tokenised by somebody. Whether a claim is a quotation can be seen without a model. Only whole sentences count: a clause out of
a sentence may say the opposite of what the sentence says, and so may what stands behind a colon or in somebody's mouth.

Left out: claims that are nearly quotations, which are the model's; whether another sentence takes the quoted one back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from groundwire.text import sentence_bounds
from groundwire.types import Entailment, Finding, Premise

SURE = 0.999
"""The probability that a source backs what it says itself, and that it is about it."""
NEXT = 2
"""The most characters between two sentences of one text that stand beside each other."""
_RELEVANT = 7.0
"""The logit of SURE, rounded up."""
# Case may differ, and the white space where a number, a word or a sign meets another kind; quotation marks, commas and stops
# that are no part of a number are not compared.
_PARTS = re.compile(r"""\d++(?:[.,]\d++)*+|[^\W\d_]++|\.(?=\d)|[^\w\s"“”„«»'‘’`,.]|_""")
_ENDED = re.compile(r"""[.!?…。！？؟।]["”’'»)\]]*+$""")


def with_quotations(claim: str, findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings, those whose premise holds the claim as whole sentences certain that it is backed."""
    said = "\n".join(filter(None, (_said(claim[start:end]) for start, end in sentence_bounds(claim))))
    return [_certain(finding) if said and _quotes(finding.premise, said) else finding for finding in findings]


def _quotes(premise: Premise, said: str) -> bool:
    """Whether the premise says just this, with nothing left out between: sentences gathered from several places are not one
    text, and who "he" is may stand in what is missing."""
    pairs = list(pairwise(premise.sources))
    whole = all(one.index == then.index and then.span.start - one.span.end <= NEXT for one, then in pairs)
    return whole and _holds(premise.text, said)


def _holds(text: str, said: str) -> bool:
    """Whether whole sentences of the text, one after the other, say just this."""
    bounds = [(start, end) for start, end in sentence_bounds(text) if _whole(text, start, end)]
    parts = [_said(text[start:end]) for start, end in bounds]
    whole = "\n".join(("", *parts, ""))
    before, found, _ = whole.partition(f"\n{said}\n")
    return bool(found) and _speaks_itself(text[: bounds[before.count("\n")][0]])


def _whole(text: str, start: int, end: int) -> bool:
    """Whether a sentence is all there; the first and the last of a window may be the rest or the beginning of one."""
    begun = start > 0 or not next((c for c in text[start:end] if c.isalpha()), "A").islower()
    return begun and (end < len(text.rstrip()) or _ENDED.search(text[start:end].rstrip()) is not None)


def _speaks_itself(before: str) -> bool:
    """Whether what follows this is the source's own word: no item behind a colon, nothing inside a quotation."""
    lead = any(line.rstrip().endswith(":") for line in before.splitlines())
    return not lead and before.count('"') % 2 == 0 and before.count("“") <= before.count("”")


def _said(sentence: str) -> str:
    return " ".join(_PARTS.findall(sentence.casefold()))


def _certain(finding: Finding) -> Finding:
    read = finding.entailment
    if read.supports < SURE:
        rest = None if read.refutes is None else (1 - SURE) / 2
        read = Entailment(supports=SURE, refutes=rest, neutral=rest)
    relevance = None if finding.relevance is None else max(finding.relevance, _RELEVANT)
    return replace(finding, entailment=read, relevance=relevance)
