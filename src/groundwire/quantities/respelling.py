"""Respelling: a text's figures written as a source writes them, where both are the same figure.

1,500 and 1500, 9 a.m. and 09:00, £400m and £400 million are one figure each to the reader of quantities and to everybody, and
to a small model they are strings that differ, as do two figures. So it is handed the claim in the source's own spelling.

Left out: figures that only round to the source's, number words, and units of measure.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from groundwire.quantities.agreement import same
from groundwire.quantities.quantity import Quantity
from groundwire.quantities.reading import quantities

Read = Callable[[str], Sequence[Quantity]]

_COUNTS = ("number", "year")
_AMBIGUOUS = ("time", "date")


@dataclass(frozen=True, slots=True)
class Respelled:
    """A text after its figures were respelled; `places` are (start, end) in the original and (start, end) in this text."""

    text: str
    places: tuple[tuple[int, int, int, int], ...] = ()

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return where [start, end) of this text stands in the original; a part of a respelled figure is all of it."""
        return self._back(start, 0), self._back(end, 1)

    def _back(self, at: int, side: int) -> int:
        n = bisect_right(self.places, at - side, key=lambda place: place[2]) - 1
        if n < 0:
            return at
        before = self.places[n]
        return before[side] if at - side < before[3] else at - before[3] + before[1]


def respelled(text: str, source: str, read: Read = quantities) -> Respelled:
    """Write those figures of the text that the source has in another spelling as the source does.

    `read` gives a text's quantities; whoever has many pairs of the same texts hands in one that remembers. Linear in both
    texts but for the number of their figures.
    """
    figures = [figure for figure in read(text) if not figure.weak]
    theirs = [quantity for quantity in read(source) if not quantity.weak] if figures else []
    spelled = {source[quantity.start : quantity.end] for quantity in theirs}
    parts, places, last, length = [], [], 0, 0
    for figure in figures:
        if text[figure.start : figure.end] in spelled:
            continue
        both = ((one, other) for one in _readings(text, figure) for other in theirs if _is(one, other))
        figure, match = next(both, (figure, None))
        if match is None:
            continue
        new = source[match.start : match.end]
        parts += [text[last : figure.start], new]
        start = length + figure.start - last
        length, last = start + len(new), figure.end
        places.append((figure.start, figure.end, start, length))
    return Respelled("".join([*parts, text[last:]]), tuple(places)) if places else Respelled(text)


def _readings(text: str, figure: Quantity) -> Iterator[Quantity]:
    """A figure, and the sum that it is where the `# ` before it is a treebank's pound sign: it may be a rank as well, so a
    source with that very sum decides."""
    yield figure
    if not figure.unit and text.endswith("# ", 0, figure.start):
        yield replace(figure, start=figure.start - 2, unit="£")


def _is(figure: Quantity, other: Quantity) -> bool:
    """Whether both are the same figure of the same kind; a sum of money names its currency in both or in none.

    Where a tokenised source parts a number into several (3, 800) none of the parts is the number, whatever else it may be.
    """
    kinds = figure.kind == other.kind or (figure.kind in _COUNTS and other.kind in _COUNTS)
    whole = other.kind in _AMBIGUOUS or math.isclose(other.value, figure.value)
    return kinds and whole and figure.unit == other.unit and same(other, figure)
