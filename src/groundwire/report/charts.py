"""Fitness by term over the generations: one small chart a term, the best candidate's value and the mean of the new ones.

Left out: colours (`report.css`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from groundwire.pages.markup import Html, element, joined
from groundwire.pages.signs import number
from groundwire.report.family import measured, terms_of
from groundwire.types import Answer, Candidate

_WIDTH, _HEIGHT = 280.0, 170.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 40.0, 40.0, 10.0, 38.0
_UNITS = {
    "total": "weighed sum",
    "relevance": "raw score of the model",
    "rouge": "F1, 0 to 1",
    "support": "probability, 0 to 1",
    "asked": "share of the question, 0 to 1",
    "brevity": "1 without words, 0 from 100 on",
}
_LEAST_SPREAD = 0.02
"""Of values that are closer together than this share of their size, the chart shows that they are about equal."""

Points = tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """A term's course: (generation, value), where it was measured."""

    term: str
    best: Points
    mean: Points


def chart_section(answer: Answer) -> Html | None:
    """Return the charts; nothing where there are fewer than two generations, for then there is no course."""
    series = [found for found in series_of(answer) if len(found.best) > 1 or len(found.mean) > 1]
    if not series:
        return None
    told = "Best: the fittest candidate so far. Mean: the candidates that were new in the generation."
    last = max(g for found in series for g, _ in (*found.best, *found.mean))
    charts = element("div", *[_chart(found, last) for found in series], class_="charts")
    note = element("p", told, class_="soft small")
    return element("section", element("h2", "Fitness by generation"), note, charts, id="fitness")


def series_of(answer: Answer) -> list[Series]:
    """Return each term's course, "total" first."""
    generations = sorted(
        {candidate.generation for candidate in answer.lineage} | {t.number for t in answer.generations}
    )
    fittest = _fittest(answer, generations) if answer.lineage else {}
    return [
        Series(
            term=term,
            best=tuple((g, v) for g, c in fittest.items() if (v := measured(c, term)) is not None),
            mean=_means(answer.lineage, term),
        )
        for term in terms_of(answer.lineage)
    ]


def _fittest(answer: Answer, generations: Sequence[int]) -> dict[int, Candidate]:
    """Return the best candidate after each generation: as it was recorded, else the first of the lineage by then."""
    by_id = {candidate.id: candidate for candidate in reversed(answer.lineage)}
    found = {turn.number: by_id[turn.best] for turn in answer.generations if turn.best in by_id}
    # The lineage is best first, so the best by a generation is the first that is not younger.
    firsts: dict[int, Candidate] = {}
    waiting = list(generations)
    for candidate in answer.lineage:
        while waiting and candidate.generation <= waiting[-1]:
            firsts[waiting.pop()] = candidate
    return {g: found.get(g, firsts[g]) for g in generations if g in found or g in firsts}


def _means(members: Sequence[Candidate], term: str) -> Points:
    values: dict[int, list[float]] = {}
    for candidate in members:
        value = measured(candidate, term)
        if value is not None:
            values.setdefault(candidate.generation, []).append(value)
    return tuple((g, sum(found) / len(found)) for g, found in sorted(values.items()))


def _chart(series: Series, last: int) -> Html:
    values = [value for _, value in (*series.best, *series.mean)]
    ticks, digits = ticks_of(min(values), max(values))
    first = min(g for g, _ in (*series.best, *series.mean))
    across = _scale(min(first, 0), max(last, 1), _LEFT, _WIDTH - _RIGHT)
    up = _scale(ticks[0], ticks[-1], _HEIGHT - _BOTTOM, _TOP)
    drawing = element(
        "svg",
        element("title", _told(series)),
        *[_rung(tick, up(tick), digits) for tick in ticks],
        *[_tick(g, across(g)) for g in _generations(min(first, 0), max(last, 1))],
        element("text", "generation", x=(_LEFT + _WIDTH - _RIGHT) / 2, y=_HEIGHT - 4, text_anchor="middle"),
        *_line(series.mean, across, up, "mean"),
        *_line(series.best, across, up, "best"),
        *_names(series, across, up),
        viewBox=f"0 0 {_WIDTH:.0f} {_HEIGHT:.0f}",
        role="img",
        aria_label=_told(series),
    )
    unit = next((name for key, name in _UNITS.items() if series.term.startswith(key)), None)
    told = element("span", f" {unit}", class_="soft") if unit else None
    return element("figure", element("figcaption", element("bdi", series.term), told), drawing)


def _told(series: Series) -> str:
    parts = [
        f"{name} from {number(points[0][1])} in generation {points[0][0]} to {number(points[-1][1])} in {points[-1][0]}"
        for name, points in (("best", series.best), ("mean", series.mean))
        if points
    ]
    return f"{series.term}: {'; '.join(parts)}"


def ticks_of(low: float, high: float) -> tuple[list[float], int]:
    """Return three to six round values that hold the two between them, and with how many decimals they are written."""
    spread = max(high - low, _LEAST_SPREAD * max(abs(high), abs(low), 1e-9))
    rough = spread / 3
    power = floor(log10(rough))
    step = next(m for m in (1, 2, 5, 10) if m * 10.0**power >= rough) * 10.0**power
    start, end = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    end = max(end, start + 1)
    return [n * step for n in range(start, end + 1)], max(0, -floor(log10(step) + 1e-9))


def _scale(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    return lambda value: start + (value - low) / (high - low) * (end - start)


def _generations(first: int, last: int) -> list[int]:
    step = next(s for s in (1, 2, 5, 10, 20, 50, 10**9) if (last - first) / s <= 8)
    return list(range(first, last + 1, step))


def _rung(value: float, y: float, digits: int) -> Html:
    line = element("path", d=f"M{_LEFT:.0f} {y:.1f}H{_WIDTH - _RIGHT:.0f}", class_="grid")
    return joined([line, element("text", number(value, digits), x=_LEFT - 6, y=y + 4, text_anchor="end")])


def _tick(generation: int, x: float) -> Html:
    return element("text", str(generation), x=x, y=_HEIGHT - _BOTTOM + 16, text_anchor="middle")


def _line(points: Points, across: Callable[[float], float], up: Callable[[float], float], look: str) -> list[Html]:
    if not points:
        return []
    path = "M" + "L".join(f"{across(g):.1f} {up(v):.1f}" for g, v in points)
    dots = [element("circle", cx=across(g), cy=up(v), r=3, class_=look) for g, v in points]
    return [element("path", d=path, class_=f"course {look}"), *dots]


def _names(series: Series, across: Callable[[float], float], up: Callable[[float], float]) -> list[Html]:
    """Return the names behind the ends of the lines, pushed apart where they would touch."""
    ends: Mapping[str, tuple[int, float]] = {
        name: points[-1] for name, points in (("best", series.best), ("mean", series.mean)) if points
    }
    heights = {name: up(value) for name, (_, value) in ends.items()}
    if len(heights) == 2 and abs(heights["best"] - heights["mean"]) < 12:
        middle, sign = (heights["best"] + heights["mean"]) / 2, 1 if heights["best"] <= heights["mean"] else -1
        heights = {"best": middle - 6 * sign, "mean": middle + 6 * sign}
    return [
        element("text", name, x=across(ends[name][0]) + 7, y=heights[name] + 4, class_=f"name {name}") for name in ends
    ]
