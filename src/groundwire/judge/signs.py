"""A figure that a source has with the other sign is denied by it, whatever a model makes of the two.

To a small model -12 degrees and 12 degrees are the same but for a hyphen. Which of the two is said can be read without one,
where both measure the same thing (a percentage, a currency, the same word behind them) and no word near the one without a
minus says which way it goes: what fell by 3 per cent grew by -3.

Left out: figures in brackets, as accounts write losses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from groundwire.judge.hours import denied
from groundwire.quantities import Quantity, QuantityIndex, quantities
from groundwire.types import Finding

_DOWN = re.compile(
    r"\b(?:below|under|lower\w*|less|fewer|down\w*|fall\w*|fell|drop\w*|declin\w*|decreas\w*|shr[aiu]nk\w*|contract\w*|los[est]\w*"
    r"|lost|deficit\w*|negative\w*|reduc\w*|cut\w*|wors\w*|off|sank|sink\w*|slump\w*|slid\w*|short\w*|debt\w*|ow(?:e|es|ed|ing)"
    r"|minus|differ\w*|between|range\w*|from|tumbl\w*|slip\w*|plung\w*|dip\w*|eas(?:ed|es|ing)|retreat\w*|weak\w*|crash\w*"
    r"|depreciat\w*|plummet\w*|discount\w*|cheap\w*|sav(?:e|ed|es|ing|ings)|behind|deep\w*|depth|pa(?:id|y|ys|yment)|spent|spend\w*"
    r"|outflow\w*|penalt\w*|fees?|costs?|charge\w*|deduct\w*|back|earl\w*|error|margin)\b",
    re.IGNORECASE,
)
"""Words that give a figure a direction, or make the sign before it a dash."""
_BEFORE, _AFTER = 60, 30
"""So many characters around a figure hold such a word."""
_SAID = re.compile(
    r"(?:\b(?:is|was|were|are|be|been|at|of|to|by|reached|hit|about|around|nearly|almost|recorded|reads?|shows?|showed)\s"
    r"|[=:(][ \t]?)\Z"
)
"""What stands before a minus that is one: elsewhere it may be a dash, an item's mark, a range."""
_MINUS = re.compile(r"[-−](?:[$€£¥₹₩][ ]?)?\.?\d|minus ", re.IGNORECASE)
"""What every figure below nothing begins with: without one there are no signs to compare."""
_WORD = re.compile(r"[ \xa0-]?(°|[^\W\d_]+)")


def with_signs(claim: str, findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings, those certain to deny the claim whose premise has one of its figures with the other sign, where no
    premise has that figure as it is."""
    if not any(map(_MINUS.search, (claim, *(finding.premise.text for finding in findings)))):
        return list(findings)
    ours = list(_measures(claim))
    theirs = [list(_measures(finding.premise.text)) for finding in findings] if ours else [[] for _ in findings]
    said = QuantityIndex(figure for of_premise in theirs for figure, _ in of_premise)
    turned = {(-figure.value, thing) for figure, thing in _signed(claim, ours) if not said.says(figure)}
    return [
        denied(finding)
        if any((figure.value, thing) in turned for figure, thing in _signed(finding.premise.text, of_premise))
        else finding
        for finding, of_premise in zip(findings, theirs, strict=True)
    ]


Measure = tuple[Quantity, str]
"""A figure, and what it measures: "%", a currency, the word behind it."""


def _measures(text: str) -> Iterator[Measure]:
    for figure in quantities(text):
        if figure.kind in ("number", "percent") and figure.value and not figure.weak:
            word = _WORD.match(text, figure.end)
            thing = "%" if figure.kind == "percent" else figure.unit or (word[1].lower() if word else "")
            if thing:
                yield figure, thing


def _signed(text: str, measures: Sequence[Measure]) -> Iterator[Measure]:
    """Yield the figures whose sign is all that gives them a direction."""
    for figure, thing in measures:
        if figure.value < 0 and not _SAID.search(text, max(0, figure.start - 20), figure.start):
            continue
        if figure.value < 0 or not _DOWN.search(text, max(0, figure.start - _BEFORE), figure.end + _AFTER):
            yield figure, thing
