"""Metrics of rankings, by the names and to the digits of trec_eval: through ir_measures (the extra `eval`).

Means are over all judged queries, and one for which nothing was found counts 0 (`trec_eval -c`). What is measured is the
order of a ranking; scores that are equal or near have been ordered before. Left out: files (`trec`), intervals of
differences (`bootstrap`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from groundwire._optional import require
from groundwire.errors import InputError, UnknownName
from groundwire.evals.bootstrap import Bootstrap, Figure

METRICS = ("map", "ndcg_cut_10", "recip_rank", "recall_100", "recall_1000", "P_10", "P_30")
"""What is measured when nobody asks for other metrics."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Metrics by their names, in [0, 1]: the value of each judged query, in the order of the judgements."""

    by_query: Mapping[str, Mapping[str, float]]
    queries: tuple[str, ...]

    @property
    def means(self) -> dict[str, float]:
        """Return each metric's mean over the queries."""
        return {name: sum(values.values()) / len(values) for name, values in self.by_query.items()}

    def figures(self, bootstrap: Bootstrap | None = None) -> dict[str, Figure]:
        """Return each metric's mean with its interval, resampling queries."""
        resampled = bootstrap or Bootstrap()
        return {name: resampled.mean([values[q] for q in self.queries]) for name, values in self.by_query.items()}


def known(metrics: Sequence[str]) -> None:
    """Raise MissingExtra without ir_measures, UnknownName for a metric that it has not."""
    library = require("ir_measures", "eval")
    for name in metrics:
        _measure(library, name, 1)


def measure(
    run: Mapping[str, Sequence[str]],
    judgements: Mapping[str, Mapping[str, int]],
    metrics: Sequence[str] = METRICS,
    *,
    level: int = 1,
) -> Measured:
    """Measure rankings: of each query, passage ids, best first, none twice.

    `metrics` are trec_eval's names (`map`, `ndcg_cut_10`, `recip_rank`, `recall_100`, `P_30`). `level` is the least grade
    that counts as relevant (2 is usual for TREC Deep Learning); nDCG takes grades as they are. Raises MissingExtra without
    ir_measures, UnknownName for a metric, InputError when none of the run's queries is judged.
    """
    library = require("ir_measures", "eval")
    measures = {_measure(library, name, level): name for name in metrics}
    if not any(query in judgements for query in run):
        raise InputError("no query of the run is judged", "the ids of queries and judgements must be the same")
    # trec_eval reads scores alone, so the order becomes one.
    scored = {query: {passage: -float(rank) for rank, passage in enumerate(ranked)} for query, ranked in run.items()}
    graded = {query: dict(grades) for query, grades in judgements.items()}
    found: dict[str, dict[str, float]] = {name: {} for name in metrics}
    for value in library.iter_calc(list(measures), graded, scored):
        found[measures[value.measure]][value.query_id] = float(value.value)
    queries = tuple(graded)
    return Measured(by_query={name: {q: of[q] for q in queries} for name, of in found.items()}, queries=queries)


def _measure(library: Any, name: str, level: int) -> Any:
    """Return the measure of a name at a level of relevance."""
    try:
        (measure,) = library.parse_trec_measure(name)
    except (ValueError, NameError) as error:
        raise UnknownName("metric", name, METRICS) from error
    return measure(rel=level) if level != 1 and "rel" in measure.SUPPORTED_PARAMS else measure
