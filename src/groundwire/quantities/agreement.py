"""Agreement: whether two quantities say the same, exactly or once one of them is rounded.

Numbers with units of one dimension agree by what they measure: 60 minutes and one hour do, 1.2 s and 1.2 ms do not. A time
without seconds is the same with less detail.

Left out: other units (5 km and 5 miles agree), measures that are both converted and rounded, and arithmetic.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

from groundwire.quantities.quantity import Quantity

_Key = tuple[str, float]
_WHOLE = 1000_00_00.0
"""A date from here on has its year."""
_Unit = tuple[str, str, tuple[float, ...]]
"""A currency, what is measured, and the factors of its unit."""


def _keys(quantity: Quantity) -> Iterator[_Key]:
    """Yield what the quantity says, so that equal ones share a key however they are written."""
    for value in quantity.readings:
        if quantity.kind in ("number", "year", "fraction"):
            yield "count", _rounded(value)
        else:
            yield quantity.kind, _rounded(value)
        if quantity.kind == "fraction":
            yield "percent", _rounded(100 * value)
        if quantity.kind == "date" and value >= _WHOLE:
            yield "count", value  # 20240206 may be no date


def _amounts(quantity: Quantity) -> Iterator[_Key]:
    """Yield what the quantity measures, so that equal measures share a key in whatever unit they are."""
    if quantity.measure:
        for amount in quantity.measure.amounts:
            yield quantity.measure.dimension, _rounded(amount)


def _unit(quantity: Quantity) -> _Unit:
    measure = quantity.measure
    return (quantity.unit, measure.dimension, measure.factors) if measure else (quantity.unit, "", ())


def _fit(one: _Unit, other: _Unit) -> bool:
    """Whether equal numbers with these units may be equal: only units of one dimension, or two currencies, tell them apart."""
    if one[0] and other[0] and one[0] != other[0]:
        return False
    return one[1] != other[1] or one[2] == other[2] or not set(one[2]).isdisjoint(other[2])


def _coarser(quantity: Quantity) -> Iterator[_Key]:
    """Yield what the quantity says when part of its date is left out, or the seconds of its time."""
    for value in quantity.readings:
        if quantity.kind == "time" and value % 1:
            yield "time", float(math.floor(value))
        year, month, day = int(value) // 10000, int(value) // 100 % 100, int(value) % 100
        if quantity.kind == "year":
            yield "decade", value // 10 * 10
        elif quantity.kind == "date" and year:
            yield from (
                ("count", float(year)),
                ("decade", float(year // 10 * 10)),
                ("date", float(10000 * year + 100 * month)),
            )
            if day:
                yield "date", float(100 * month + day)


def _rounded(value: float) -> float:
    return float(f"{value:.9g}")


def same(a: Quantity, b: Quantity) -> bool:
    """True when both say the same, whatever the format; a currency that only one of them names is no difference."""
    return QuantityIndex([a]).says(b)


def rounds_to(exact: Quantity, rounded: Quantity) -> bool:
    """True when `rounded` is `exact` with fewer digits, or the date without its day or its year."""
    return QuantityIndex([exact]).rounds_to(rounded)


class QuantityIndex:
    """The quantities of the sources, to look a claim's quantities up in. Building and each look-up take n log n and log n."""

    def __init__(self, quantities: Iterable[Quantity]) -> None:
        self._said: dict[_Key, set[_Unit]] = {}
        self._amounts: set[_Key] = set()
        self._coarser: set[_Key] = set()
        values: dict[tuple[str, _Unit], set[tuple[float, float]]] = {}
        distinct = {(q.kind, q.readings, q.unit, q.step, q.measure): q for q in quantities}
        for quantity in distinct.values():
            unit = _unit(quantity)
            self._coarser.update(_coarser(quantity))
            self._amounts.update(_amounts(quantity))
            for key in _keys(quantity):
                self._said.setdefault(key, set()).add(unit)
                if quantity.kind in ("number", "percent"):
                    values.setdefault((key[0], unit), set()).add((key[1], quantity.step))
        self._values = {key: sorted(steps) for key, steps in values.items()}

    def __contains__(self, quantity: Quantity) -> bool:
        return self.says(quantity) or self.rounds_to(quantity)

    def says(self, quantity: Quantity) -> bool:
        """True when a source has the same quantity, or the same measure in another unit."""
        ours = _unit(quantity)
        if any(_fit(ours, unit) for key in _keys(quantity) for unit in self._said.get(key, ())):
            return True
        return not self._amounts.isdisjoint(_amounts(quantity))

    def rounds_to(self, quantity: Quantity) -> bool:
        """True when a source has the quantity with more detail."""
        if not self._coarser.isdisjoint(_keys(quantity)):
            return True
        return quantity.step > 0 and any(
            self._near(family, value, quantity) for family, value in _keys(quantity) if family in ("count", "percent")
        )

    def _near(self, family: str, value: float, quantity: Quantity) -> bool:
        """True when a finer value lies within half a step."""
        reach, ours = quantity.step * 0.5000001, _unit(quantity)
        for (kind, unit), values in self._values.items():
            if kind == family and _fit(ours, unit):
                low = bisect_left(values, (value - reach, 0.0))
                high = bisect_right(values, (value + reach, math.inf))
                if any(step < quantity.step for _, step in values[low:high]):
                    return True
        return False
