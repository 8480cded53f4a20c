"""`groundwire data`: the data sets that are known by name, what each is, and their rows in our own form.

Left out: reading them (`groundwire.evals.datasets`), and fetching any but those of the Hugging Face hub.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from groundwire import _env
from groundwire.cli.files import STDIN, atomic_output
from groundwire.cli.progress import RowProgress, counted
from groundwire.cli.sets import named
from groundwire.render import to_json, visible
from groundwire.types import Case, Label

_DATA_DIR = click.option(
    "--data-dir",
    type=click.Path(path_type=Path),
    envvar="GROUNDWIRE_DATA",
    metavar="DIR",
    help="Where data sets are looked for  [default: the environment's GROUNDWIRE_DATA]",
)


@click.group("data")
def data() -> None:
    """List data sets by name, and convert them.

    No data comes with Groundwire: get a data set from its makers, and NAME=FILE (or its folder) reads it as they publish
    it; NAME alone is looked for in the data folder.
    """


@data.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, also on a terminal.")
@_DATA_DIR
def list_command(as_json: bool, data_dir: Path | None) -> None:
    """List the data sets that are known by name.

    A table on a terminal, one JSON object a line elsewhere. `here` says whether it lies in the data folder.
    """
    from groundwire.evals.datasets.catalogue import SETS

    rows = [_about(name, data_dir) for name in SETS]
    if as_json or not sys.stdout.isatty():
        for row in rows:
            click.echo(to_json(row))
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("data set", "here", "cases", "supported", "what"):
        right = title in ("cases", "supported")
        table.add_column(title, justify="right" if right else "left", no_wrap=title != "what", overflow="fold")
    for row in rows:
        numbers = ("–" if row[field] is None else counted(row[field]) for field in ("rows", "supported"))
        what = row["title"].partition(":")[0].partition(" (")[0]
        table.add_row(*(Text(cell) for cell in (row["name"], "yes" if row["here"] else "–", *numbers, what)))
    Console().print(table)


@data.command("info")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, also on a terminal.")
@_DATA_DIR
def info_command(name: str, as_json: bool, data_dir: Path | None) -> None:
    """Say what a data set is: its licence, its columns, its files as published, where it is to be had."""
    row = _about(name, data_dir)
    if as_json or not sys.stdout.isatty():
        click.echo(to_json(row))
        return
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    for title, value in row.items():
        shown = ", ".join(value) if isinstance(value, list) else "" if value is None else visible(str(value))
        if shown:
            table.add_row(title, Text(shown, overflow="fold"))
    Console().print(table)


@data.command("convert")
@click.argument("what", metavar="NAME[@SPLIT][=PATH]")
@click.option("--split", metavar="SPLIT", help="One of those that `groundwire data info NAME` lists.")
@click.option("--to", "target", default=STDIN, metavar="FILE", help="A JSONL file, .gz to pack it  [default: stdout]")
@_DATA_DIR
def convert_command(what: str, split: str | None, target: str, data_dir: Path | None) -> None:
    """Write a data set as rows of our own form: id, question, answer, contexts, label, spans, evidence, group, slice.

    PATH is its published file or folder; hf:ORG/NAME[@REVISION][#FILE] is fetched from the Hugging Face hub, and
    NAME=hf:… reads it as NAME. `rows=FILE` reads rows with any of the names that `groundwire check` takes. How many cases
    have which label is said on stderr.

    Exit code 0, 2 for a file that is no such data set (FILE is then not written), 3 where the hub is not reached.
    """
    from groundwire.evals import datasets
    from groundwire.evals.datasets.canonical import row

    asked = named(what)
    cases = datasets.open(asked.name, asked.path, split=split or asked.split, data=data_dir)
    labels: Counter[Label | None] = Counter()
    with ExitStack() as opened:
        bar = opened.enter_context(RowProgress(what, shown=target != STDIN or not sys.stdout.isatty()))
        out = sys.stdout if target == STDIN else opened.enter_context(atomic_output(target))
        for case in _counted(cases, labels):
            out.write(to_json(row(case)) + "\n")
            bar.advance(1, None)
        bar.say(f"{counted(labels.total())} cases: {_said(labels)}")


def _counted(cases: Iterator[Case], labels: Counter[Label | None]) -> Iterator[Case]:
    for case in cases:
        labels[case.label] += 1
        yield case


def _said(labels: Counter[Label | None]) -> str:
    supported = labels[Label.SUPPORTED]
    contradicted = labels[Label.CONTRADICTED]
    parted = f" ({counted(contradicted)} contradicted)" if contradicted else ""
    return f"{counted(supported)} supported, {counted(labels.total() - supported)} not{parted}"


def _about(name: str, data_dir: Path | None) -> dict[str, Any]:
    from groundwire.evals.datasets import info
    from groundwire.evals.datasets.place import here

    about = info(name)
    return {
        "name": about.name,
        "title": about.title,
        "here": here(about, data_dir or _env.data_folder()),
        "rows": about.rows,
        "supported": about.supported,
        "unsupported": about.unsupported,
        "licence": about.licence,
        "url": about.url or None,
        "hub": about.hub and f"hf:{about.hub}",
        "columns": list(about.columns),
        "files": list(about.files),
        "splits": list(about.splits),
        "note": about.note or None,
    }
