"""`groundwire annotate`: people judge items of a run on a local page.

Left out: the page and what is kept (`groundwire.annotate`), and which items are drawn (`groundwire.cli.annotating`).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from groundwire.cli.annotating import EACH, SEED, TASKS, Asked, drawn
from groundwire.cli.files import STDIN, atomic_output
from groundwire.cli.progress import counted
from groundwire.errors import UsageError
from groundwire.render import visible

if TYPE_CHECKING:
    from groundwire.annotate.desk import Desk
    from groundwire.annotate.items import Item

_FOLDER = "annotation"


@click.command("annotate")
@click.argument("run", metavar="RUN", type=click.Path(exists=True, path_type=Path))
@click.option("--each", type=click.IntRange(min=1), metavar="N", help=f"Items of a class or cell  [default: {EACH}]")
@click.option(
    "--per", type=click.Choice(("class", "cell")), help="A cell is a gold label and a verdict  [default: class]"
)
@click.option("--task", "tasks", multiple=True, type=click.Choice(TASKS), help="What is asked  [default: label]")
@click.option("--checker", metavar="RECIPE", help="Whose labels, where RUN has several checkers.")
@click.option("--cases", metavar="FILE", help="What a file of records was made of: questions, contexts, gold labels.")
@click.option("--against", metavar="FILE", help="The records of another run, for passage and preference.")
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help=f"Of the draw  [default: {SEED}]")
@click.option("--to", metavar="DIR", help="Where it is kept  [default: RUN/annotation, or beside a file]")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0: any that is free.")
@click.option("--export", metavar="FILE", help="Write the judgements (.csv, else JSON lines) and end; - is stdout.")
@click.option("--final", is_flag=True, help="With --export: one row an item, decided or what most have said.")
def annotate_command(
    run: Path,
    each: int | None,
    per: str | None,
    tasks: tuple[str, ...],
    checker: str | None,
    cases: str | None,
    against: str | None,
    seed: int | None,
    to: str | None,
    port: int,
    export: str | None,
    final: bool,
) -> None:
    """Judge items of a run by hand, on a page of this machine.

    RUN is the directory of `groundwire eval run` or of `groundwire eval paper huo2023`, or a file of records that
    `groundwire check` or `verify` wrote. So many items of every class are drawn once, by a seed, and kept with their texts
    in DIR; the same command goes on with them. The page is served on 127.0.0.1 until Ctrl-C, at an address that only you
    are told. Every judgement is on the disk before the next item is shown.

    \b
    groundwire annotate run1 --each 20
    groundwire annotate run1 --export judgements.jsonl
    """
    from groundwire.annotate.book import Book
    from groundwire.annotate.desk import Desk
    from groundwire.annotate.folder import JUDGEMENTS

    if final and export is None:
        raise UsageError("--final says which rows --export writes", "add --export FILE, or leave it out")
    asked = Asked(each=each, per=per, seed=seed, tasks=tasks or None, checker=checker, against=against, cases=cases)
    folder = Path(to) if to else run / _FOLDER if run.is_dir() else run.with_name(f"{run.name}.{_FOLDER}")
    items = _items(run, folder, asked)
    with Book(folder / JUDGEMENTS) as book:
        desk = Desk(items, book)
        if export is not None:
            _export(desk, export, final=final)
        else:
            _serve(desk, folder, port)


def _items(run: Path, folder: Path, asked: Asked) -> list[Item]:
    """Return the draw that is kept, or draw and keep one."""
    from groundwire.annotate.folder import keep, kept

    items = kept(folder, asked.told())
    if items is None:
        source, items = drawn(run, asked, lambda line: click.echo(visible(line), err=True))
        keep(folder, asked.told(source), items)
    return items


def _export(desk: Desk, export: str, *, final: bool) -> None:
    text = desk.exported("csv" if export.endswith((".csv", ".csv.gz")) else "jsonl", final=final)
    if export == STDIN:
        click.echo(text, nl=False)
        return
    with atomic_output(export) as file:
        file.write(text)


def _serve(desk: Desk, folder: Path, port: int) -> None:
    from groundwire.annotate.server import Server
    from groundwire.pages.signs import plural

    with Server(desk, port) as server:
        click.echo(server.address)
        told = f"{counted(len(desk.items))} items, kept in {folder}; open the address above, Ctrl-C ends it"
        click.echo(visible(told), err=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo(f"{plural(len(desk.book), 'judgement')} kept, changes among them", err=True)
