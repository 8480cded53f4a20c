"""Tables of a paper's own layout, with three numbers a cell: the paper's, ours, and the difference with its interval.

The paper's rows are not published, only its counts and figures; so a difference has the sampling error of our rows alone, by
bootstrap, and the paper's number is a constant. What is not measured here says why in its place.

Left out: drawing on a terminal (`groundwire.cli`), LaTeX.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from groundwire.evals.bootstrap import Bootstrap, Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """`count` of `n` rows."""

    count: int
    n: int

    @property
    def share(self) -> float | None:
        """Return the share in [0, 1], None of nothing."""
        return self.count / self.n if self.n else None

    def text(self, *, share: bool, percent: bool = False) -> str:
        """Return `37`, as a share `.860`, or as a count with its percent `37 (86.0)`."""
        if percent:
            return "–" if self.share is None else f"{self.count} ({100 * self.share:.1f})"
        if not share:
            return str(self.count)
        return "–" if self.share is None else decimal(self.share)

    def to_dict(self) -> list[int]:
        """Return `[count, n]`."""
        return [self.count, self.n]


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """A figure of `n` rows that is no share of them, such as an AUC. Without one `why` says why: `absent`, `one class`.

    The paper's has no interval and no `n` (0).
    """

    figure: Figure
    n: int = 0
    why: str = "–"

    def text(self, *, share: bool, percent: bool = False) -> str:
        """Return `.763`, or why there is none; a figure is printed in one way only."""
        del share, percent
        return self.why if self.figure.value is None else decimal(self.figure.value)

    def to_dict(self) -> dict[str, Any]:
        """Return `{"value", "low", "high", "n"}`, and `why` where there is no value."""
        told = {**self.figure.to_dict(), "n": self.n}
        return told if self.figure.value is not None else {**told, "why": self.why}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A cell. `difference` is our share or figure less the paper's, in [-1, 1]; None where either is missing.

    `gap` is the difference of two counts that have no error, such as the rows of a data set.
    """

    paper: Tally | Level | None
    ours: Tally | Level
    difference: Figure | None = None
    gap: int | None = None

    @property
    def apart(self) -> str:
        """Return the difference as it is printed."""
        return difference(self.difference) if self.gap is None else _whole(self.gap)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values: counts as `[count, n]`, figures with their interval."""
        return {
            "paper": None if self.paper is None else self.paper.to_dict(),
            "ours": self.ours.to_dict(),
            "difference": self.gap if self.difference is None else self.difference.to_dict(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A system's or data set's cells, one a column. `used` says what it really was: recipe, LLM, models, rows."""

    title: str
    used: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The rows under one head: a data set as one judge sees it. `paper` and `ours` are the judges of the two numbers.

    `paper` is None where the paper has no numbers; a stand-in is only ever named in `ours`, which is empty where nobody
    judges (rows are counted).
    """

    title: str
    paper: str | None
    ours: str
    rows: tuple[Row, ...]

    @property
    def head(self) -> str:
        """Return the title with who judged what."""
        if not self.ours:
            return self.title
        if self.paper is None or self.paper == self.ours:
            return f"{self.title}, judged by {self.ours}"
        return f"{self.title}, the paper's judged by {self.paper}, ours by {self.ours}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of the paper; `notes` stand below it.

    `shares` are the columns that are printed as shares, `percents` those that are counts with their percent behind them.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    groups: tuple[Group, ...]
    shares: frozenset[str] = frozenset()
    percents: frozenset[str] = frozenset()
    notes: tuple[str, ...] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values. A cell's `printed` is how it reads: the paper's, ours, the difference."""
        told = {"name": self.name, "title": self.title, "columns": list(self.columns)}
        return {**told, "groups": [self._group(group) for group in self.groups], "notes": list(self.notes)}

    def texts(self, row: Row) -> Iterator[tuple[str, str, str]]:
        """Yield each cell of a row as (paper, ours, difference)."""
        for column, cell in zip(self.columns, row.cells, strict=True):
            share, percent = column in self.shares, column in self.percents
            paper = "–" if cell.paper is None else cell.paper.text(share=share, percent=percent)
            yield paper, cell.ours.text(share=share, percent=percent), cell.apart

    def markdown(self) -> str:
        """Return the table in Markdown, a head of its own for each group, and its notes."""
        lines = [f"### {self.name}: {self.title}"]
        heads = [f"{c} {what}" for c in self.columns for what in ("paper", "ours", "difference [95 %]")]
        for group in self.groups:
            said = ["ours is"] if any(row.used for row in group.rows) else []
            lines += ["", f"**{group.head}**", ""]
            lines += [_line(["", *heads, *said]), _line(["---"] * (len(heads) + 1 + len(said)))]
            for row in group.rows:
                texts = (text for cell in self.texts(row) for text in cell)
                lines.append(_line([row.title, *texts, *([row.used] if said else [])]))
        lines += ["", *(f"- {note}" for note in self.notes)]
        return "\n".join(lines).rstrip() + "\n"

    def _group(self, group: Group) -> dict[str, Any]:
        judge = {"paper": group.paper, "ours": group.ours}
        return {
            "title": group.title,
            "head": group.head,
            "judge": judge,
            "rows": [self._row(row) for row in group.rows],
        }

    def _row(self, row: Row) -> dict[str, Any]:
        cells = zip(self.columns, row.cells, self.texts(row), strict=True)
        told = {column: cell.to_dict() | {"printed": list(texts)} for column, cell, texts in cells}
        return {"system": row.title, "used": row.used, **told}


def compared(hits: Sequence[bool], paper: Tally | None, bootstrap: Bootstrap) -> Cell:
    """Count the rows that are hits, and set the count beside the paper's."""
    ours = Tally(count=sum(hits), n=len(hits))
    if paper is None or not hits or paper.share is None:
        return Cell(paper=paper, ours=ours)
    at = paper.share
    return Cell(paper=paper, ours=ours, difference=bootstrap.mean([float(hit) - at for hit in hits]))


def levelled(ours: Level, paper: float | None) -> Cell:
    """Set a figure of ours beside the paper's."""
    beside = None if paper is None else Level(figure=Figure(paper))
    value, low, high = ours.figure.value, ours.figure.low, ours.figure.high
    if paper is None or value is None:
        return Cell(paper=beside, ours=ours)
    ends = (None, None) if low is None or high is None else (low - paper, high - paper)
    return Cell(paper=beside, ours=ours, difference=Figure(value - paper, *ends))


def counted(ours: int, paper: int) -> Cell:
    """Set a count of ours that has no sampling error beside the paper's."""
    return Cell(paper=Tally(count=paper, n=paper), ours=Tally(count=ours, n=ours), gap=ours - paper)


def decimal(value: float) -> str:
    """Return a share as the paper prints it: `.860`, `1.000`."""
    text = f"{value:.3f}"
    return text[1:] if text.startswith("0") else text


def difference(figure: Figure | None) -> str:
    """Return a difference of shares in hundredths with its interval: `+12 [−3, +25]`; a dash where there is none."""
    if figure is None or figure.value is None:
        return "–"
    if figure.low is None or figure.high is None:
        return _signed(figure.value)
    return f"{_signed(figure.value)} [{_signed(figure.low)}, {_signed(figure.high)}]"


def _signed(value: float) -> str:
    return _whole(round(100 * value))


def _whole(count: int) -> str:
    return f"{count:+d}".replace("-", "−") if count else "0"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
