"""`groundwire eval run` and `groundwire eval compare`: runs that are kept, and two of them compared.

Left out: what they do (`groundwire.evals.runs`, `groundwire.evals.compare`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from groundwire.cases import RowError
from groundwire.cli.files import CaseFile
from groundwire.cli.progress import Pace
from groundwire.errors import InputError, UsageError
from groundwire.protocols import Checker
from groundwire.render import to_json, visible
from groundwire.types import Case

if TYPE_CHECKING:
    from groundwire.evals.compare import Comparison
    from groundwire.evals.runs import Config, Data, Run
    from groundwire.evals.runs.measuring import Cell


@click.command("run")
@click.argument("config", required=False, metavar="[CONFIG.toml]")
@click.option("--data", multiple=True, metavar="DATA", help="A file of labelled rows, NAME=FILE, or a data set's name.")
@click.option("--checker", "checkers", multiple=True, metavar="RECIPE", help="Who checks; may be repeated.")
@click.option(
    "--output", metavar="DIR", required=True, help="The run's directory; the same command goes on after a kill."
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="A random sample of N rows of every data set.")
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Of samples and intervals  [default: 0]")
@click.option("--tune-on", metavar="NAME", help="The data set that thresholds are tuned on, for the others.")
@click.option("--scores", metavar="FILE", help="Kept pair scores, which runs may share  [default: in DIR]")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def run_command(
    config: str | None,
    data: tuple[str, ...],
    checkers: tuple[str, ...],
    output: str,
    limit: int | None,
    seed: int | None,
    tune_on: str | None,
    scores: str | None,
    as_json: bool,
) -> None:
    """Run checkers over data sets and keep all of it in a directory.

    DIR gets config.json, environment.json, ledger.jsonl (a line a row), scores.db (every pair that a model scored),
    metrics.json, report.html, tables.md, tables.tex and pictures. A run that was killed goes on where it was. CONFIG.toml
    can say more than the options: several data sets under names of their own, and grids of recipes.

    \b
    groundwire eval run --data rows.jsonl --checker default --checker peer:overlap --output run1
    groundwire eval run grid.toml --output run2 --scores run1/scores.db
    """
    from groundwire.evals.runs import Run

    asked = _asked(config, data, checkers, limit=limit, seed=seed, tune_on=tune_on)
    run = Run.create(output, asked)
    with Pace("rows", "rows") as bar:
        found = run.execute(
            opened, built, scores=scores, progress=lambda done, total: bar.show(done, done / max(total, 1))
        )
    if as_json:
        click.echo(to_json(found))
    else:
        _draw(found, Console())
    click.echo(visible(f"report.html, metrics.json, tables.md and tables.tex are in {output}"), err=True)
    if "pictures" in found:
        click.echo(found["pictures"], err=True)


def opened(data: Data) -> Iterator[Case]:
    """Yield the rows of a data set with their gold: a file of rows, or what a reader of data sets knows by name.

    Raises InputError at a row that cannot be read or has no label.
    """
    if data.source is not None:
        from groundwire.evals import datasets

        yield from datasets.open(data.source, Path(data.path) if data.path else None, split=data.split)
        return
    with CaseFile(data.path or data.name, gold=True, labelled=True) as file:
        for number, row in enumerate(file, 1):
            if isinstance(row, RowError):
                raise InputError(f"{data.path}: {row.unit} {row.line}: {row.message}", row.hint)
            if row.label is None:
                told = f"; {row.reason}" if row.reason else ""
                raise InputError(
                    f"{data.path}: row {number} (id {row.id!r}) has no label{told}",
                    "an evaluation needs answer, contexts and label (1 supported, or 0) on every row",
                )
            yield row


def built(spec: str) -> Checker:
    """Build the checker of a recipe, or a peer (`peer:overlap`). Raises what `groundwire.recipes.build` raises."""
    from groundwire import recipes
    from groundwire.evals import peers

    return peers.open(spec) if peers.is_peer(spec) else recipes.build(spec)


def _asked(config: str | None, data: Sequence[str], checkers: Sequence[str], **given: Any) -> Config:
    from dataclasses import replace

    from groundwire.evals.runs.config import Config, named, read_config

    options = {name: value for name, value in given.items() if value is not None}
    if config is None:
        if not data:
            raise click.UsageError("Missing CONFIG.toml or option '--data'.")
        return Config(data=tuple(map(named, data)), checkers=tuple(checkers or ("default",)), **options)
    if data or checkers:
        raise UsageError("data sets and checkers are said in CONFIG.toml or by options, not both", "drop one of them")
    return replace(read_config(config), **options)


def _draw(found: Mapping[str, Any], console: Console) -> None:
    from groundwire.evals.runs.tables import TITLES, columns, explained, text_of

    shown = columns(found["cells"])
    if console.width < 120:
        shown = shown[: 4 if max(len(cell["checker"]) for cell in found["cells"]) < 20 else 2]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for head in ("data", "checker", "n", *(TITLES[name] for name in shown)):
        table.add_column(head, overflow="fold", justify="left" if head in ("data", "checker") else "right")
    for cell in found["cells"]:
        texts = ["\n".join(filter(None, text_of(name, cell["figures"].get(name)))) for name in shown]
        names = [Text(visible(cell[name], console.encoding)) for name in ("data", "checker")]
        table.add_row(*names, str(cell["n_scored"]), *map(Text, texts))
    console.print(table)
    for cell in found["cells"]:
        for note in cell["notes"]:
            console.print(Text(visible(f"{cell['data']}, {cell['checker']}: {note}", console.encoding), "dim"))
    console.print(Text(explained(found), "dim"))


@click.command("compare")
@click.argument("one", metavar="RUN_A")
@click.argument("other", metavar="RUN_B")
@click.option("--checker-a", metavar="RECIPE", help="Which checker of RUN_A, where it has several.")
@click.option("--checker-b", metavar="RECIPE", help="Which checker of RUN_B, where it has several.")
@click.option("--fail-if", type=click.Choice(("worse",)), help="Exit code 1 where B is worse, interval and all.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the intervals.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_context
def compare_command(
    context: click.Context,
    one: str,
    other: str,
    checker_a: str | None,
    checker_b: str | None,
    fail_if: str | None,
    seed: int,
    as_json: bool,
) -> None:
    """Compare run B with run A on the rows that both have: differences with paired intervals, worst regressions first.

    A run of several checkers is compared by the one that both have, or by those that --checker-a and --checker-b name.
    RUN_A and RUN_B may be the same run. A difference counts as worse or better where its 95 % interval leaves 0 out.

    Exit code 1 with --fail-if worse where any metric of a data set or a slice is worse.
    """
    from groundwire.evals.bootstrap import Bootstrap
    from groundwire.evals.compare import compare
    from groundwire.evals.runs import Run

    a, b = Run.open(one), Run.open(other)
    first, second = _chosen(a, b, checker_a, checker_b)
    found = compare(_of(a, first), _of(b, second), Bootstrap(seed=seed))
    if as_json:
        click.echo(to_json(found.to_dict()))
    else:
        _draw_comparison(found, Console())
    context.exit(1 if fail_if and found.worse else 0)


def _chosen(a: Run, b: Run, first: str | None, second: str | None) -> tuple[str, str]:
    """Return the checkers to compare. Raises UsageError where there is a choice, or no such checker."""
    chosen = []
    for name, given, run, others in (("--checker-a", first, a, b), ("--checker-b", second, b, a)):
        known = run.config.checkers
        both = [spec for spec in known if spec in others.config.checkers]
        if given is not None and given not in known:
            raise UsageError(f"{run.folder} has no checker {given!r}", f"it has: {', '.join(known)}")
        candidates = [given] if given is not None else list(known) if len(known) == 1 else both
        if len(candidates) != 1:
            raise UsageError(f"{run.folder} has several checkers", f"{name}, one of: {', '.join(known)}")
        chosen.append(candidates[0])
    return chosen[0], chosen[1]


def _of(run: Run, spec: str) -> list[Cell]:
    return [cell for cell in run.cells() if cell.checker == spec]


def _draw_comparison(found: Comparison, console: Console) -> None:
    from groundwire.evals.runs.tables import TITLES

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for head in ("data", "slice", "metric", "n", "A", "B", "B − A", "95 %", ""):
        table.add_column(head, overflow="fold", justify="left" if head in ("data", "slice", "metric", "") else "right")
    for each in found.differences:
        gone = each.difference
        interval = "" if gone.low is None else f"[{gone.low:+.3f}, {gone.high:+.3f}]"
        values = ["–" if v is None else f"{v:.3f}" for v in (each.one, each.other)]
        moved = "–" if gone.value is None else f"{gone.value:+.3f}"
        names = [Text(visible(name, console.encoding)) for name in (each.data, each.slice or "all")]
        style = {"worse": "red", "better": "green"}.get(each.verdict, "dim")
        said = Text(each.verdict, style)
        table.add_row(*names, TITLES[each.metric], str(each.n), *values, moved, interval, said)
    console.print(Text(visible(f"A {found.one}, B {found.other}", console.encoding)))
    console.print(table)
    for row in found.rows:
        gold = "supported" if row.supported else "not supported"
        told = f"{row.data}, row {row.id} ({gold}): {row.one:.2f} → {row.other:.2f}"
        console.print(Text(visible(told, console.encoding), "dim"))
    lone = {data: n for data, n in found.unpaired.items() if n}
    for data, n in lone.items():
        console.print(Text(visible(f"{data}: {n} rows without a partner are left out", console.encoding), "dim"))
    console.print(Text("Of twenty slices without any difference one interval leaves 0 out by chance.", "dim"))
