"""A time that a source has in the other half of the day is denied by it, whatever a model makes of the two.

To a small model 9 a.m. and 9 p.m. are nearly the same string, however it was trained; which half of the day is meant can be
read without one. Where any source has the claim's time as well it is the model's to say, and so are times that differ
otherwise: they may be worked out (from nine, for eight hours).

Left out: what may be either half (9:00), and times in words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from groundwire.judge.quoted import SURE
from groundwire.quantities import Quantity, QuantityIndex, quantities
from groundwire.types import Entailment, Finding

_DAY = 24 * 60


def with_hours(claim: str, findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings, those certain to deny the claim whose premise has one of its times in the other half of the day,
    where no premise has that time as it is."""
    times = [time for time in _times(claim) if not time.also]
    if not times:
        return list(findings)
    theirs = [_times(finding.premise.text) for finding in findings]
    said = QuantityIndex(time for of_premise in theirs for time in of_premise)
    turned = {(time.value + _DAY / 2) % _DAY for time in times if not said.says(time)}
    return [
        _denied(finding) if any(not time.also and time.value % _DAY in turned for time in of_premise) else finding
        for finding, of_premise in zip(findings, theirs, strict=True)
    ]


def _times(text: str) -> list[Quantity]:
    return [quantity for quantity in quantities(text) if quantity.kind == "time"]


def _denied(finding: Finding) -> Finding:
    two_way = finding.entailment.refutes is None
    rest = (1 - SURE) / 2
    read = Entailment(supports=1 - SURE) if two_way else Entailment(supports=rest, refutes=SURE, neutral=rest)
    return replace(finding, entailment=read)
