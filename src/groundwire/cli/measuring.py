"""Metrics of rankings as `groundwire search` prints them: of what it has searched, or of a run in a file.

Left out: the metrics (`groundwire.evals`), which load here only when they are asked for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from groundwire.cli.files import STDIN, read_lines
from groundwire.render import visible

if TYPE_CHECKING:
    from groundwire.evals.ranking import Measured
    from groundwire.evals.trec import Judgements


def judgements(path: str, metrics: Sequence[str]) -> Judgements:
    """Read the judgements, and see that the metrics are known, before anything is searched."""
    from groundwire.evals.ranking import known
    from groundwire.evals.trec import read_judgements

    known(metrics)
    return read_judgements(read_lines(path), path)


def measure_run(path: str, qrels: str | None, metrics: Sequence[str], level: int, *, draws: bool) -> None:
    """Measure a TREC run. Raises UsageError without judgements, InputError for a file that cannot be read."""
    from groundwire.evals.trec import read_run

    if qrels is None:
        raise click.UsageError("--from-run needs --qrels FILE")
    if path == STDIN == qrels:
        raise click.UsageError("standard input (-) can be read only once")
    grades = judgements(qrels, metrics)
    run = read_run(read_lines(path), path)
    ranked = {query: [passage for passage, _ in found] for query, found in run.items()}
    report({"run": path}, ranked, grades, metrics, level, draws=draws)


def report(
    what: Mapping[str, str],
    ranked: Mapping[str, Sequence[str]],
    grades: Judgements,
    metrics: Sequence[str],
    level: int,
    *,
    draws: bool,
) -> None:
    """Write the means, with 95 % intervals over queries, drawn or as one JSON object. `what` names what was measured."""
    from groundwire.evals.ranking import METRICS, measure

    measured = measure(ranked, grades, metrics or METRICS, level=level)
    if draws:
        _draw(", ".join(what.values()), measured)
        return
    intervals = {name: [figure.low, figure.high] for name, figure in measured.figures().items()}
    counted = {"queries": len(measured.queries), "metrics": measured.means, "intervals": intervals}
    click.echo(json.dumps({**what, **counted}, allow_nan=False))


def _draw(title: str, measured: Measured) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, title=None)
    table.add_column(visible(title), style="dim")
    table.add_column(f"{len(measured.queries)} queries", justify="right")
    table.add_column("95 %")
    for name, figure in measured.figures().items():
        table.add_row(name, f"{figure.value:.4f}", f"[{figure.low:.4f}, {figure.high:.4f}]")
    Console().print(table, markup=False)
