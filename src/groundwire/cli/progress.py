"""The progress bar over the rows of a file: on standard error, and only when that is a terminal."""

from __future__ import annotations

import sys

from groundwire.render import visible


class RowProgress:
    """Shows the rows done and, where the file's size is known, the share of it; use it in a `with` statement."""

    def __init__(self, title: str, *, shown: bool) -> None:
        self._bar = None
        if shown and sys.stderr.isatty():
            from rich.console import Console
            from rich.markup import escape
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (BarColumn(), TextColumn("{task.fields[rows]} rows"), TimeRemainingColumn())
            self._bar = Progress(
                TextColumn("{task.description}"), *columns, console=Console(stderr=True), transient=True
            )
            self._task = self._bar.add_task(escape(visible(title)), total=None, rows=0)
        self._rows = 0

    def __enter__(self) -> RowProgress:
        if self._bar:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()

    def advance(self, rows: int, share: float | None) -> None:
        """Add rows; `share` in [0, 1] is how much of the file is read, None where nobody knows."""
        self._rows += rows
        if self._bar:
            total = None if share is None else 1.0
            self._bar.update(self._task, total=total, completed=share or 0.0, rows=self._rows)

    def say(self, line: str) -> None:
        """Write a line to standard error, above the bar."""
        if self._bar:
            self._bar.console.print(line, markup=False, highlight=False)
        else:
            print(line, file=sys.stderr)
