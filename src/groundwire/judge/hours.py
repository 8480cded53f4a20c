"""A time that a source has in the other half of the day is denied by it, whatever a model makes of the two.

To a small model 9 a.m. and 9 p.m. are nearly the same string, however it was trained; which half of the day is meant can be
read without one. Where any source has the claim's time as well it is the model's to say, and so are times that differ
otherwise: they may be worked out (from nine, for eight hours). 2:22 is 14:22:10 and 2:22:10 with the seconds cut.

Left out: what may be either half (9:00), and times in words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import replace

from groundwire.judge.quoted import SURE
from groundwire.quantities import Quantity, QuantityIndex, quantities
from groundwire.types import Entailment, Finding

_DAY = 24 * 60
_HOURS = re.compile(r"\s?(?:hrs|hours|h)\b")
_TWELVE = re.compile(r"\b(?:noon|midday|midnight)\b", re.IGNORECASE)


def with_hours(claim: str, findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings, those certain to deny the claim whose premise has one of its times in the other half of the day,
    where no premise has that time as it is."""
    times = [time for time in _times(claim) if not time.also]
    if not times:
        return list(findings)
    read = [quantities(finding.premise.text) for finding in findings]
    theirs = [[quantity for quantity in of_premise if quantity.kind == "time"] for of_premise in read]
    said = QuantityIndex(time for of_premise in theirs for time in of_premise)
    bare = {
        quantity.value
        for finding, of_premise in zip(findings, read, strict=True)
        for quantity in of_premise
        if quantity.kind == "number" or (quantity.kind == "year" and _HOURS.match(finding.premise.text, quantity.end))
    }
    noon = any(_TWELVE.search(finding.premise.text) for finding in findings)
    open_to_doubt = {time.value for time in times if time in said or _may_be_said(time, bare, noon)}
    turned = {_seconds(time.value + _DAY / 2) for time in times if time.value not in open_to_doubt}
    return [
        denied(finding)
        if any(not time.also and not turned.isdisjoint(_cut(time.value)) for time in of_premise)
        else finding
        for finding, of_premise in zip(findings, theirs, strict=True)
    ]


def _seconds(time: float) -> int:
    return round(time % _DAY * 60)


def _cut(time: float) -> tuple[int, int]:
    """Return a time of a source in seconds, with and without those that are over its minutes: a claim may leave them out."""
    return _seconds(time), _seconds(time // 1)


def _may_be_said(time: Quantity, bare: Set[float], noon: bool) -> bool:
    """Whether bare numbers may be the time: its hour without a half of the day (from 7 to 9 p.m., eight in the morning), or
    2000 hrs; twelve may be noon or midnight."""
    hour, minutes = divmod(time.value, 60)
    return not bare.isdisjoint({hour % 12 or 12.0, hour, hour * 100 + minutes}) or (noon and hour % 12 == 0)


def _times(text: str) -> list[Quantity]:
    return [quantity for quantity in quantities(text) if quantity.kind == "time"]


def denied(finding: Finding) -> Finding:
    """Return the finding of a premise that certainly denies the claim."""
    two_way = finding.entailment.refutes is None
    rest = (1 - SURE) / 2
    read = Entailment(supports=1 - SURE) if two_way else Entailment(supports=rest, refutes=SURE, neutral=rest)
    return replace(finding, entailment=read)
