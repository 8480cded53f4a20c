"""The end of `groundwire eval paper NAME`: the run's files, and the tables on standard output.

Left out: the looks of a table (`groundwire.cli.comparison`), what a paper's result says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from groundwire.render import to_json, visible

if TYPE_CHECKING:
    from groundwire.evals.papers.folder import RunFolder
    from groundwire.evals.papers.table import Table

TABLES, METRICS = "tables.md", "metrics.json"
_NOT_SETTINGS = ("output", "as_json")


def finish(
    paper: str,
    asked: Any,
    tables: Sequence[Table],
    metrics: Mapping[str, Any],
    folder: RunFolder | None,
    *others: str,
) -> None:
    """Write the run's files where there is a folder, and the tables, or the metrics as JSON, to standard output.

    `asked` is the dataclass of the command's options, `others` are the files that are in the folder already.
    """
    if folder is not None:
        write(paper, asked, tables, metrics, folder)
    if asked.as_json:
        click.echo(to_json(dict(metrics)))
    else:
        from rich.console import Console

        from groundwire.cli.comparison import draw

        draw(tables, Console())
    kept(asked.output, (TABLES, METRICS, *others) if folder is not None else ())


def write(paper: str, asked: Any, tables: Sequence[Table], metrics: Mapping[str, Any], folder: RunFolder) -> None:
    """Write config.json, environment.json, metrics.json and tables.md."""
    from groundwire.evals.papers.folder import environment

    settings = {name: getattr(asked, name) for name in asked.__dataclass_fields__ if name not in _NOT_SETTINGS}
    folder.write("config.json", {"command": f"eval paper {paper}", **settings})
    folder.write("environment.json", environment())
    folder.write(METRICS, metrics)
    folder.write(TABLES, "\n".join(table.markdown() for table in tables))


def kept(place: str | None, files: Sequence[str]) -> None:
    """Say on standard error which files are where."""
    if files:
        click.echo(visible(f"{', '.join(files)} are in {place}"), err=True)
    else:
        click.echo("nothing is kept without --output DIR", err=True)
