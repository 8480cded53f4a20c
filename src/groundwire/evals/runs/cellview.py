"""One checker on one data set: its figures, charts, the threshold, its slices and its worst errors.

Left out: what all cells share (`page`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from groundwire.evals.runs import curves, drawings
from groundwire.evals.runs.errors import Mistake
from groundwire.evals.runs.measuring import SLICED, Cell
from groundwire.evals.runs.tables import TITLES, text_of
from groundwire.pages.markup import Html, element, joined
from groundwire.pages.signs import badge, number, plural

LONGEST = 4000
"""Characters of one context that are shown."""
_ROWS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def cell_section(n: int, cell: Cell, told: Mapping[str, Any], mistakes: Sequence[Mistake], *, unfolded: bool) -> Html:
    """Return the cell, folded or not. `told` is its part of metrics.json."""
    auc = text_of("auc", told["figures"]["auc"])[0]
    head = element(
        "summary", element("span", f"{cell.data} · {cell.checker}"), element("span", f"AUC {auc}", class_="soft")
    )
    body = [_charts(cell, told), _thresholds(n, cell), _figures(told), _slices(told), _mistakes(mistakes, cell)]
    return element("details", head, *body, class_="cell card", id=f"cell{n}", open=unfolded)


def _charts(cell: Cell, told: Mapping[str, Any]) -> Html:
    labels, scores, figures = cell.labels(), cell.scores(), told["figures"]
    if not labels.size:
        return element("p", "No row could be checked.", class_="warning")
    return element(
        "div",
        drawings.roc_chart(curves.roc(labels, scores), figures, cell.threshold),
        drawings.precision_chart(curves.precision_recall(labels, scores), figures, float(labels.mean())),
        drawings.reliability_chart(curves.reliability(labels, scores), figures),
        drawings.histogram_chart(*curves.histogram(labels, scores), cell.threshold),
        class_="plots",
    )


def _thresholds(n: int, cell: Cell) -> Html | None:
    """Return the slider, and below it a table for who has no script."""
    found = curves.steps(cell.labels(), cell.scores())
    if not found:
        return None
    here = min(round(cell.threshold * curves.STEPS), curves.STEPS)
    slider = element("input", type="range", min=0, max=curves.STEPS, value=here, id=f"t{n}", aria_describedby=f"o{n}")
    shown = element("output", _said(found[here]), id=f"o{n}", for_=f"t{n}", aria_live="polite")
    alarms = " ".join(f"{step.false_alarms:.1f}" for step in found)
    misses = " ".join(f"{step.misses:.1f}" for step in found)
    moved = element(
        "div",
        element("label", "Threshold", for_=f"t{n}"),
        slider,
        shown,
        class_="slider",
        data_alarms=alarms,
        data_misses=misses,
    )
    rows = [found[round(share * curves.STEPS)] for share in _ROWS]
    lines = [
        ("threshold", [f"{step.threshold:.1f}" for step in rows]),
        ("false alarms", [number(step.false_alarms, 0) for step in rows]),
        ("misses", [number(step.misses, 0) for step in rows]),
    ]
    table = element("table", *[_line(name, values) for name, values in lines], class_="numbers")
    share = float(cell.labels().mean())
    note = (
        f"Of 1 000 answers such as these ({number(100 * share, 0)} % supported): false alarms are supported answers that are "
        "flagged, misses unsupported ones that pass. A threshold chosen here is chosen on these very rows."
    )
    return joined(
        [
            element("h3", "Threshold"),
            moved,
            element("div", table, class_="scroll", tabindex=0),
            element("p", note, class_="soft small"),
        ]
    )


def _said(step: curves.Step) -> str:
    return f"{step.threshold:.2f}: {step.false_alarms:.0f} false alarms, {step.misses:.0f} misses in 1 000 answers"


def _line(name: str, values: Sequence[str]) -> Html:
    return element("tr", element("th", name, scope="row"), *[element("td", value) for value in values])


def _figures(told: Mapping[str, Any]) -> Html:
    rows = []
    for name, title in TITLES.items():
        figure = told["figures"].get(name)
        if figure is not None:
            value, interval = text_of(name, figure)
            cells = [element("td", text) for text in (value, interval, number(figure["n"], 0))]
            rows.append(element("tr", element("th", title, scope="row"), *cells))
    heads = element("thead", element("tr", *[element("th", t, scope="col") for t in ("figure", "value", "95 %", "n")]))
    notes = [f"Threshold {told['threshold']:g}."]
    if told["tuned"]:
        notes.append(f"Tuned on {told['tuned']['on']}: {told['tuned']['threshold']:.3f}.")
    notes += [f"{plural(count, 'row')} not checkable: {reason}." for reason, count in told["not_checkable"].items()]
    notes += [f"{note[0].upper()}{note[1:]}." for note in (*told["notes"], told["timing"]) if note]
    table = element("table", heads, element("tbody", *rows), class_="numbers")
    said = element("p", " ".join(notes), class_="soft small")
    return joined([element("h3", "Figures"), element("div", table, class_="scroll", tabindex=0), said])


def _slices(told: Mapping[str, Any]) -> Html | None:
    if len(told["slices"]) < 2:
        return None
    heads = element("tr", *[element("th", t, scope="col") for t in ("slice", "n", *(TITLES[name] for name in SLICED))])
    rows = []
    for name, figures in told["slices"].items():
        texts = [text_of(key, figures[key]) for key in SLICED]
        cells = [element("td", value, element("span", interval, class_="interval")) for value, interval in texts]
        rows.append(element("tr", element("th", name, scope="row"), element("td", str(figures["auc"]["n"])), *cells))
    table = element("table", element("thead", heads), element("tbody", *rows), class_="numbers")
    return joined([element("h3", "Slices"), element("div", table, class_="scroll", tabindex=0)])


def _mistakes(mistakes: Sequence[Mistake], cell: Cell) -> Html | None:
    if not mistakes:
        return None
    shown = [_mistake(mistake, cell) for mistake in mistakes]
    return joined([element("h3", "Worst errors"), *shown])


def _mistake(mistake: Mistake, cell: Cell) -> Html:
    row, case = mistake.row, mistake.case
    kind = "false alarm" if row.supported else "miss"
    head = element(
        "p",
        element("strong", kind),
        f" · {row.id} · score {number(row.score)} at threshold {cell.threshold:g} · gold ",
        badge(row.gold),
        class_="small",
    )
    question = element("p", element("span", "Question: ", class_="soft"), case.question) if case.question else None
    contexts = [
        element("div", element("span", f"[{n}] ", class_="soft"), _cut(passage.text), class_="prose small context")
        for n, passage in enumerate(case.contexts, 1)
    ]
    evidence = element("details", element("summary", plural(len(contexts), "context")), *contexts) if contexts else None
    return element("article", head, question, element("p", case.answer, class_="prose"), evidence, class_="mistake")


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} … ({len(text) - LONGEST} more characters)"
