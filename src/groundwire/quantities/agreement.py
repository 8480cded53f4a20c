"""Agreement: whether two quantities say the same, exactly or once one of them is rounded.

Left out: units of measure and arithmetic (60 minutes and one hour differ, 5 km and 5 miles agree).
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

from groundwire.quantities.quantity import Quantity

_Key = tuple[str, float]


def _keys(quantity: Quantity) -> Iterator[_Key]:
    """Yield what the quantity says, so that equal ones share a key however they are written."""
    for value in quantity.readings:
        if quantity.kind in ("number", "year", "fraction"):
            yield "count", _rounded(value)
        else:
            yield quantity.kind, _rounded(value)
        if quantity.kind == "fraction":
            yield "percent", _rounded(100 * value)


def _coarser(quantity: Quantity) -> Iterator[_Key]:
    """Yield what the quantity says when part of its date is left out."""
    for value in quantity.readings:
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
        self._said: dict[_Key, set[str]] = {}
        self._coarser: set[_Key] = set()
        values: dict[tuple[str, str], set[tuple[float, float]]] = {}
        distinct = {(q.kind, q.readings, q.unit, q.step): q for q in quantities}
        for quantity in distinct.values():
            self._coarser.update(_coarser(quantity))
            for key in _keys(quantity):
                self._said.setdefault(key, set()).add(quantity.unit)
                if quantity.kind in ("number", "percent"):
                    values.setdefault((key[0], quantity.unit), set()).add((key[1], quantity.step))
        self._values = {key: sorted(steps) for key, steps in values.items()}

    def __contains__(self, quantity: Quantity) -> bool:
        return self.says(quantity) or self.rounds_to(quantity)

    def says(self, quantity: Quantity) -> bool:
        """True when a source has the same quantity."""
        units = [self._said[key] for key in _keys(quantity) if key in self._said]
        return any(not quantity.unit or "" in said or quantity.unit in said for said in units)

    def rounds_to(self, quantity: Quantity) -> bool:
        """True when a source has the quantity with more detail."""
        if not self._coarser.isdisjoint(_keys(quantity)):
            return True
        return quantity.step > 0 and any(
            self._near(family, value, quantity) for family, value in _keys(quantity) if family in ("count", "percent")
        )

    def _near(self, family: str, value: float, quantity: Quantity) -> bool:
        """True when a finer value lies within half a step."""
        reach = quantity.step * 0.5000001
        for (kind, unit), values in self._values.items():
            if kind == family and (not unit or not quantity.unit or unit == quantity.unit):
                low = bisect_left(values, (value - reach, 0.0))
                high = bisect_right(values, (value + reach, math.inf))
                if any(step < quantity.step for _, step in values[low:high]):
                    return True
        return False
