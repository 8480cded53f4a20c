"""The whole evaluation, from answers to tables.

Left out: files (`folder`), opening an index or an endpoint, drawing on a terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from groundwire.evals.bootstrap import Bootstrap
from groundwire.evals.papers.huo2023 import people
from groundwire.evals.papers.huo2023.answering import Answered
from groundwire.evals.papers.huo2023.judging import judge
from groundwire.evals.papers.huo2023.people import Views
from groundwire.evals.papers.huo2023.published import LLM
from groundwire.evals.papers.huo2023.systems import System
from groundwire.evals.papers.huo2023.tables import Found, tables
from groundwire.evals.papers.table import Table
from groundwire.ledger import Ledger


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What came out. `items` are what people may judge."""

    answers: Sequence[Answered]
    views: Views
    systems: Sequence[System]
    items: Sequence[Mapping[str, Any]]
    tables: tuple[Table, ...]
    quick: bool = False

    @property
    def failed(self) -> int:
        """Return how many labels are missing because calls failed."""
        return sum((view.reason or "").startswith("error") for views in self.views.values() for view in views)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values, for metrics.json."""
        return {
            "paper": "huo2023",
            "quick": self.quick,
            "n": len(self.answers),
            "systems": [{"name": s.title, "used": s.used, "judge": s.judge, "wanted": LLM} for s in self.systems],
            "failed": self.failed,
            "items": len(self.items),
            "tables": [table.to_dict() for table in self.tables],
        }


def run(
    answers: Sequence[Answered],
    systems: Sequence[System],
    ledger: Ledger,
    draw: Bootstrap,
    *,
    judged: Mapping[str, str] | None = None,
    passages: int | None = None,
    quick: bool = False,
    progress: Callable[[int], None] = lambda _: None,
) -> Result:
    """Judge every answer by every pipeline, draw what people may judge, and set the counts beside the paper's."""
    views = {system.title: judge(system, answers, ledger, progress=progress) for system in systems}
    drawn = people.items(answers, views, seed=draw.seed)
    found = Found(
        answers=answers,
        views=views,
        systems=systems,
        draw=draw,
        passages=passages,
        drawn=drawn,
        judged=judged,
        quick=quick,
    )
    return Result(answers=answers, views=views, systems=systems, items=drawn, tables=tables(found), quick=quick)
