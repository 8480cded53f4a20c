"""A time of day that a source has in the other half of the day is denied by it, whatever a model makes of it.

To a small model 9 a.m. and 9 p.m. are nearly the same string, however it was trained; which half of the day is meant can be
read without one. A source that has the claim's time as well is left to the model, and so are times that differ otherwise:
they may be worked out (from nine, for eight hours).

Left out: what may be either half (9:00), and times in words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from groundwire.quantities import Quantity, quantities, same
from groundwire.types import Entailment, Finding

SURE = 0.999
"""The probability that a source denies the other half of the day."""
_HALF = 12 * 60


def with_hours(claim: str, findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings, those certain to deny the claim whose premise has one of its times in the other half of the day."""
    times = _times(claim)
    return [_denied(finding) if times and _turned(times, finding.premise.text) else finding for finding in findings]


def _times(text: str) -> list[Quantity]:
    return [quantity for quantity in quantities(text) if quantity.kind == "time"]


def _turned(times: Sequence[Quantity], text: str) -> bool:
    """Whether the text has one of the times twelve hours off and not as it is."""
    theirs = _times(text)
    return any(
        any(_opposite(time, other) for other in theirs) and not any(same(other, time) for other in theirs)
        for time in times
    )


def _opposite(time: Quantity, other: Quantity) -> bool:
    """Whether the two are twelve hours apart; an hour that may be either half of the day is that of any."""
    return abs(time.value - other.value) == _HALF and not time.also and not other.also


def _denied(finding: Finding) -> Finding:
    two_way = finding.entailment.refutes is None
    rest = (1 - SURE) / 2
    read = Entailment(supports=1 - SURE) if two_way else Entailment(supports=rest, refutes=SURE, neutral=rest)
    return replace(finding, entailment=read)
