"""The charts of a run as PNG, for papers and slides: ROC curves of each data set, and AUC by data set as a dot plot.

Needs matplotlib (the extra `eval`). Left out: what only makes sense to move or to read (the page has it).
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

from groundwire._optional import require
from groundwire.evals.runs import curves, published
from groundwire.evals.runs.measuring import Cell

_DASHES = ("-", "--", "-.", ":")
_DOT, _PAPER = "#1f6f8b", "#c25400"


def pictures(metrics: Mapping[str, Any], cells: Sequence[Cell]) -> dict[str, bytes]:
    """Return the PNG files by name; none of what is undefined. Raises MissingExtra without matplotlib."""
    make = require("matplotlib.figure", "eval").Figure
    found = {}
    defined = [cell for cell in metrics["cells"] if cell["figures"]["auc"]["value"] is not None]
    if defined:
        found["auc.png"] = _png(_dots(make, defined))
    names = list(dict.fromkeys(cell["data"] for cell in defined))
    for n, data in enumerate(names):
        chosen = [cell for cell in cells if cell.data == data and curves.roc(cell.labels(), cell.scores())]
        found[f"roc-{n}-{_file(data)}.png"] = _png(_rocs(make, data, chosen))
    return found


def _dots(make: Any, cells: Sequence[Mapping[str, Any]]) -> Any:
    figure = make(figsize=(7.2, 1.2 + 0.36 * len(cells)), dpi=150, layout="constrained")
    axes = figure.subplots()
    for place, cell in enumerate(reversed(cells)):
        auc = cell["figures"]["auc"]
        if auc["low"] is not None:
            axes.plot([auc["low"], auc["high"]], [place, place], color=_DOT, linewidth=2)
        axes.plot([auc["value"]], [place], "o", color=_DOT, label="ours, 95 % interval" if not place else None)
        paper = published.auc(cell["data"])
        if paper is not None:
            axes.plot([paper], [place], "D", markerfacecolor="white", markeredgecolor=_PAPER)
    titles = [f"{cell['data']}: {cell['checker']}" for cell in reversed(cells)]
    axes.set_yticks(range(len(cells)), [_plain(title) for title in titles])
    axes.axvline(0.5, color="grey", linestyle=":", linewidth=1)
    axes.set_xlabel(f"AUC (diamond: {published.SOURCE})")
    axes.grid(axis="x", alpha=0.3)
    return figure


def _rocs(make: Any, data: str, cells: Sequence[Cell]) -> Any:
    figure = make(figsize=(5.0, 5.0), dpi=150, layout="constrained")
    axes = figure.subplots()
    for n, cell in enumerate(cells):
        points = curves.roc(cell.labels(), cell.scores())
        axes.plot(*zip(*points, strict=True), _DASHES[n % len(_DASHES)], label=_plain(cell.checker))
    axes.plot([0, 1], [0, 1], color="grey", linestyle=":", linewidth=1)
    axes.set_xlabel("unsupported accepted")
    axes.set_ylabel("supported accepted")
    axes.set_title(_plain(data))
    axes.legend(loc="lower right", fontsize=8)
    return figure


def _png(figure: Any) -> bytes:
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", metadata={"Software": None})
    return drawn.getvalue()


def _file(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-.") or "data"


def _plain(text: str) -> str:
    """Return a text in which nothing is mathematics."""
    return text.replace("$", r"\$")
