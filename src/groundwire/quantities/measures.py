"""Measures: what the numbers of a text measure by the units behind them, so that 900 seconds and 15 minutes are found equal.

2 hours 30 minutes is one measure, 2-3 hours a range of two. What has a unit but is no measure by itself has no amounts: rates
(5 km/h, 7 days a week), areas, "5-year-old", and what may be read in two ways (2 km and 500 m).

Left out: measures without a number (a week, an hour and a half), units that only a table's heading names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from groundwire.quantities.quantity import Measure, Quantity
from groundwire.quantities.units import UNITS, Unit

RANGE = re.compile(r"\s?(?:to|and|or|-|–|—)\s?")
"""What joins the ends of a range."""
_UNIT = re.compile(rf"[ \xa0-]?([{''.join({name[0] for name in UNITS})}][A-Za-z]{{0,11}})(?![^\W²³])")
_OF_UNIT = re.compile(r"(?:[ ](?:of[ ])?an?[ ]|[ \xa0-])([A-Za-z]{1,12})(?!\w)")
"""Behind a fraction: half an hour."""
_MORE = re.compile(
    r"[²³^/·]|-[^\W\d]|[ \xa0](?:an?|per|each|every|squared?|cubed?|and[ ](?:an?|one|three)[ -](?:half|third|quarters?))\b"
)
"""What makes something else of a unit when it stands behind it."""
_PARTS = re.compile(r"[ ]|,?[ ]and[ ]|,[ ]")
"""What parts the hours from the minutes."""
_MIXED = re.compile(r"[ ](?:and[ ](?:an?[ ])?)?")
"""What parts a whole number from its fraction."""
_AGES = re.compile(r"(?:the|his|her|their|my|our|your|mid|early|late)[ -]\Z", re.IGNORECASE)
"""Before `30s` these make it ages or years."""
_LONGEST = 12
"""More numbers than a measure is made of."""
_KINDS = frozenset(("number", "year", "fraction"))
_Units = Mapping[int, tuple[Unit, int]]
"""The unit of each number that has one, by its place among the quantities, and where it ends."""


def measured(text: str, found: list[Quantity]) -> list[Quantity]:
    """Give the quantities of a text their measures; `text` is in its own letters, since mW and MW differ. Linear."""
    units = {
        i: named
        for i, one in enumerate(found)
        if one.kind in _KINDS and not one.unit and (named := _unit_of(text, one))
    }
    for i in reversed(units):  # the parts of a measure before the whole
        unit, end = _minutes(text, found, units, i)
        one = found[i]
        value = one.also[0] if end == one.end and one.also else one.value
        amounts = () if _is_no_measure(text, found, i, end) else tuple(value * factor for factor in unit.factors)
        measure = Measure(dimension=unit.dimension, factors=unit.factors, amounts=amounts, end=end)
        found[i] = replace(one, measure=measure)
        if amounts and i + 1 < len(found):
            _join(text, found, i)
        if i and i - 1 not in units:
            _share(text, found, i)
    return found


def _unit_of(text: str, one: Quantity) -> tuple[Unit, int] | None:
    """Return the unit of a number and where it ends; to the reader the m of 5m is a scale, the s of 5s an ending."""
    end = one.end
    last = text[end - 1]
    if last in "ms" and text[end - 2].isdecimal():
        years = last == "s" and _AGES.search(text, max(0, one.start - 7), one.start)
        return None if years else (UNITS[last], end)
    match = (_OF_UNIT if one.kind == "fraction" else _UNIT).match(text, end)
    if match is None:
        return None
    unit = UNITS.get(match[1])
    return (unit, match.end()) if unit else None


def _minutes(text: str, found: Sequence[Quantity], units: _Units, i: int) -> tuple[Unit, int]:
    """Return the unit of a number; the m of 1h 30m and of 5m 30s are minutes."""
    unit, end = units[i]
    if end == found[i].end and text[end - 1] == "m":
        before, behind = units.get(i - 1), units.get(i + 1)
        after_hours = before and before[0].dimension == "time" and text[before[1] : found[i].start] == " "
        before_seconds = behind and behind[0].dimension == "time" and text[end : found[i + 1].start] == " "
        if after_hours or before_seconds:
            return UNITS["min"], end
    return unit, end


def _is_no_measure(text: str, found: Sequence[Quantity], i: int, end: int) -> bool:
    """Whether what has a unit is no measure, or a part of one that is not understood."""
    one, before = found[i], found[i - 1] if i else None
    if _MORE.match(text, end):
        return True
    if text[one.start : one.end].lower() in ("one", "half") and text.startswith("day", end - 3):
        return True  # "one day", and the half of a working one
    if before is None:
        return False
    if one.kind == "fraction":  # 2 1/2 hours, two and a half hours
        return before.kind == "number" and _MIXED.fullmatch(text, before.end, one.start) is not None
    return before.kind == "number" and text[before.end : one.start] == ", " and one.end - one.start == 3  # 3, 800 km


def _join(text: str, found: list[Quantity], i: int) -> None:
    """Make one measure of the hours and the minutes behind them; none of 1 m 80, nor of what may be two (2 km and 500 m)."""
    one, behind = found[i], found[i + 1]
    measure, part = one.measure, behind.measure
    if measure is None or not _PARTS.fullmatch(text, measure.end, behind.start):
        return
    gap = text[measure.end : behind.start]
    if part is None:
        if gap == " " and behind.kind in _KINDS:
            found[i] = replace(one, measure=replace(measure, amounts=()))
        return
    smaller = part.dimension == measure.dimension and max(part.factors) < min(measure.factors)
    if smaller and part.amounts and part.amounts[0] < measure.factors[0]:
        whole = measure.dimension == "time" or gap == " "
        total = tuple(a + b for a, b in zip(measure.amounts, part.amounts, strict=False)) if whole else ()
        found[i] = replace(one, measure=replace(measure, amounts=total, end=part.end if whole else measure.end))
        found[i + 1] = replace(behind, measure=replace(part, amounts=()))


def _share(text: str, found: list[Quantity], i: int) -> None:
    """Give the number before the i-th its unit, where both are the ends of a range."""
    low, measure = found[i - 1], found[i].measure
    if (
        measure is None
        or low.kind != "number"
        or low.unit
        or low.weak
        or not RANGE.fullmatch(text, low.end, found[i].start)
    ):
        return
    if "and" in text[low.end : found[i].start] and text[max(0, low.start - 8) : low.start].lower() != "between ":
        return
    amounts = tuple(low.value * factor for factor in measure.factors) if measure.amounts else ()
    found[i - 1] = replace(low, measure=replace(measure, amounts=amounts, end=low.end, shared=True))


@dataclass(frozen=True, slots=True)
class Measured:
    """A measure in a text, or a range of two: where it stands, what it measures, its amounts (one tuple for each factor), and
    the numbers and units that it is made of."""

    start: int
    end: int
    dimension: str
    amounts: frozenset[tuple[float, ...]]
    parts: tuple[tuple[float, tuple[float, ...]], ...]


def measures(found: Sequence[Quantity]) -> Iterator[Measured]:
    """Yield the measures among a text's quantities."""
    past = -1
    for i, one in enumerate(found):
        if one.measure is None or one.start < past:
            continue
        last = (found[i + 1].measure if one.measure.shared else None) or one.measure
        past = last.end
        ends = (one.measure.amounts, last.amounts) if one.measure.shared else (one.measure.amounts,)
        inside = (part for part in found[i : i + _LONGEST] if part.start < past)
        parts = tuple((part.value, part.measure.factors if part.measure else ()) for part in inside)
        rounded = (tuple(float(f"{amount:.9g}") for amount in amounts) for amounts in zip(*ends, strict=True))
        yield Measured(one.start, past, one.measure.dimension, frozenset(rounded), parts)
