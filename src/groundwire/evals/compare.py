"""Two runs compared: paired bootstrap differences over the rows that both have, as a whole and by slice, worst first.

A pair is a row of the same data set, id and content that both scored. A difference whose interval holds 0 has not been shown;
with many slices some intervals leave 0 out by chance, one in twenty of those without any difference, and that is said.
Where one of them could not check all rows, coverage is compared too: who gives up on hard rows is not better.

Left out: significance tests, and who is right where gold itself is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from groundwire.errors import InputError
from groundwire.evals.bootstrap import Bootstrap, Figure
from groundwire.evals.metrics import Metric, Rows
from groundwire.evals.runs.measuring import SLICED, Cell, groups_of
from groundwire.evals.runs.rows import ScoredRow

ALL = ""
"""The slice that is the whole data set."""
MOST_ROWS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """B less A of one metric on one slice (`ALL`: the whole set) of a data set. `n` is the rows in pairs."""

    data: str
    slice: str
    metric: str
    one: float | None
    other: float | None
    difference: Figure
    n: int

    @property
    def verdict(self) -> str:
        """Return `worse` or `better` where the interval of the difference leaves 0 out, `undefined`, or `not shown`."""
        low, high = self.difference.low, self.difference.high
        if self.difference.value is None or low is None or high is None:
            return "undefined"
        return "worse" if high < 0 else "better" if low > 0 else "not shown"

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values."""
        return {
            "data": self.data,
            "slice": self.slice or None,
            "metric": self.metric,
            "a": self.one,
            "b": self.other,
            "difference": {**self.difference.to_dict(), "n": self.n},
            "verdict": self.verdict,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A row on which B is more wrong than A by `loss`, the distance that its score moved away from gold, in (0, 1]."""

    data: str
    id: str
    supported: bool
    one: float
    other: float

    @property
    def loss(self) -> float:
        """Return how far the score moved away from gold."""
        return self.one - self.other if self.supported else self.other - self.one

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values."""
        return {"data": self.data, "id": self.id, "supported": self.supported, "a": self.one, "b": self.other}


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What two runs differ in: differences with the worst first, rows that lost most, and how many rows had no partner."""

    one: str
    other: str
    differences: tuple[Difference, ...]
    rows: tuple[Changed, ...]
    unpaired: Mapping[str, int]

    @property
    def worse(self) -> bool:
        """True where any metric of a whole data set or of a slice is worse by more than its interval."""
        return any(found.verdict == "worse" for found in self.differences)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values."""
        return {
            "a": self.one,
            "b": self.other,
            "worse": self.worse,
            "differences": [found.to_dict() for found in self.differences],
            "rows": [row.to_dict() for row in self.rows],
            "unpaired": dict(self.unpaired),
        }


def compare(
    one: Sequence[Cell], other: Sequence[Cell], bootstrap: Bootstrap, metrics: Mapping[str, Metric] = SLICED
) -> Comparison:
    """Compare the cells of one checker in run A with those of one in run B, data set by data set.

    Raises InputError where they share no data set, or no row of one.
    """
    theirs = {cell.data: cell for cell in other}
    shared = [(cell, theirs[cell.data]) for cell in one if cell.data in theirs]
    if not one or not other or not shared:
        raise InputError("the two runs share no data set", "compare runs over the same data, under the same names")
    differences: list[Difference] = []
    rows: list[Changed] = []
    unpaired: dict[str, int] = {}
    for a, b in shared:
        pairs = _pairs(a.rows, b.rows)
        unpaired[a.data] = len(a.rows) + len(a.unscored) + len(b.rows) + len(b.unscored) - 2 * len(pairs)
        if not pairs:
            raise InputError(f"the two runs share no scored row of {a.data}", "are ids and texts the same in both?")
        slices = sorted({x.slice for x, _ in pairs if x.slice is not None})
        for name in (ALL, *(slices if len(slices) > 1 else ())):
            part = [pair for pair in pairs if name == ALL or pair[0].slice == name]
            differences += _differences(a, b, name, part, bootstrap, metrics)
            differences += _coverage(a, b, name, bootstrap)
        rows += [_changed(a.data, x, y) for x, y in pairs]
    rows = sorted((row for row in rows if row.loss > 0), key=lambda row: -row.loss)[:MOST_ROWS]
    ranked = sorted(differences, key=_badness)
    return Comparison(
        one=one[0].checker, other=other[0].checker, differences=tuple(ranked), rows=tuple(rows), unpaired=unpaired
    )


def _pairs(ours: Sequence[ScoredRow], others: Sequence[ScoredRow]) -> list[tuple[ScoredRow, ScoredRow]]:
    theirs = {(row.id, row.digest): row for row in others}
    return [(row, theirs[row.id, row.digest]) for row in ours if (row.id, row.digest) in theirs]


def _coverage(a: Cell, b: Cell, name: str, bootstrap: Bootstrap) -> list[Difference]:
    """Compare the share of the rows of both that each could check; nothing where both checked all."""
    if not a.unscored and not b.unscored:
        return []
    pairs = _pairs([*a.rows, *a.unscored], [*b.rows, *b.unscored])
    pairs = [pair for pair in pairs if name == ALL or pair[0].slice == name]
    first, second = ([float(row.score is not None) for row in rows] for rows in zip(*pairs, strict=True))
    moved = [y - x for x, y in zip(first, second, strict=True)]
    return [
        Difference(
            data=a.data,
            slice=name,
            metric="coverage",
            one=sum(first) / len(pairs),
            other=sum(second) / len(pairs),
            difference=bootstrap.mean(moved, groups_of([x for x, _ in pairs])),
            n=len(pairs),
        )
    ]


def _differences(
    a: Cell,
    b: Cell,
    name: str,
    pairs: Sequence[tuple[ScoredRow, ScoredRow]],
    bootstrap: Bootstrap,
    metrics: Mapping[str, Metric],
) -> list[Difference]:
    labels = [x.supported for x, _ in pairs]
    first = Rows.of(labels, [x.score or 0.0 for x, _ in pairs], a.threshold)
    second = Rows.of(labels, [y.score or 0.0 for _, y in pairs], b.threshold)
    groups = groups_of([x for x, _ in pairs])
    found = []
    for title, metric in metrics.items():
        gone = bootstrap.paired_difference(metric, second, first, groups)
        own = [float(metric(rows, rows.ones())[0]) if gone.value is not None else None for rows in (first, second)]
        found.append(
            Difference(data=a.data, slice=name, metric=title, one=own[0], other=own[1], difference=gone, n=len(pairs))
        )
    return found


def _badness(found: Difference) -> tuple[int, float]:
    order = ("worse", "not shown", "better", "undefined")
    return order.index(found.verdict), found.difference.value or 0.0


def _changed(data: str, x: ScoredRow, y: ScoredRow) -> Changed:
    return Changed(data=data, id=x.id, supported=x.supported, one=x.score or 0.0, other=y.score or 0.0)
