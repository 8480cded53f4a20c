"""`groundwire eval`: how often a checker is right on labelled rows, with intervals, and what it cost.

`eval run` keeps all of it in a directory, `eval compare` compares two (`groundwire.cli.running`), and `eval paper` has the
papers' own evaluations (`groundwire.cli.papers`).

Left out: the measuring (`groundwire.evals`), and choosing a threshold.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource
from rich.console import Console
from rich.table import Table
from rich.text import Text

from groundwire.cases import RowError
from groundwire.cli.gating import Watched, gate_options, gated
from groundwire.cli.options import build, checker_options
from groundwire.cli.papers import paper
from groundwire.cli.progress import RowProgress
from groundwire.cli.running import compare_command, run_command
from groundwire.cli.sets import LabelledFile, opened
from groundwire.errors import InputError
from groundwire.gates.finding import by_label
from groundwire.render import visible
from groundwire.types import Case

if TYPE_CHECKING:
    from groundwire.evals.bootstrap import Figure
    from groundwire.evals.run import Report

TITLES = {
    "auc": "AUC",
    "average_precision": "average precision",
    "balanced_accuracy": "balanced accuracy",
    "f1": "F1, not supported",
    "f1_supported": "F1, supported",
}
SPAN_TITLES = {
    "precision": "words marked, precision",
    "recall": "words marked, recall",
    "f1": "words marked, F1",
}
"""Of data with gold spans: the words that verdicts mark as not backed."""


class Rows:
    """The labelled rows of a file. A row that cannot be read is named on stderr and counted; the rest goes on."""

    def __init__(self, file: LabelledFile, progress: RowProgress) -> None:
        self._file, self._progress = file, progress
        self.invalid = 0

    def __iter__(self) -> Iterator[Case]:
        for number, row in enumerate(self._file, 1):
            if isinstance(row, RowError):
                self.invalid += 1
                self._progress.say(f"error: {visible(str(row))}")
            elif row.label is None:
                raise InputError(
                    f"{self._file.path}: row {number} (id {row.id!r}) has no label",
                    "an evaluation needs label 1 (supported) or 0 on every row",
                )
            else:
                yield row


@click.group("eval", invoke_without_command=True, subcommand_metavar="[run|compare|paper …]")
@click.option(
    "--data",
    metavar="FILE",
    help="Labelled rows: JSONL or JSON, .gz or not; - is stdin. Or a data set: NAME[@SPLIT][=PATH], hf:ORG/NAME.",
)
@checker_options
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="A random sample of N rows, not the first N.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the sample and of the intervals.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@gate_options
@click.pass_context
def eval_command(
    context: click.Context,
    data: str | None,
    recipe: str,
    model: str | None,
    threshold: float | None,
    limit: int | None,
    seed: int,
    as_json: bool,
) -> None:
    """Measure how often verdicts are right, or run a paper's evaluation again.

    Every row of FILE has an answer, contexts and a label (1 or true: supported), perhaps a question, and perhaps a
    group: rows of one group are resampled together. Rows that cannot be checked are counted, never scored 0. F1 is that
    of finding what is NOT supported. Where rows have `spans`, [start, end] of the answer's words that nothing backs, the
    words that verdicts mark are measured too. Intervals are 95 % bootstrap intervals. --junit and --sarif name the rows
    whose verdict does not agree with their label.

    A data set of `groundwire data list` is read as published, at PATH or in the folder of GROUNDWIRE_DATA:
    halubench=DIR, true:qags-cnndm=mturk_cnndm.jsonl, wice@dev. Of FILE and a data set of one name FILE is read.

    Exit code 0, or 2 when a row has no label or could not be read.
    """
    if context.invoked_subcommand is not None:
        _only_names(context)
        return
    if data is None:
        raise click.UsageError("Missing option '--data'.")
    from groundwire.evals.run import evaluate

    with opened(data) as file, RowProgress(data, shown=True) as bar, gated(context, by_label) as sink:
        rows = Rows(file, bar)
        checker = Watched(build(recipe, model, threshold), sink)
        report = evaluate(checker, rows, limit=limit, seed=seed, progress=lambda n: bar.advance(n, file.done()))
    if report.n == 0 and not rows.invalid:
        raise InputError(f"{data} has no rows", "a row is a JSON object on a line, with answer, contexts and label")
    if as_json:
        click.echo(json.dumps({"data": data, **report.to_dict(), "n_invalid": rows.invalid}, allow_nan=False))
    else:
        _draw(data, report, rows.invalid, Console())
    context.exit(InputError.exit_code if rows.invalid else 0)


def _only_names(context: click.Context) -> None:
    """Raise UsageError for options of the short form before a command that would not read them."""
    for parameter in context.command.params:
        if context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE:
            name = parameter.opts[0]
            raise click.UsageError(f"{name} belongs to `groundwire eval --data FILE`; give it behind the command")


for command in (paper, run_command, compare_command):
    eval_command.add_command(command)


def _draw(data: str, report: Report, invalid: int, console: Console) -> None:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    for name, value in (*_what(data, report, invalid), *_figures(report), *_cost(report)):
        table.add_row(name, Text(value, overflow="fold"))
    console.print(table)


def _what(data: str, report: Report, invalid: int) -> Iterator[tuple[str, str]]:
    yield "data", visible(data)
    yield "recipe", f"{report.recipe}, model {report.model or '–'}, threshold {report.threshold:g}"
    yield "rows", f"{report.n} ({report.n_positive} supported, {len(report.rows) - report.n_positive} not)"
    reasons = "; ".join(f"{n} × {reason}" for reason, n in report.reasons.items())
    yield "not checkable", f"{report.n_not_checkable}" + (f" ({reasons})" if reasons else "")
    if invalid:
        yield "not readable", str(invalid)


def _figures(report: Report) -> Iterator[tuple[str, str]]:
    for key, title in TITLES.items():
        yield title, _shown(report.figures[key])
    for key, title in SPAN_TITLES.items():
        if key in report.spans:
            yield title, _shown(report.spans[key])


def _shown(figure: Figure) -> str:
    if figure.value is None:
        return "undefined (one class)"
    return f"{figure.value:.3f}" + ("" if figure.low is None else f"  [{figure.low:.3f}, {figure.high:.3f}]")


def _cost(report: Report) -> Iterator[tuple[str, str]]:
    speed = report.pairs_per_second
    yield "seconds", f"{report.seconds:.1f}"
    yield "pairs", f"{report.pairs}" + (f" ({speed:.0f} a second)" if speed else "")
