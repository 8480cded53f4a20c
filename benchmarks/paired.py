"""Two systems on the same rows: how far apart they are, with the interval of the paired difference."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.evals.bootstrap import Bootstrap, Figure
from groundwire.evals.metrics import Rows, weighted_auc
from groundwire.evals.run import Report, Scored
from groundwire.evals.runs import ScoredRow
from groundwire.evals.runs.measuring import groups_of

Row = Scored | ScoredRow


def auc_difference(one: Report, other: Report) -> Figure:
    """Return how far the AUC of `one` is above that of `other`, over the rows that both could score."""
    return rows_difference(one.rows, other.rows, one.seed)


def rows_difference(one: Sequence[Row], other: Sequence[Row], seed: int) -> Figure:
    """Return how far the AUC of scored rows is above that of others, over those that are in both."""
    known = {row.id: row for row in other}
    rows = [(row, known[row.id]) for row in one if row.id in known]
    ours, theirs = ([pair[i] for pair in rows] for i in (0, 1))
    bootstrap = Bootstrap(seed=seed)
    return bootstrap.paired_difference(weighted_auc, _ranked(ours), _ranked(theirs), groups_of(ours))


def _ranked(rows: Sequence[Row]) -> Rows:
    return Rows.of([row.supported for row in rows], [row.score for row in rows])
