"""The whole evaluation, from data sets to tables.

Left out: files (`folder`), reading the data folder (`data`), drawing on a terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from groundwire.evals.bootstrap import Bootstrap
from groundwire.evals.papers.provenance import published
from groundwire.evals.papers.provenance.data import DataSet
from groundwire.evals.papers.provenance.scoring import Scores, score
from groundwire.evals.papers.provenance.systems import BEST, COMBINED, GRID, LITE, System, models_of
from groundwire.evals.papers.provenance.tables import Found, gridded, tables
from groundwire.evals.papers.table import Table
from groundwire.ledger import Ledger


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What came out."""

    sets: Sequence[DataSet]
    scores: Mapping[str, Scores]
    systems: Mapping[str, System]
    tables: tuple[Table, ...]
    quick: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values, for metrics.json."""
        used = models_of(list(self.systems.values()))
        return {
            "paper": "provenance",
            "quick": self.quick,
            "sets": [_set(data) for data in self.sets],
            "systems": [system.identity() for system in self.systems.values()],
            "models": [model.to_dict() | {"stands_in": model.stands_in} for model in used],
            "tables": [table.to_dict() for table in self.tables],
        }


def wanted(data: DataSet, sets: Sequence[DataSet]) -> list[str]:
    """Return the recipes that a set's cells need."""
    found = [COMBINED] if data.name in published.AUC else []
    found += [BEST] if data.name in published.ACCURACY else []
    found += GRID if gridded(data, sets) else ()
    found += LITE.values() if data.name in published.PRELIMINARY else ()
    return list(dict.fromkeys(found))


def planned(sets: Sequence[DataSet]) -> int:
    """Return how many scores the run needs."""
    return sum(data.taken * len(wanted(data, sets)) for data in sets)


def run(
    sets: Sequence[DataSet],
    systems: Mapping[str, System],
    ledger: Ledger,
    draw: Bootstrap,
    *,
    quick: bool = False,
    progress: Callable[[int], None] = lambda _: None,
) -> Result:
    """Score every set that is there, and set the figures beside the paper's."""
    scores = {
        data.name: score(data, [systems[recipe] for recipe in wanted(data, sets)], ledger, progress=progress)
        for data in sets
        if data.path is not None
    }
    found = Found(sets=sets, scores=scores, systems=systems, draw=draw, quick=quick)
    return Result(sets=sets, scores=scores, systems=systems, tables=tables(found), quick=quick)


def _set(data: DataSet) -> dict[str, Any]:
    counts = {"hallucinated": data.hallucinated, "factual": data.factual, "without contexts": data.bare}
    whose = {"the paper's": data.exact, "scored": data.taken, "seed": data.seed}
    return {"name": data.name, "absent": data.path is None} | ({} if data.path is None else {**counts, **whose})
