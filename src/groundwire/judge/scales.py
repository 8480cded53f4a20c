"""A figure that a source has with another scale or unit is denied by it, whatever a model makes of the two.

To a small model $3.4 million and $3.4bn, 10 mg and 10 mcg, 450 °C and 450 °F, 1.5% a month and 1.5% a year are nearly the
same string. Which of the two is said can be read without one, where both are of one kind (one currency, one dimension, one
thing counted in a time), no source has the claim's figure, whatever it is converted or rounded from, none has its digits
with nothing that tells what they count, and the sentence of the other one is about what the claim is about.

Left out: a figure that only one of the two gives a scale or a unit, as tables do in their headings.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groundwire.judge.hours import denied
from groundwire.quantities import Quantity, quantities
from groundwire.quantities.spelled import SCALES
from groundwire.quantities.units import UNITS
from groundwire.text import content_terms, is_stop_word, term
from groundwire.text.roots import has_digit, root
from groundwire.types import Finding

_UNIT = re.compile(
    r"[ \xa0-]?(?:(?:[°º][ \xa0]?)?(?P<sign>[CF])|[°º]|deg(?:ree)?s?[ \xa0]?(?P<degrees>[CF]|[Cc]elsius|[Ff]ahrenheit)?"
    r"|(?P<other>[a-z]{2,7}))(?![^\W_])"
)
_OTHERS = {
    **dict.fromkeys(("mile", "miles", "mi"), ("metre", 1609.344)),
    **dict.fromkeys(("foot", "feet", "ft"), ("metre", 0.3048)),
    **dict.fromkeys(("yard", "yards", "yd"), ("metre", 0.9144)),
    **dict.fromkeys(("inch", "inches"), ("metre", 0.0254)),
    **dict.fromkeys(("pound", "pounds", "lb", "lbs"), ("gram", 453.59237)),
    **dict.fromkeys(("ounce", "ounces", "oz"), ("gram", 28.349523125)),
}
"""Units that no exact measure is read of, and what one of them is in the base unit of the dimension."""
_PER = re.compile(
    r"\)?(?:[ ]?/[ ]?(?P<one>[A-Za-zµμ]{1,12})|[ ]per[ ](?P<per>[A-Za-zµμ]{1,12})"
    r"|[ ](?:an?|each|every)[ ](?P<each>hour|day|week|month|quarter|year)|[ ](?P<ly>hour|dai|week|month|quarter|year|annual)ly)"
    r"(?![^\W_])"
)
_PERIODS = {"annum": "year", "annual": "year", "yr": "year", "dai": "day", "d": "day", "h": "hour", "hr": "hour"}
_PERIODS |= {
    "mo": "month",
    "min": "minute",
    "s": "second",
    "sec": "second",
    "wk": "week",
    "l": "litre",
    "liter": "litre",
}
_TIMES = frozenset(("second", "minute", "hour", "day", "week", "month", "quarter", "year"))
_DIGITS = re.compile(r"\d[\d,.\xa0 ]{0,40}")
_SCALE = re.compile(
    r"(?:hundred|thousand|million|billion|trillion|\d[ \xa0]?(?:k|mm|m|mn|mln|b|bn|tn)\Z)", re.IGNORECASE
)
_WORD_BEHIND = re.compile(r"[ \xa0-]?([^\W\d_]{1,40})")
_ASKED = "The answer to question "
_MEASURING = frozenset((*SCALES, *UNITS, *_OTHERS, "degree", "celsius", "fahrenheit", *_TIMES, *_PERIODS))
_NEAR = 0.05
"""So far apart are two measures of which one may be the other, converted and rounded."""
_BACK, _ON = 300, 200
"""So many characters around a figure its sentence is looked for in."""


class _Figure(NamedTuple):
    """A figure, with what may be mistaken in it."""

    quantity: Quantity
    digits: float
    scale: float
    kind: str
    """"%", a currency, or nothing."""
    dimension: str
    factors: tuple[float, ...]
    per: str
    thing: str
    """The word behind it, where it has no unit."""
    open: bool
    """Whether nothing at all behind it says what it counts."""


def with_scales(claim: str, findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings, those certain to deny the claim whose premise has one of its figures with another scale or unit,
    where no premise has that figure as it is or may have it."""
    ours = [one for one in _figures(claim) if one.scale > 1 or one.dimension or one.per in _TIMES]
    if not ours:
        return list(findings)
    read = [list(_figures(finding.premise.text)) for finding in findings]
    unsaid = [one for one in ours if not any(_may_be(one, other) for every in read for other in every)]
    if not unsaid:
        return list(findings)
    about = _about(claim)
    return [
        denied(finding)
        if any(
            _opposes(one, other) and _is_about(about, finding.premise.text, one, other)
            for one in unsaid
            for other in every
        )
        else finding
        for finding, every in zip(findings, read, strict=True)
    ]


def _opposes(one: _Figure, other: _Figure) -> bool:
    """Whether two figures have the same digits and differ in one of scale, unit and time."""
    if one.kind != other.kind or one.dimension != other.dimension or not math.isclose(one.digits, other.digits):
        return False
    alike = set(one.factors) == set(other.factors)
    if one.scale != other.scale:
        of_one = bool(one.kind or one.dimension) or one.thing == other.thing != ""
        return (
            of_one and alike and one.scale > 1 < other.scale and (one.per == other.per or not (one.per and other.per))
        )
    if not alike:
        return set(one.factors).isdisjoint(other.factors) and one.per == other.per
    periods = one.per in _TIMES and other.per in _TIMES
    return bool(one.kind or one.dimension) and periods and one.per != other.per


