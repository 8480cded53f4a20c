"""The figures of a run as rows of Markdown and LaTeX: a row a data set and checker, each figure with its interval.

Left out: colours, and the choice of a winner: intervals that overlap settle nothing (`groundwire eval compare` pairs rows).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

TITLES: Mapping[str, str] = {
    "auc": "AUC",
    "average_precision": "average precision",
    "balanced_accuracy": "balanced accuracy",
    "f1": "F1, not supported",
    "f1_supported": "F1, supported",
    "recall_supported": "supported accepted",
    "recall_hallucinated": "unsupported rejected",
    "accuracy": "accuracy",
    "accuracy_at_half": "accuracy at 0.5",
    "accuracy_tuned": "accuracy, tuned elsewhere",
    "accuracy_best_optimistic": "accuracy at the best threshold (optimistic)",
    "ece": "calibration error (ECE)",
    "brier": "Brier score",
    "span_precision": "words marked, precision",
    "span_recall": "words marked, recall",
    "span_f1": "words marked, F1",
    "evidence_hit_rate": "evidence hit rate",
    "coverage": "coverage",
    "latency_p50_seconds": "seconds an answer, median",
    "latency_p95_seconds": "seconds an answer, 95th percentile",
    "pairs_per_second": "pairs a second",
    "peak_memory_mb": "peak memory, MB",
}
"""Every figure of metrics.json, as it is called where people read it."""
MAIN = ("auc", "average_precision", "balanced_accuracy", "f1", "accuracy_tuned", "ece", "brier", "coverage")
"""The columns of the tables."""
_UNITS = {"pairs_per_second": 0, "peak_memory_mb": 0}
_LATEX = {c: f"\\{c}" for c in "&%$#_{}"} | {"\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\^{}"}


def decimals(name: str) -> int:
    """Return with how many decimals a figure is written."""
    return _UNITS.get(name, 3)


def text_of(name: str, figure: Mapping[str, Any] | None) -> tuple[str, str]:
    """Return a figure and its interval as texts: (`.812`, `[.79, .83]`), a dash and nothing where it is undefined."""
    if figure is None or figure["value"] is None:
        return "–", ""
    digits = decimals(name)
    value = f"{figure['value']:.{digits}f}"
    if figure["low"] is None:
        return value, ""
    return value, f"[{figure['low']:.{digits}f}, {figure['high']:.{digits}f}]"


def columns(cells: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the figures that the tables show: the main ones that any cell has."""
    return [name for name in MAIN if any(name in cell["figures"] for cell in cells)]


def markdown(metrics: Mapping[str, Any]) -> str:
    """Return a table in Markdown, what is undefined below it."""
    cells = metrics["cells"]
    shown = columns(cells)
    lines = [_line(["data", "checker", "n", *(TITLES[name] for name in shown)]), _line(["---"] * (len(shown) + 3))]
    for cell in cells:
        texts = [" ".join(filter(None, text_of(name, cell["figures"].get(name)))) for name in shown]
        lines.append(_line([cell["data"], cell["checker"], str(cell["n_scored"]), *texts]))
    notes = [f"- {cell['data']}, {cell['checker']}: {note}" for cell in cells for note in cell["notes"]]
    told = [f"- {explained(metrics)}"]
    return "\n".join([*lines, "", *notes, *told]) + "\n"


def latex(metrics: Mapping[str, Any]) -> str:
    """Return the rows of a LaTeX table (booktabs), the intervals small."""
    cells = metrics["cells"]
    shown = columns(cells)
    heads = ["data", "checker", "$n$", *(_escaped(TITLES[name]) for name in shown)]
    lines = [f"% {explained(metrics)}", f"\\begin{{tabular}}{{ll{'r' * (len(shown) + 1)}}}", "\\toprule"]
    lines += [" & ".join(heads) + " \\\\", "\\midrule"]
    for cell in cells:
        texts = [_latex_figure(*text_of(name, cell["figures"].get(name))) for name in shown]
        names = [_escaped(cell["data"]), _escaped(cell["checker"]), str(cell["n_scored"])]
        lines.append(" & ".join([*names, *texts]) + " \\\\")
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}"]) + "\n"


def explained(metrics: Mapping[str, Any]) -> str:
    """Say how the intervals were made, and where thresholds were tuned."""
    drawn = metrics["bootstrap"]
    told = f"In brackets: 95 % bootstrap intervals, {drawn['resamples']} resamples, seed {drawn['seed']}."
    if metrics["tune_on"]:
        told += f" Thresholds tuned on {metrics['tune_on']} are not reported on it."
    return told


def _latex_figure(value: str, interval: str) -> str:
    value = "--" if value == "–" else value
    return f"{value} {{\\scriptsize {interval}}}" if interval else value


def _escaped(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
