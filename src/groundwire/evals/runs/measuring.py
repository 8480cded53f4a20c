"""Measures the rows of a run: for each data set and checker, and for each slice, every figure with n and an interval.

A threshold is tuned on another set than it is reported on, and on no row that the two share. What is undefined (one class,
nothing timed) is None, and a note says why. Left out: the metrics themselves (`groundwire.evals.metrics`).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groundwire.errors import InputError
from groundwire.evals import metrics
from groundwire.evals.bootstrap import Bootstrap, Figure, ratio
from groundwire.evals.metrics import Metric, Rows
from groundwire.evals.runs.rows import Batch, ScoredRow

HALF = 0.5
LABELLED: Mapping[str, Metric] = {
    **metrics.METRICS,
    **metrics.PROBABILITY_METRICS,
    "accuracy": metrics.weighted_accuracy,
    "accuracy_best_optimistic": metrics.weighted_best_accuracy,
    "recall_supported": metrics.weighted_recall_supported,
    "recall_hallucinated": metrics.weighted_recall_hallucinated,
}
"""What is measured of labels and scores, at the checker's own threshold where one is needed."""
SLICED: Mapping[str, Metric] = {
    name: LABELLED[name] for name in ("auc", "average_precision", "balanced_accuracy", "f1", "accuracy")
}
"""What is measured of every slice."""


UNTIMED = "the time of an answer is not measured: no row was checked alone with no score kept from before"
"""What is said of a cell whose pairs others of the grid, or an earlier run, had scored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A figure and the number of rows (or batches) that it was measured on."""

    figure: Figure
    n: int

    def to_dict(self) -> dict[str, float | int | None]:
        """Return `{"value", "low", "high", "n"}`."""
        return {**self.figure.to_dict(), "n": self.n}


