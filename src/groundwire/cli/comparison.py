"""A paper's table on a terminal: three numbers a cell where there is room, else a line of counts a row, or a line a cell.

Left out: what the numbers are (`groundwire.evals.papers.table`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table as Grid
from rich.text import Text

from groundwire.render import visible

if TYPE_CHECKING:
    from groundwire.evals.papers.table import Group, Row, Table

_HEADS = ("paper", "ours", "difference")


def draw(tables: Sequence[Table], console: Console) -> None:
    """Draw the tables with their own notes; what holds for all, and what our rows really were, stands at the end."""
    shared = [note for note in tables[0].notes if all(note in table.notes for table in tables)]
    for table in tables:
        console.print(_text(f"{table.name}: {table.title}", console, "bold"))
        for group in table.groups:
            console.print()
            if group.head:
                console.print(_text(group.head, console, ""))
            wide = _wide(table, group, console)
            narrow = _long if table.percents else _narrow
            console.print(wide if _room(wide, console) <= console.width else narrow(table, group, console))
        console.print()
        _lines([note for note in table.notes if note not in shared], console)
    console.print(_text("What ours is", console, "bold"))
    _lines([*_used(tables), *shared], console)


def _used(tables: Sequence[Table]) -> list[str]:
    """Return what our rows were, those that were the same together; "X at .5" is a part of X and not named beside it."""
    titles: dict[str, list[str]] = {}
    for table in tables:
        for row in (row for group in table.groups for row in group.rows if row.used):
            named = titles.setdefault(row.used, [])
            named += [] if any(f"{row.title} ".startswith(f"{title} ") for title in named) else [row.title]
    return [f"{', '.join(named)}: {what}" for what, named in titles.items()]


def _wide(table: Table, group: Group, console: Console) -> Grid:
    grid = Grid(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    grid.add_column("\n", min_width=8)
    for column in table.columns:
        for n, head in enumerate(_HEADS):
            grid.add_column(_text(f"{column if not n else ''}\n{head}", console, ""), justify="right", no_wrap=True)
    for row in group.rows:
        grid.add_row(_text(row.title, console, ""), *(_text(t, console, "") for cell in table.texts(row) for t in cell))
    return grid


def _room(grid: Grid, console: Console) -> int:
    """Return the width of a table in which nothing is wrapped or cut."""
    return Measurement.get(console, console.options.update(width=1000), grid).maximum


def _narrow(table: Table, group: Group, console: Console) -> Grid:
    """Draw the counts of a row as one text, and the difference of the table's main column: the shares', or the first."""
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    main = max((n for n, column in enumerate(table.columns) if column in table.shares), default=0)
    counts = "/".join(column for column in table.columns if column not in table.shares)
    shares = "".join(f" {column}" for column in table.columns if column in table.shares)
    grid.add_column("")
    for head in _HEADS[:2]:
        grid.add_column(_text(f"{head} {counts}{shares}".replace("  ", " "), console, ""), justify="right")
    grid.add_column(_text(f"difference of {table.columns[main]}", console, ""), justify="right", no_wrap=True)
    for row in group.rows:
        texts = [_joined(table, row, which) for which in (0, 1)]
        grid.add_row(*(_text(t, console, "") for t in (row.title, *texts, list(table.texts(row))[main][2])))
    return grid


def _long(table: Table, group: Group, console: Console) -> Grid:
    """Draw a line for every cell."""
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for head in ("", "", *_HEADS):
        grid.add_column(head, justify="right" if head else "left", no_wrap=bool(head))
    for row in group.rows:
        for n, (column, texts) in enumerate(zip(table.columns, table.texts(row), strict=True)):
            grid.add_row(*(_text(t, console, "") for t in ("" if n else row.title, column, *texts)))
    return grid


def _joined(table: Table, row: Row, which: int) -> str:
    """Return `37/6/0 .860` of the paper (0) or of ours (1); a dash where there is nothing."""
    texts = [cell[which] for cell in table.texts(row)]
    counts = [text for text, column in zip(texts, table.columns, strict=True) if column not in table.shares]
    shares = [text for text, column in zip(texts, table.columns, strict=True) if column in table.shares]
    if len(set(texts)) == 1 and not any(map(str.isdigit, texts[0])):
        return texts[0]
    return " ".join(["/".join(counts), *shares]).strip()


def _lines(lines: Sequence[str], console: Console) -> None:
    """Write each of the lines behind a dot, and an empty one at the end."""
    grid = Grid.grid(padding=(0, 1, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for line in lines:
        grid.add_row(_text("·", console, "dim"), _text(line, console, "dim"))
    console.print(grid)
    console.print()


def _text(text: str, console: Console, style: str) -> Text:
    """Return a text in which nothing is markup or moves the cursor; its line ends are our own."""
    return Text("\n".join(visible(line, console.encoding) for line in text.split("\n")), style)
