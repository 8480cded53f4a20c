"""The charts of a cell as SVG: ROC, precision and recall, reliability, scores by class.

Every chart says in words what it shows, and no colour is alone: lines differ in dashes, bars in their side. Units are those
of the drawing. Left out: colours (`run.css`), and the numbers (`curves`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from groundwire.evals.runs.curves import Bin, Points
from groundwire.pages.markup import Html, element, joined
from groundwire.pages.signs import number

_SIDE = 220.0
_LEFT, _TOP, _RIGHT, _BOTTOM = 46.0, 10.0, 12.0, 42.0
WIDTH, HEIGHT = _LEFT + _SIDE + _RIGHT, _TOP + _SIDE + _BOTTOM
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)

Figures = Mapping[str, Mapping[str, Any]]


def across(value: float) -> float:
    """Return where a value in [0, 1] stands from the left."""
    return _LEFT + value * _SIDE


def up(value: float) -> float:
    """Return where a value in [0, 1] stands from the top."""
    return _TOP + (1 - value) * _SIDE


def roc_chart(points: Points, figures: Figures, threshold: float) -> Html:
    """Draw the ROC curve with the operating point and the intervals of both its coordinates."""
    auc, tpr, rejected = figures["auc"], figures["recall_supported"], figures["recall_hallucinated"]
    if not points or auc["value"] is None:
        return _absent("ROC", "undefined: the scored rows are of one class")
    x, y = 1 - rejected["value"], tpr["value"]
    cross = [element("circle", cx=across(x), cy=up(y), r=4.5, class_="point")]
    if tpr["low"] is not None and rejected["low"] is not None:
        cross.insert(0, _line(across(x), up(tpr["low"]), across(x), up(tpr["high"]), "whisker"))
        cross.insert(0, _line(across(1 - rejected["high"]), up(y), across(1 - rejected["low"]), up(y), "whisker"))
    told = (
        f"ROC curve, area {number(auc['value'], 3)}; at the threshold {threshold:g} it accepts {number(100 * y, 0)} % of the "
        f"supported answers and {number(100 * x, 0)} % of the others"
    )
    parts = [_line(across(0), up(0), across(1), up(1), "chance"), _path(points, "curve"), *cross]
    caption = f"ROC, area {number(auc['value'], 3)}"
    return _chart(caption, told, parts, "unsupported accepted", "supported accepted")


def precision_chart(points: Points, figures: Figures, share: float) -> Html:
    """Draw precision against recall; `share` of the rows is supported, which is what chance gives."""
    found = figures["average_precision"]["value"]
    if not points or found is None:
        return _absent("Precision and recall", "undefined: the scored rows are of one class")
    told = f"Precision against recall of the supported answers, average precision {number(found, 3)}"
    parts = [_line(across(0), up(share), across(1), up(share), "chance"), _path(points, "curve")]
    return _chart(f"Precision–recall, average {number(found, 3)}", told, parts, "recall", "precision")


def reliability_chart(bins: Sequence[Bin], figures: Figures) -> Html:
    """Draw the share of supported rows against the mean score of each bin; a disc's area is the bin's rows."""
    if not bins:
        return _absent("Reliability", "undefined: no row has a score")
    most = max(one.n for one in bins)
    discs = [
        element(
            "circle",
            element("title", f"{one.n} rows: mean score {number(one.score)}, {number(100 * one.share, 0)} % supported"),
            cx=across(one.score),
            cy=up(one.share),
            r=2.5 + 8 * (one.n / most) ** 0.5,
            class_="bin",
        )
        for one in bins
    ]
    path = _path([(one.score, one.share) for one in bins], "curve thin")
    error = figures["ece"]["value"]
    told = f"Share of supported answers by score; the expected calibration error is {number(error, 3)}"
    parts = [_line(across(0), up(0), across(1), up(1), "chance"), path, *discs]
    return _chart(f"Reliability, error {number(error, 3)}", told, parts, "mean score", "share supported")


def histogram_chart(supported: Sequence[int], others: Sequence[int], threshold: float) -> Html:
    """Draw how the scores of both classes lie: supported ones upwards, the others downwards."""
    most = max(*supported, *others, 1)
    step, middle, half = _SIDE / len(supported), up(0.5), _SIDE / 2 - 8
    bars = []
    for n, (one, other) in enumerate(zip(supported, others, strict=True)):
        left = _LEFT + n * step + 1
        for count, kind, sign in ((one, "supported", -1), (other, "unsupported", 1)):
            if count:
                tall = count / most * half
                low = n / len(supported)
                said = element("title", f"{count} {kind}, score {low:.2f} to {low + 1 / len(supported):.2f}")
                y = middle - tall if sign < 0 else middle
                bars.append(element("rect", said, x=left, y=y, width=step - 2, height=tall, class_=f"bar {kind}"))
    names = [
        element("text", f"supported ({sum(supported)})", x=_LEFT + 6, y=up(1) + 12, class_="name"),
        element("text", f"not supported ({sum(others)})", x=_LEFT + 6, y=up(0) - 6, class_="name"),
    ]
    mark = _line(across(min(threshold, 1.0)), up(1), across(min(threshold, 1.0)), up(0), "threshold")
    base = element("path", d=f"M{across(0):.1f} {middle:.1f}H{across(1):.1f}", class_="axis")
    told = f"Scores of {sum(supported)} supported answers upwards and of {sum(others)} others downwards"
    parts = [*bars, base, mark, *names]
    return _chart("Scores by class", told, parts, "score (dashed: the threshold)", "", ticks=())


def _chart(
    caption: str, told: str, parts: Sequence[Html], below: str, beside: str, ticks: Sequence[float] = _TICKS
) -> Html:
    grid = [_line(across(0), up(t), across(1), up(t), "grid") for t in ticks]
    numbers = [_tick(f"{t:g}", across(t), up(0) + 15, "middle") for t in _TICKS]
    numbers += [_tick(f"{t:g}", _LEFT - 6, up(t) + 4, "end") for t in ticks]
    middle = up(0.5)
    names = [
        element("text", below, x=across(0.5), y=HEIGHT - 8, text_anchor="middle"),
        element("text", beside, x=11, y=middle, text_anchor="middle", transform=f"rotate(-90 11 {middle:.0f})"),
    ]
    drawing = element(
        "svg",
        element("title", told),
        *grid,
        *numbers,
        *(names if beside else names[:1]),
        *parts,
        viewBox=f"0 0 {WIDTH:.0f} {HEIGHT:.0f}",
        role="img",
        aria_label=told,
    )
    return element("figure", element("figcaption", caption), drawing)


def _absent(caption: str, why: str) -> Html:
    return element("figure", element("figcaption", caption), element("p", why, class_="soft small"), class_="absent")


def _path(points: Points, look: str) -> Html:
    path = "M" + "L".join(f"{across(x):.1f} {up(y):.1f}" for x, y in points)
    return element("path", d=path, class_=look)


def _line(x1: float, y1: float, x2: float, y2: float, look: str) -> Html:
    return element("path", d=f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}", class_=look)


def _tick(text: str, x: float, y: float, anchor: str) -> Html:
    return joined([element("text", text, x=x, y=y, text_anchor=anchor, class_="tick")])