@dataclass(slots=True)
class Cell:
    """The rows of one checker on one data set, in the ledger's order, without texts.

    `rows` are those with a score; `reasons` counts the others by why they have none.
    """

    data: str
    checker: str
    threshold: float
    rows: list[ScoredRow] = field(default_factory=list)
    unscored: list[ScoredRow] = field(default_factory=list)
    batches: list[Batch] = field(default_factory=list)

    def add(self, row: ScoredRow) -> None:
        """Take a row."""
        (self.unscored if row.score is None else self.rows).append(row)
        if row.batch is not None:
            self.batches.append(row.batch)

    @property
    def reasons(self) -> dict[str, int]:
        """Return how many rows have no score, by reason."""
        told = [row.reason or "no reason given" for row in self.unscored]
        return {reason: told.count(reason) for reason in sorted(set(told))}

    def ranked(self, threshold: float | None = None) -> Rows:
        """Return the scored rows as metrics take them, at the checker's own threshold or another."""
        return Rows.of(self.labels(), self.scores(), self.threshold if threshold is None else threshold)

    def labels(self) -> NDArray[np.bool_]:
        """Return which scored rows are supported by their gold label: [n]."""
        return np.array([row.supported for row in self.rows], dtype=bool)

    def scores(self) -> NDArray[np.float64]:
        """Return the scores: [n]."""
        return np.array([row.score for row in self.rows], dtype=np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuned:
    """A threshold, and the other data set that it was tuned on."""

    on: str
    threshold: float


def measure(cell: Cell, bootstrap: Bootstrap, tuned: Tuned | None = None) -> dict[str, Any]:
    """Measure a cell; JSON values."""
    groups = groups_of(cell.rows)
    ranked = cell.ranked()
    n = len(cell.rows)
    found = {name: Measured(figure=f, n=n) for name, f in bootstrap.figures(dict(LABELLED), ranked, groups).items()}
    found["accuracy_at_half"] = _accuracy_at(cell, HALF, bootstrap, groups)
    if tuned is not None:
        found["accuracy_tuned"] = _accuracy_at(cell, tuned.threshold, bootstrap, groups)
    found |= _words(cell, bootstrap) | _hits(cell, bootstrap) | {"coverage": _coverage(cell, bootstrap)}
    found |= _costs(cell, bootstrap)
    return {
        "data": cell.data,
        "checker": cell.checker,
        "threshold": cell.threshold,
        "tuned": None if tuned is None else {"on": tuned.on, "threshold": tuned.threshold},
        "n": n + len(cell.unscored),
        "n_scored": n,
        "n_supported": int(ranked.positive.sum()),
        "not_checkable": cell.reasons,
        "figures": {name: one.to_dict() for name, one in found.items()},
        "slices": _slices(cell, bootstrap),
        "notes": notes_of(cell),
        "timing": None if _timed(cell) else UNTIMED,
    }


def tune(cell: Cell, others: Sequence[Cell]) -> Tuned | None:
    """Choose the threshold of the best accuracy on a cell, for others of the same checker; None where it has no scored row.

    Raises InputError when one of the others holds a row of the cell: such rows may not be reported on.
    """
    own = {row.digest for row in (*cell.rows, *cell.unscored)}
    for other in others:
        shared = sum(row.digest in own for row in (*other.rows, *other.unscored))
        if shared:
            told = f"{shared} rows of {other.data} are in {cell.data} too, on which the threshold is tuned"
            raise InputError(told, "tune on rows that are not reported on")
    threshold = metrics.best_threshold(cell.ranked())
    return None if threshold is None else Tuned(on=cell.data, threshold=threshold)


def groups_of(rows: Sequence[ScoredRow]) -> list[Hashable] | None:
    """Return what each row is resampled with: its group, or itself; None where no row has a group."""
    if all(row.group is None for row in rows):
        return None
    return [f"row {n}" if row.group is None else f"group {row.group}" for n, row in enumerate(rows)]


def notes_of(cell: Cell) -> list[str]:
    """Say what is undefined in a cell, and why."""
    notes = []
    positive = sum(row.supported for row in cell.rows)
    if not cell.rows:
        notes.append("nothing is measured: no row could be checked")
    elif positive in (0, len(cell.rows)):
        kind = "supported" if positive else "not supported"
        notes.append(f"AUC is undefined: all {len(cell.rows)} scored rows are {kind}, and a ranking needs both classes")
    return notes


def _accuracy_at(cell: Cell, at: float, bootstrap: Bootstrap, groups: Sequence[Hashable] | None) -> Measured:
    return Measured(figure=bootstrap.figure(metrics.weighted_accuracy, cell.ranked(at), groups), n=len(cell.rows))


def _words(cell: Cell, bootstrap: Bootstrap) -> dict[str, Measured]:
    """Measure the marked words where gold marks any at all."""
    rows = [row for row in cell.rows if row.words is not None]
    counts = np.array([row.words for row in rows], dtype=np.float64).reshape(len(rows), 3)
    if not counts.size or not (counts[:, 0] + counts[:, 2]).any():
        return {}
    both, found, gold = counts[:, 0], counts[:, 0] + counts[:, 1], counts[:, 0] + counts[:, 2]
    columns = {"span_precision": (both, found), "span_recall": (both, gold), "span_f1": (2 * both, found + gold)}
    groups = groups_of(rows)
    return {
        name: Measured(figure=bootstrap.sums(np.stack(pair, axis=1), ratio, groups), n=len(rows))
        for name, pair in columns.items()
    }


def _hits(cell: Cell, bootstrap: Bootstrap) -> dict[str, Measured]:
    rows = [row for row in cell.rows if row.hit is not None]
    if not rows:
        return {}
    figure = bootstrap.mean([float(bool(row.hit)) for row in rows], groups_of(rows))
    return {"evidence_hit_rate": Measured(figure=figure, n=len(rows))}


def _coverage(cell: Cell, bootstrap: Bootstrap) -> Measured:
    rows = [*cell.rows, *cell.unscored]
    figure = bootstrap.mean([float(row.score is not None) for row in rows], groups_of(rows)) if rows else Figure(None)
    return Measured(figure=figure, n=len(rows))


def _timed(cell: Cell) -> list[float]:
    """Return the seconds of rows that were checked alone, with no score there before."""
    return [batch.seconds for batch in cell.batches if batch.rows == 1 and not batch.reused]


def _costs(cell: Cell, bootstrap: Bootstrap) -> dict[str, Measured]:
    timed = _timed(cell)
    found = {
        name: Measured(figure=bootstrap.quantile(timed, share), n=len(timed))
        for name, share in (("latency_p50_seconds", 0.5), ("latency_p95_seconds", 0.95))
    }
    paced = [(b.fresh if b.kept else b.pairs, b.seconds) for b in cell.batches if not b.reused]
    working = [each for each in paced if each[0]]
    found["pairs_per_second"] = Measured(figure=bootstrap.sums(working, ratio), n=len(working))
    peak = max((batch.peak for batch in cell.batches), default=0)
    found["peak_memory_mb"] = Measured(figure=Figure(round(peak / 1e6, 1) if peak else None), n=len(cell.batches))
    return found


def _slices(cell: Cell, bootstrap: Bootstrap) -> dict[str, Any]:
    names = sorted({row.slice for row in cell.rows if row.slice is not None})
    return {name: _slice([row for row in cell.rows if row.slice == name], cell, bootstrap) for name in names}


def _slice(rows: list[ScoredRow], cell: Cell, bootstrap: Bootstrap) -> dict[str, Any]:
    part = Cell(cell.data, cell.checker, cell.threshold, rows)
    figures = bootstrap.figures(dict(SLICED), part.ranked(), groups_of(rows))
    return {name: Measured(figure=figure, n=len(rows)).to_dict() for name, figure in figures.items()}
