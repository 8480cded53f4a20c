"""The quantity: one number, date or time of a text, with its place and how exactly it is meant."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["number", "percent", "ordinal", "fraction", "year", "decade", "date", "time"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """What a number measures by the unit behind it.

    `factors` is what one of the unit is in the base unit of the `dimension` (several for a megabyte), `amounts` the whole
    measure in that unit, factor by factor: 2 hours 30 minutes is one measure, that of the 2, and the 30 has no amounts, as have
    rates and others that are no measure of their own (5 km/h, 7 days a week). `end` is where its last unit ends. `shared` marks
    the first end of a range (2-3 hours), whose unit is said at the last.
    """

    dimension: str
    factors: tuple[float, ...]
    amounts: tuple[float, ...]
    end: int = field(compare=False)
    shared: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """One quantity of a text; `start` and `end` are code points, half-open.

    `value` is the number itself (a percentage is 12.0, not .12; a fraction is .5); a date is 10000 year + 100 month + day
    with 0 for what is not said (May 2015 is 20150500); a time is minutes after midnight. `also` holds the other readings
    (12/05/2015 is in May or in December). `unit` is a currency sign or "". `step` is what the last written digit counts
    (1.5 million: 100000), 0 where rounding makes no sense. `weak` marks what need not be a quantity at all: small bare
    number words ("one of the"), the marker of a list item, the number of a reference. `measure` is what a number measures.
    """

    kind: Kind
    value: float
    start: int
    end: int
    also: tuple[float, ...] = ()
    unit: str = ""
    step: float = 0.0
    weak: bool = False
    measure: Measure | None = None

    @property
    def readings(self) -> tuple[float, ...]:
        """All values that it may have."""
        return (self.value, *self.also)
