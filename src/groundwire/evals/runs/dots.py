"""AUC by data set as a dot plot: each checker's value with its interval, and what was published, where that is known.

It is a table whose last column draws, so that it is read out and can be copied. Left out: the other figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from groundwire.evals.runs import published
from groundwire.evals.runs.tables import text_of
from groundwire.pages.markup import Html, element
from groundwire.pages.signs import number

_WIDTH, _HEIGHT, _EDGE = 300.0, 22.0, 8.0
_LOWEST = 0.4
"""Where the scale begins unless something lies below."""


def dot_section(cells: Sequence[Mapping[str, Any]]) -> Html | None:
    """Return the plot; nothing where no cell has an AUC."""
    shown = [cell for cell in cells if cell["figures"]["auc"]["value"] is not None]
    if not shown:
        return None
    known = {cell["data"]: published.auc(cell["data"]) for cell in shown}
    lows = [cell["figures"]["auc"]["low"] or cell["figures"]["auc"]["value"] for cell in shown]
    start = 0.0 if min([*lows, *filter(None, known.values())]) < _LOWEST else _LOWEST
    rows = [_row(cell, known[cell["data"]], start) for cell in shown]
    heads = ["data", "checker", "AUC", "95 %", *(["published"] if any(known.values()) else []), ""]
    if not any(known.values()):
        rows = [_row(cell, None, start, column=False) for cell in shown]
    head = element("thead", element("tr", *[_head(title) for title in heads[:-1]], _scale(start)))
    table = element("div", element("table", head, element("tbody", *rows), class_="numbers dots"), class_="scroll")
    notes = (
        [f"◇ is the published value ({published.SOURCE}): another model, and the whole set."]
        if any(known.values())
        else []
    )
    notes.append("The dashed line is chance, 0.5. Bars are 95 % bootstrap intervals.")
    return element(
        "section", element("h2", "AUC by data set"), table, element("p", " ".join(notes), class_="soft small"), id="auc"
    )


def _head(title: str) -> Html:
    return element(
        "th", title, scope="col", class_={"checker": "words", "95 %": "wide", "published": "wide"}.get(title)
    )


def _scale(start: float) -> Html:
    ticks = (
        [t for t in (0.0, 0.25, 0.5, 0.75, 1.0) if t >= start] if start == 0 else [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    )
    marks = [
        element("text", f"{t:g}", x=_place(t, start), y=_HEIGHT - 7, text_anchor="middle", class_="tick") for t in ticks
    ]
    drawing = element("svg", *marks, viewBox=f"0 0 {_WIDTH:.0f} {_HEIGHT:.0f}", aria_hidden="true")
    return element("td", drawing, class_="plot")


def _row(cell: Mapping[str, Any], paper: float | None, start: float, *, column: bool = True) -> Html:
    figure = cell["figures"]["auc"]
    value, interval = text_of("auc", figure)
    parts = [element("path", d=f"M{_place(0.5, start):.1f} 0V{_HEIGHT:.0f}", class_="chance")]
    if figure["low"] is not None:
        ends = f"M{_place(figure['low'], start):.1f} {_HEIGHT / 2:.0f}H{_place(figure['high'], start):.1f}"
        parts.append(element("path", d=ends, class_="whisker"))
    parts.append(element("circle", cx=_place(figure["value"], start), cy=_HEIGHT / 2, r=4.5, class_="point"))
    if paper is not None:
        x, y = _place(paper, start), _HEIGHT / 2
        parts.append(
            element("path", d=f"M{x - 6:.1f} {y}L{x:.1f} {y - 6}L{x + 6:.1f} {y}L{x:.1f} {y + 6}Z", class_="paper")
        )
    drawing = element("svg", *parts, viewBox=f"0 0 {_WIDTH:.0f} {_HEIGHT:.0f}", aria_hidden="true")
    return element(
        "tr",
        element("th", cell["data"], scope="row"),
        element("td", cell["checker"], class_="words"),
        element("td", value),
        element("td", interval, class_="wide"),
        element("td", _told(paper), class_="wide") if column else None,
        element("td", drawing, class_="plot"),
    )


def _told(paper: float | None) -> str:
    return number(paper, 2 if paper is None or round(paper, 2) == paper else 3)


def _place(value: float, start: float) -> float:
    return _EDGE + (value - start) / (1 - start) * (_WIDTH - 2 * _EDGE)
