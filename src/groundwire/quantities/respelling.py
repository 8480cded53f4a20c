"""Respelling: a text's figures and days of the week written as a source writes them, where both are the same.

1,500 and 1500, 9 a.m. and 09:00, £400m and £400 million are one figure each to the reader of quantities and to everybody, and
to a small model they are strings that differ, as do two figures. So it is handed the claim in the source's own spelling. So
are measures that the source has in another unit (900 seconds and 15 minutes), and a time that it has with its seconds.

So are a figure in two spellings (thirty-six (36)), sums and units by other names (`naming`), and the decade of a year.

Left out: figures that only round to the source's, and number words that measure nothing and count what no source counts.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice

from groundwire.quantities.agreement import rounds_to, same
from groundwire.quantities.measures import Measured, measures
from groundwire.quantities.naming import readings, written
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
_THING = re.compile(r"[ -]([A-Za-z]{3,30})(?![^\W_])")
"""What a number counts."""
_IN_THE = re.compile(r"\bin (the )\Z", re.IGNORECASE)


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


def respelled(
    text: str, source: str, read: Read = quantities, others: Iterable[tuple[int, int, str]] = ()
) -> Respelled:
    """Write those figures and days of the text that the source has in another spelling as the source does.

    `read` gives a text's quantities; whoever has many pairs of the same texts hands in one that remembers. `others` are further
    (start, end, what to write) that no figure stands in. Linear in both texts but for the number of their figures.
    """
    parts: list[str] = []
    places: list[tuple[int, int, int, int]] = []
    last = length = 0
    for at, end, new in sorted([*_figures(text, source, read), *_days(text, source), *others]):
        parts += [text[last:at], new]
        start = length + at - last
        length, last = start + len(new), end
        places.append((at, end, start, length))
    return Respelled("".join([*parts, text[last:]]), tuple(places)) if places else Respelled(text)


def _figures(text: str, source: str, read: Read) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, how the source spells it) of the figures that the source has in another spelling."""
    ours = read(text)
    every = read(source) if ours else ()
    converted = list(_converted(text, ours, source, every))
    yield from converted
    ends = {start: end for start, end, _ in converted}
    past = accumulate(ours, lambda end, figure: max(end, ends.get(figure.start, 0)), initial=0)
    figures = [
        figure
        for figure, end in zip(ours, islice(past, 1, None), strict=True)
        if not figure.weak and figure.start >= end
    ]
    theirs = [one for quantity in every if not quantity.weak for one in readings(source, quantity)] if figures else []
    spelled = {written(source, one.start, one.end) for one in theirs}
    for figure in figures:
        for one in readings(text, figure):
            said = text[one.start : one.end]
            if said in spelled:
                break
            new = _spelling(text, one, source, theirs)
            if new:
                yield one.start, one.end, new
                break
        else:
            yield from _counted(text, figure, source, theirs)


def _spelling(text: str, figure: Quantity, source: str, theirs: Sequence[Quantity]) -> str:
    """Return how the source writes a figure; "" where it has none that is the same."""
    match = next((other for other in theirs if _is(text, figure, source, other)), None)
    return written(source, match.start, match.end) if match else _with_seconds(figure, source, theirs)


def _counted(text: str, figure: Quantity, source: str, theirs: Sequence[Quantity]) -> Iterator[tuple[int, int, str]]:
    """Yield a number in words as digits, where the source counts the same things in digits and has another count.

    A decade of which the source names one year (in the 1860s) is that year.
    """
    if figure.kind == "decade":
        yield from _years(text, figure, source, theirs)
    thing = _THING.match(text, figure.end)
    if figure.kind != "number" or not thing or not text[figure.start].isalpha() or figure.value % 1:
        return
    if any(
        other.kind == "number"
        and source[other.start].isdecimal()
        and (theirs_too := _THING.match(source, other.end))
        and theirs_too[1].lower() == thing[1].lower()
        for other in theirs
    ):
        yield figure.start, figure.end, f"{figure.value:.0f}"


def _years(text: str, figure: Quantity, source: str, theirs: Sequence[Quantity]) -> Iterator[tuple[int, int, str]]:
    """Yield the one year that the source names of a decade."""
    if any(other.kind == "decade" and other.value == figure.value for other in theirs):
        return
    years = {
        year
        for other in theirs
        for year in (int(other.value) // 10000 if other.kind == "date" else int(other.value),)
        if other.kind in ("year", "date") and year // 10 * 10 == figure.value
    }
    place = _IN_THE.search(text, max(0, figure.start - 10), figure.start)
    if len(years) == 1 and place:
        yield place.start(1), figure.end, str(years.pop())


def _converted(
    text: str, ours: Sequence[Quantity], source: str, theirs: Sequence[Quantity]
) -> Iterator[tuple[int, int, str]]:
    """The same of measures that the source has in another unit and not in this one, or with this one by another name."""
    claimed = [one for one in measures(ours) if one.amounts]
    known = list(measures(theirs)) if claimed else []
    parts: dict[tuple[tuple[float, tuple[float, ...]], ...], set[str]] = {}
    for one in known:
        parts.setdefault(one.parts, set()).add(_letters(source, one))
    places: dict[tuple[str, tuple[float, ...]], Measured] = {}
    for one in known:
        for amount in one.amounts:
            places.setdefault((one.dimension, amount), one)
    for one in claimed:
        match = next((places[key] for amount in one.amounts if (key := (one.dimension, amount)) in places), None)
        if match and _letters(text, one) not in parts.get(one.parts, ()):
            yield one.start, one.end, written(source, match.start, match.end)


def _letters(text: str, measure: Measured) -> str:
    """Return how the units of a measure are written, but for the plural."""
    return "".join(filter(str.isalpha, written(text, measure.start, measure.end))).removesuffix("s")


def _with_seconds(figure: Quantity, source: str, theirs: Sequence[Quantity]) -> str:
    """Return the source's spelling of a time that it has with seconds; without these where it has several of one minute."""
    if figure.kind != "time":
        return ""
    longer = [other for other in theirs if other.kind == "time" and rounds_to(other, figure)]
    spelled = {source[other.start : other.end] for other in longer}
    if len(spelled) < 2:
        return "".join(spelled)
    cut = {spelling.rpartition(":")[0] for spelling in spelled if spelling[-1].isdecimal()}
    return cut.pop() if len(cut) == 1 and all(spelling[-1].isdecimal() for spelling in spelled) else ""


def _days(text: str, source: str) -> Iterator[tuple[int, int, str]]:
    """The same of the days of the week."""
    ours = list(weekdays(text))
    theirs = list(weekdays(source)) if ours else []
    spelled = {source[start:end].lower() for start, end, _ in theirs}
    named = {day: source[start:end] for start, end, day in reversed(theirs)}
    for start, end, day in ours:
        if day in named and text[start:end].lower().rstrip("s") not in spelled:
            yield start, end, named[day]


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
