"""The worst errors of a cell, with their texts, for people to read: most certain and wrong first, both kinds in turn.

Left out: how they look, and evidence sentence by sentence (`groundwire check` on such a row shows it).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from groundwire.evals.runs.measuring import Cell
from groundwire.evals.runs.reading import Looked, Opened
from groundwire.evals.runs.rows import ScoredRow
from groundwire.types import Case

EACH = 5
"""Errors of each kind that a cell shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """A row on the wrong side of the threshold, with its case."""

    row: ScoredRow
    case: Case


def worst(cells: Sequence[Cell], looked: Looked, opened: Opened) -> dict[str, list[Mistake]]:
    """Return the worst errors of each checker on one data set, which is read once more for the texts."""
    chosen = {cell.checker: _chosen(cell) for cell in cells}
    wanted = {row.id for rows in chosen.values() for row in rows}
    texts = {case.id: case for case, _ in looked.cases(opened) if case.id in wanted} if wanted else {}
    return {
        checker: [Mistake(row=row, case=texts[row.id]) for row in rows if row.id in texts]
        for checker, rows in chosen.items()
    }


def _chosen(cell: Cell) -> list[ScoredRow]:
    """Return misses (accepted, not supported) and false alarms in turn, those furthest from the threshold first."""

    def distance(row: ScoredRow) -> float:
        return -abs((row.score or 0.0) - cell.threshold)

    wrong = [row for row in cell.rows if ((row.score or 0.0) >= cell.threshold) is not row.supported]
    kinds = [sorted((row for row in wrong if row.supported is kind), key=distance)[:EACH] for kind in (False, True)]
    return [row for pair in zip_longest(*kinds) for row in pair if row is not None]
