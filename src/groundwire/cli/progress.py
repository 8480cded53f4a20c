"""Progress on standard error: a bar over the rows of a file, only on a terminal, and the pace of a long run anywhere."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import monotonic

from groundwire.render import visible


class RowProgress:
    """Shows the rows done and, where the file's size is known, the share of it; use it in a `with` statement.

    `unit` is what is counted, in the plural.
    """

    def __init__(self, title: str, unit: str = "rows", *, shown: bool) -> None:
        self._bar = None
        if shown and sys.stderr.isatty():
            from rich.console import Console
            from rich.markup import escape
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (BarColumn(), TextColumn(f"{{task.fields[rows]}} {unit}"), TimeRemainingColumn())
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


class Pace:
    """Shows how many are done, how many a second, and the time left; a bar on a terminal, else a line now and then.

    `unit` is what is counted, in the plural; `clock` gives seconds. Use it in a `with` statement.
    """

    EVERY = 10.0
    """Seconds between two lines where standard error is no terminal."""
    STEP = 0.1
    """Seconds between two drawings of the bar."""

    def __init__(self, title: str, unit: str, *, clock: Callable[[], float] = monotonic) -> None:
        self._title, self._unit, self._clock = visible(title), unit, clock
        self._begun = self._said = clock()
        self._shown = self._begun - self.STEP
        self.done = 0
        self._bar = None
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.markup import escape
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (
                BarColumn(),
                TextColumn("{task.fields[pace]}"),
                TimeRemainingColumn(),
                TextColumn("{task.fields[left]}"),
            )
            console = Console(stderr=True)
            self._bar = Progress(TextColumn("{task.description}"), *columns, console=console, transient=True)
            self._task = self._bar.add_task(escape(self._title), total=None, pace="", left="")

    def __enter__(self) -> Pace:
        if self._bar:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()

    def seconds(self) -> float:
        """Return how long it has run."""
        return self._clock() - self._begun

    def rate(self) -> float:
        """Return how many were done a second."""
        return self.done / max(self.seconds(), 1e-9)

    def show(self, done: int, share: float | None) -> None:
        """Say that `done` are done in all; `share` in [0, 1] is how much of the work that is, None where nobody knows."""
        self.done = done
        now = self._clock()
        if now - self._shown < self.STEP and share != 1.0:
            return
        self._shown = now
        if self._bar:
            total, left = (None, "") if share is None else (1.0, "left")
            self._bar.update(self._task, total=total, completed=share or 0.0, pace=self._pace(), left=left)
        elif now - self._said >= self.EVERY:
            self._said = now
            left = f", {duration(self.seconds() * (1 / share - 1))} left" if share else ""
            print(f"{self._title}: {self._pace()}{left}", file=sys.stderr, flush=True)

    def say(self, line: str) -> None:
        """Write a line to standard error, above the bar."""
        if self._bar:
            self._bar.console.print(line, markup=False, highlight=False, soft_wrap=True)
        else:
            print(line, file=sys.stderr)

    def _pace(self) -> str:
        return f"{counted(self.done)} {self._unit}, {counted(round(self.rate()))} a second"


def counted(number: int) -> str:
    """Return a number in groups of three digits, parted by blanks."""
    return f"{number:,}".replace(",", " ")


def duration(seconds: float) -> str:
    """Return seconds as `0.3 s`, `48 s`, `3 min 20 s` or `2 h 05 min`."""
    whole = round(seconds)
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"
