"""A date that a source's record gives something by name is denied any other, whatever a model makes of the two.

To a small model 03/07/2024 and March 9, 2024 are not far apart, whichever of the two numbers is the day. Where a record says
`Discharged: 03/07/2024` and a claim that something was discharged on March 9, 2024, which is a day in no source, no reading
of the one is the other.

Left out: dates without a year or a day, records with several dates of one name, claims with several dates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from groundwire.judge.hours import denied
from groundwire.quantities import Quantity, QuantityIndex, quantities
from groundwire.text import content_terms
from groundwire.text.roots import root
from groundwire.types import Finding

_LABEL = re.compile(
    r"(?<![^\W\d_])([A-Za-z]{3,20}(?:[ _-][A-Za-z]{2,20}){0,2}+)[\"'*]{0,3}[ ]?:[ \t]{0,8}[\"'*]{0,3}[ ]?\Z"
)
_LONGEST = 90
_OPEN = re.compile(
    r"\b(?:before|after|until|till|since|by|from|to|between|within|not|n't|than|or|around|about)\b", re.IGNORECASE
)
"""Between a thing and a date these leave open when it was."""
_FULL = 1000_00_00
_BETWEEN = 60
_COMMON = frozenset(("date", "day", "time"))


def with_dates(claim: str, findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings, those certain to deny the claim whose premise has a record with another date for what it dates,
    where no premise has the claim's date."""
    ours = [one for one in quantities(claim) if one.kind in ("date", "year")]
    if len(ours) != 1 or not _is_full(ours[0]):
        return list(findings)
    read = [[one for one in quantities(f.premise.text) if one.kind in ("date", "year")] for f in findings]
    if ours[0] in QuantityIndex(one for every in read for one in every):
        return list(findings)
    dated = _dated(claim, ours[0])
    named = [
        [one for one in every if _is_full(one) and dated & _label(finding.premise.text, one)]
        for finding, every in zip(findings, read, strict=True)
    ]
    if len({frozenset(one.readings) for every in named for one in every}) != 1:
        return list(findings)
    return [denied(finding) if every else finding for finding, every in zip(findings, named, strict=True)]


def _is_full(one: Quantity) -> bool:
    return one.kind == "date" and one.value >= _FULL and one.value % 100 > 0


def _dated(claim: str, date: Quantity) -> frozenset[str]:
    """Return the root of the last thing that a claim names before its date; none where it leaves open when that was."""
    before = claim[max(0, date.start - _BETWEEN) : date.start]
    terms = [term for term in content_terms(before) if term not in _COMMON]
    if not terms:
        return frozenset()
    between = before[before.casefold().rfind(terms[-1]) :]
    return frozenset() if _OPEN.search(between) else frozenset((root(terms[-1]),))


def _label(text: str, date: Quantity) -> frozenset[str]:
    """Return the roots of the name that a record gives a date."""
    match = _LABEL.search(text, max(0, date.start - _LONGEST), date.start)
    return frozenset(_roots(match[1])) if match else frozenset()


def _roots(label: str) -> Iterator[str]:
    return (root(term) for term in content_terms(label.replace("_", " ")) if term not in _COMMON)
