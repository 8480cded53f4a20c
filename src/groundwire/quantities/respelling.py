"""Respelling: a text's figures and days of the week written as a source writes them, where both are the same.

1,500 and 1500, 9 a.m. and 09:00, £400m and £400 million are one figure each to the reader of quantities and to everybody, and
to a small model they are strings that differ, as do two figures. So it is handed the claim in the source's own spelling.

Left out: figures that only round to the source's, number words, and units of measure.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from groundwire.quantities.agreement import same
from groundwire.quantities.quantity import Quantity
from groundwire.quantities.reading import quantities
from groundwire.quantities.weekdays import weekdays

Read = Callable[[str], Sequence[Quantity]]

_COUNTS = ("number", "year")
_AMBIGUOUS = ("time", "date")
_PLAIN = re.compile(r"\d+(?:\.\d+)?")
_MEASURED = re.compile(
    r"[ \xa0-]?(?:%|°[cf]?|[kmcµ]?[gml]|km/?h|mph|[kmgt]?[bw]|kwh|[kmg]?hz|[avsh]|ms|lbs?|oz|ft|in|hours?|minutes?|seconds?"
    r"|days?|weeks?|months?|years?|degrees?|(?:kilo|centi|milli)?met(?:re|er)s?|miles?|lit(?:re|er)s?|inch(?:es)?|feet|foot"
    r"|(?:kilo|milli)?grams?|tons?|tonnes?|pounds?|dollars?|euros?|points?|times|hundred|thousand|million|billion|trillion)"
    r"(?![^\W\d_])",
    re.IGNORECASE,
)
"""A unit behind a number, which then measures."""


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
    """Write those figures and days of the text that the source has in another spelling as the source does.

    `read` gives a text's quantities; whoever has many pairs of the same texts hands in one that remembers. Linear in both
    texts but for the number of their figures.
    """
    parts: list[str] = []
    places: list[tuple[int, int, int, int]] = []
    last = length = 0
    for at, end, new in sorted([*_figures(text, source, read), *_days(text, source)]):
        parts += [text[last:at], new]
        start = length + at - last
        length, last = start + len(new), end
        places.append((at, end, start, length))
    return Respelled("".join([*parts, text[last:]]), tuple(places)) if places else Respelled(text)


def _figures(text: str, source: str, read: Read) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, how the source spells it) of the figures that the source has in another spelling."""
    figures = [figure for figure in read(text) if not figure.weak]
    theirs = [quantity for quantity in read(source) if not quantity.weak] if figures else []
    spelled = {source[quantity.start : quantity.end] for quantity in theirs}
    for figure in figures:
        if text[figure.start : figure.end] not in spelled:
            both = (
                (one, other) for one in _readings(text, figure) for other in theirs if _is(text, one, source, other)
            )
            one, match = next(both, (figure, None))
            if match is not None:
                yield one.start, one.end, source[match.start : match.end]


def _days(text: str, source: str) -> Iterator[tuple[int, int, str]]:
    """The same of the days of the week."""
    ours = list(weekdays(text))
    theirs = list(weekdays(source)) if ours else []
    spelled = {source[start:end].lower() for start, end, _ in theirs}
    named = {day: source[start:end] for start, end, day in reversed(theirs)}
    for start, end, day in ours:
        if day in named and text[start:end].lower().rstrip("s") not in spelled:
            yield start, end, named[day]


def _readings(text: str, figure: Quantity) -> Iterator[Quantity]:
    """A figure, and the sum that it is where the `# ` before it is a treebank's pound sign: it may be a rank as well, so a
    source with that very sum decides."""
    yield figure
    if not figure.unit and text.endswith("# ", 0, figure.start):
        yield replace(figure, start=figure.start - 2, unit="£")


def _is(text: str, figure: Quantity, source: str, other: Quantity) -> bool:
    """Whether both are the same figure of the same kind; a sum of money names its currency in both or in none.

    Where a tokenised source parts a number into several (3, 800) none of the parts is the number, whatever else it may be.
    """
    kinds = figure.kind == other.kind or (figure.kind in _COUNTS and other.kind in _COUNTS)
    whole = other.kind in _AMBIGUOUS or math.isclose(other.value, figure.value)
    alike = kinds and whole and figure.unit == other.unit and same(other, figure)
    return alike and not (_names(text, figure, source, other) and figure.kind in _COUNTS)


def _names(text: str, figure: Quantity, source: str, other: Quantity) -> bool:
    """Whether two equal numbers may be names that differ, as versions 3.1 and 3.10 or models 500 and 0500 do: they have not
    the same decimals or zeros before them, and nothing is measured with either."""
    if figure.unit or other.unit:
        return False
    ours, theirs = text[figure.start : figure.end], source[other.start : other.end]
    if (ours[:1] == "0") != (theirs[:1] == "0"):
        return ours.isdecimal() and theirs.isdecimal()
    plain = _PLAIN.fullmatch(ours), _PLAIN.fullmatch(theirs)
    if not all(plain) or len(ours.partition(".")[2]) == len(theirs.partition(".")[2]):
        return False
    return not (_MEASURED.match(text, figure.end) or _MEASURED.match(source, other.end))
