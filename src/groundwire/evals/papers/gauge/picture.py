"""Figure 3 of the paper as a PNG: groundedness against preference for each kind of ROUGE in the fitness.

Bars in the paper's order (ROUGE-1, ROUGE-2, ROUGE-L), the paper's beside ours where the set is its own (Dev); whiskers are 95 %
bootstrap intervals. Needs matplotlib (the extra `eval`). Left out: figures 1 and 2, which hold none of the paper's numbers
that are known here.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from groundwire._optional import require
from groundwire.evals.bootstrap import Figure
from groundwire.evals.papers.gauge.published import FIGURE_3
from groundwire.types.noun import Noun

KINDS: Mapping[str, str] = {"gauge1": "ROUGE-1", "gauge2": "ROUGE-2", "gaugel": "ROUGE-L"}
_COLOURS = {"grounded": "#3b6ea5", "preferred": "#c98a2b"}
_WIDTH = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """Our two bars of one kind of ROUGE: shares in [0, 1]."""

    row: str
    grounded: Figure
    preferred: Figure

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values, the paper's point with them."""
        paper = FIGURE_3[self.row].grounded, FIGURE_3[self.row].preferred
        return {
            "row": self.row,
            "ours": {"grounded": self.grounded.to_dict(), "preferred": self.preferred.to_dict()},
            "paper (Dev)": dict(zip(("grounded", "preferred"), paper, strict=True)),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Legend(Noun):
    """What is written on the figure: the set, who judged, who generated."""

    data: str
    grounded_by: str
    preferred_by: str
    made_by: str


def draw(bars: Sequence[Bars], legend: Legend) -> bytes:
    """Return figure 3 as PNG. Raises MissingExtra without matplotlib."""
    figure = require("matplotlib.figure", "eval").Figure(figsize=(7.2, 4.2), dpi=150, layout="constrained")
    axes = figure.subplots()
    by_row = {bar.row: bar for bar in bars}
    for place, row in enumerate(KINDS):
        _group(axes, place, row, by_row.get(row))
    axes.set_xticks(range(len(KINDS)), list(KINDS.values()))
    axes.set_ylim(0, 1.1)
    axes.set_xlim(-0.5, len(KINDS) - 0.5)
    axes.set_ylabel("share of questions")
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title(f"Groundedness and preference, {legend.data}", loc="left", fontsize=11)
    axes.legend(
        handles=_handles(legend), fontsize=7.5, frameon=False, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.1)
    )
    kept = io.BytesIO()
    figure.savefig(kept, format="png", metadata={"Software": None})
    return kept.getvalue()


def _group(axes: Any, place: int, row: str, ours: Bars | None) -> None:
    """Draw the four bars of a kind of ROUGE: the paper's pale, ours full."""
    paper = FIGURE_3[row]
    for n, name in enumerate(_COLOURS):
        at = place + (2 * n - 1.5) * _WIDTH
        value = getattr(paper, name)
        axes.bar(at, value, 0.9 * _WIDTH, color=_COLOURS[name], alpha=0.35)
        _label(axes, at, value, value)
        figure: Figure | None = getattr(ours, name) if ours else None
        if figure is None or figure.value is None:
            axes.text(at + _WIDTH, 0.01, "not run", ha="center", va="bottom", rotation=90, fontsize=7, color="#666666")
            continue
        low = figure.value if figure.low is None else figure.low
        high = figure.value if figure.high is None else figure.high
        whiskers = [[figure.value - low], [high - figure.value]]
        axes.bar(
            at + _WIDTH, figure.value, 0.9 * _WIDTH, color=_COLOURS[name], yerr=whiskers, capsize=3, ecolor="#333333"
        )
        _label(axes, at + _WIDTH, high, figure.value)


def _label(axes: Any, at: float, top: float, value: float) -> None:
    axes.text(at, top + 0.01, f"{round(100 * value)}", ha="center", va="bottom", fontsize=8)


def _handles(legend: Legend) -> list[Any]:
    patch = require("matplotlib.patches", "eval").Patch
    return [
        patch(color=_COLOURS["grounded"], alpha=0.35, label="grounded, paper (Dev, albert-base-vitaminc)"),
        patch(color=_COLOURS["grounded"], label=f"grounded, ours ({legend.grounded_by})"),
        patch(color=_COLOURS["preferred"], alpha=0.35, label="preferred, paper (Dev, MonoT5)"),
        patch(color=_COLOURS["preferred"], label=f"preferred, ours ({legend.preferred_by})"),
        patch(color="none", label=f"our answers: {legend.made_by}"),
    ]
