"""The quantity: one number, date or time of a text, with its place and how exactly it is meant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["number", "percent", "ordinal", "fraction", "year", "decade", "date", "time"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """One quantity of a text; `start` and `end` are code points, half-open.

    `value` is the number itself (a percentage is 12.0, not .12; a fraction is .5); a date is 10000 year + 100 month + day
    with 0 for what is not said (May 2015 is 20150500); a time is minutes after midnight. `also` holds the other readings
    (12/05/2015 is in May or in December). `unit` is a currency sign or "". `step` is what the last written digit counts
    (1.5 million: 100000), 0 where rounding makes no sense. `weak` marks what need not be a quantity at all: small bare
    number words ("one of the"), the marker of a list item, the number of a reference.
    """

    kind: Kind
    value: float
    start: int
    end: int
    also: tuple[float, ...] = ()
    unit: str = ""
    step: float = 0.0
    weak: bool = False

    @property
    def readings(self) -> tuple[float, ...]:
        """All values that it may have."""
        return (self.value, *self.also)
