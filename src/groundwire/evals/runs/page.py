"""A run as one self-contained page: what ran, the figures, AUC by data set, and for each cell its charts and worst errors.

Nothing is fetched, and nothing of a text is ever run: the policy in the head names our own style and script by hash, and all
text is escaped where elements are built. Without a script everything is there; the script moves the threshold of a slider.
Left out: where the page is written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from groundwire.evals.runs.agreement import agreement_section
from groundwire.evals.runs.cellview import cell_section
from groundwire.evals.runs.config import Config
from groundwire.evals.runs.dots import dot_section
from groundwire.evals.runs.errors import Mistake
from groundwire.evals.runs.measuring import Cell
from groundwire.evals.runs.tables import TITLES, columns, explained, text_of
from groundwire.pages.markup import Html, element, joined
from groundwire.pages.signs import number, plural
from groundwire.pages.style import document, packaged

OPEN_CELLS = 1
"""Cells that are unfolded from the start."""
_ROOM = "groundwire.evals.runs"


def page(
    metrics: Mapping[str, Any],
    cells: Sequence[Cell],
    mistakes: Mapping[str, Mapping[str, Sequence[Mistake]]],
    config: Config,
    environment: Mapping[str, Any],
) -> str:
    """Return the page. `metrics` is what metrics.json holds, its cells those of `cells`; `mistakes` by data and checker."""
    views = [
        cell_section(n, cell, told, mistakes.get(cell.data, {}).get(cell.checker, ()), unfolded=n < OPEN_CELLS)
        for n, (cell, told) in enumerate(zip(cells, metrics["cells"], strict=True))
    ]
    main = element(
        "main",
        _heading(metrics, config),
        _summary(metrics),
        dot_section(metrics["cells"]),
        agreement_section(cells),
        element("section", element("h2", "Cell by cell"), *views, id="cells"),
        _made(config, environment),
    )
    style, script = packaged("run.css", _ROOM), packaged("run.js", _ROOM)
    return document(f"{_title(config)} · Groundwire", main, style=style, script=script)


def _title(config: Config) -> str:
    sets, checkers = len(config.data), len(config.checkers)
    return f"{plural(checkers, 'checker')} on {plural(sets, 'data set')}"


def _heading(metrics: Mapping[str, Any], config: Config) -> Html:
    rows = sum({cell["data"]: cell["n"] for cell in metrics["cells"]}.values())
    told = f"{plural(rows, 'answer')}" + (
        f", at most {config.limit} of a set, drawn with seed {config.seed}" if config.limit else ""
    )
    return element(
        "header",
        element("p", "Evaluation", class_="kicker"),
        element("h1", _title(config)),
        element("p", f"{told}. {explained(metrics)}", class_="soft"),
    )


def _summary(metrics: Mapping[str, Any]) -> Html:
    cells = metrics["cells"]
    shown = columns(cells)
    heads = ["data", "checker", "n", *(TITLES[name] for name in shown)]
    rows = []
    for n, cell in enumerate(cells):
        figures = [_figure(name, cell["figures"].get(name)) for name in shown]
        link = element("a", cell["checker"], href=f"#cell{n}")
        names = [element("th", cell["data"], scope="row"), element("td", link, class_="words")]
        rows.append(element("tr", *names, element("td", number(cell["n_scored"], 0)), *figures))
    head = element(
        "thead",
        element("tr", *[element("th", t, scope="col", class_="words" if t == "checker" else None) for t in heads]),
    )
    table = element(
        "div", element("table", head, element("tbody", *rows), class_="numbers"), class_="scroll", tabindex=0
    )
    notes = [element("li", f"{cell['data']}, {cell['checker']}: {note}") for cell in cells for note in cell["notes"]]
    return element(
        "section",
        element("h2", "Figures"),
        table,
        element("ul", *notes, class_="soft small") if notes else None,
        id="figures",
    )


def _figure(name: str, figure: Mapping[str, Any] | None) -> Html:
    value, interval = text_of(name, figure)
    return element("td", value, element("span", interval, class_="interval") if interval else None)


def _made(config: Config, environment: Mapping[str, Any]) -> Html:
    packages = ", ".join(f"{name} {version}" for name, version in environment.get("packages", {}).items())
    lines = [
        ("Groundwire", f"{environment['groundwire']}, Python {environment['python']}, {environment['platform']}"),
        ("CPU", environment["cpu"]),
        ("packages", packages),
    ]
    for checker in environment["checkers"]:
        for role, model in checker["models"].items():
            precision = f", {model['precision']}" if model["precision"] else ""
            sha256 = f", manifest sha256 {model['identity']}" if model["identity"] else ""
            lines.append((f"{checker['checker']}: {role}", f"{model['name']}{precision}{sha256}"))
    for data in environment["data"]:
        file = f"; file sha256 {data['file']}" if "file" in data else ""
        lines.append((data["name"], f"{data['run']} of {data['rows']} rows, sha256 {data['sha256']}{file}"))
    terms = [joined([element("dt", name), element("dd", told)]) for name, told in dict(lines).items()]
    return element("section", element("h2", "What ran"), element("dl", *terms, class_="made small"), id="made")