def _may_be(one: _Figure, other: _Figure) -> bool:
    """Whether a source's figure may be the claim's: the same as far as it goes, rounded, or in another unit."""
    if one.kind and other.kind and one.kind != other.kind:
        return False
    if other.per and one.per and other.per != one.per:
        return False
    if math.isclose(one.digits, other.digits) and (
        other.open or (other.kind == one.kind != "" and other.scale == 1 < one.scale)
    ):
        return True
    near = abs(other.quantity.value - one.quantity.value) <= one.quantity.step * 0.5000001
    if not one.dimension or not other.dimension:
        return near and not (one.dimension and (other.kind or not other.open))
    if one.dimension != other.dimension:
        return False
    return any(math.isclose(ours, theirs, rel_tol=_NEAR) for ours in _amounts(one) for theirs in _amounts(other)) or (
        near and not set(one.factors).isdisjoint(other.factors)
    )


def _amounts(one: _Figure) -> Iterator[float]:
    if one.quantity.measure and one.quantity.measure.amounts:
        yield from one.quantity.measure.amounts
    elif one.dimension == "degree":
        yield from (one.quantity.value if factor == 1.0 else (one.quantity.value - 32) / 1.8 for factor in one.factors)
    else:
        yield from (one.quantity.value * factor for factor in one.factors)


def _about(claim: str) -> frozenset[str]:
    """Return the roots of what a claim is about, without its figures and units."""
    words = content_terms(claim.removeprefix(_ASKED))
    return frozenset(root(word) for word in words if not (has_digit(word) or word in _MEASURING))


def _is_about(about: frozenset[str], text: str, one: _Figure, other: _Figure) -> bool:
    """Whether the sentence of a premise's figure is about what the claim is about.

    A small number, or a time, is found with another unit by chance: then it is half of what the claim is about.
    """
    start, end = other.quantity.start, other.quantity.end
    before = max(0, start - _BACK)
    first = max(before, text.rfind("\n", before, start), text.rfind(". ", before, start))
    lasts = [at for at in (text.find("\n", end, end + _ON), text.find(". ", end, end + _ON)) if at >= 0]
    near = frozenset(map(root, content_terms(text[first : min(lasts, default=end + _ON)])))
    chance = one.dimension == "time" or (one.digits < 10 and one.digits % 1 == 0)
    shared = len(about & near)
    if 2 * shared >= len(about) and (about or not chance):
        return True
    return not chance and shared > 0 and 3 * len(about & frozenset(map(root, content_terms(text)))) >= 2 * len(about)


def _figures(text: str) -> Iterator[_Figure]:
    for quantity in quantities(text):
        if quantity.kind in ("number", "percent", "year") and quantity.value:
            yield _figure(text, quantity)


def _figure(text: str, quantity: Quantity) -> _Figure:
    written = text[quantity.start : quantity.end]
    kind = "%" if quantity.kind == "percent" else quantity.unit
    dimension, factors, end = _unit(text, quantity) if not kind else ("", (), quantity.end)
    scale = _scale(written, quantity) if not (quantity.also and not quantity.unit) else 1.0
    per = _PER.match(text, end)
    named = (per[per.lastgroup or 0] if per else "").lower()
    named = _PERIODS.get(named, named.removesuffix("s") if len(named) > 3 else named)
    behind = "" if kind or dimension or named else _word(text, end)
    blank = not (kind or dimension or named) and scale == 1 and not behind
    thing = "" if is_stop_word(behind) else term(behind)
    return _Figure(quantity, abs(quantity.value) / scale, scale, kind, dimension, factors, named, thing, blank)


def _word(text: str, end: int) -> str:
    match = _WORD_BEHIND.match(text, end)
    return match[1].lower() if match else ""


def _scale(written: str, quantity: Quantity) -> float:
    """Return the scale that a figure names: 1e6 of 3.4 million."""
    if not _SCALE.search(written):
        return 1.0
    digits = _DIGITS.search(written)
    size = max(1, math.floor(math.log10(abs(quantity.value)) + 1e-9))
    if digits:
        plain = digits[0].replace(",", "").replace("\xa0", "").replace(" ", "").rstrip(".")
        try:
            return round(abs(quantity.value) / float(plain)) or 1.0
        except (ValueError, ZeroDivisionError):
            return 1.0
    return float(1000 ** (size // 3)) if size >= 3 else 1.0


def _unit(text: str, quantity: Quantity) -> tuple[str, tuple[float, ...], int]:
    """Return what a figure measures, in which unit, and where that ends."""
    measure = quantity.measure
    if measure:
        return measure.dimension, measure.factors, measure.end
    named = _UNIT.match(text, quantity.end)
    if named is None:
        return "", (), quantity.end
    if named["other"]:
        dimension, factor = _OTHERS.get(named["other"], ("", 0.0))
        return (dimension, (factor,), named.end()) if dimension else ("", (), quantity.end)
    degrees = (named["sign"] or named["degrees"] or "")[:1].upper()
    return ("degree", (1.0, 2.0)[degrees == "F" : 1 + (degrees == "F")] if degrees else (1.0, 2.0), named.end())
