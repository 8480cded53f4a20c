"""Runs a checker over labelled cases and reports how often it is right, with intervals, and what it cost.

Cases stream through in batches; what stays in memory is a label, a score and a group for each row. Rows that the
checker could not check are counted and left out of every metric: they are never scored 0.

Left out: reading files (`groundwire.cases`), drawing the report (`groundwire.cli.eval`), and choosing a threshold on
the evaluated rows, which would make every figure at that threshold a boast.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from groundwire.cases import BATCH_ROWS, batches
from groundwire.errors import InputError
from groundwire.evals.bootstrap import Bootstrap, Figure
from groundwire.evals.metrics import METRICS, Rows
from groundwire.protocols import Checker
from groundwire.types import Case, Label, Verdict

PAIR_STAGE = "entail"
"""The stage of a trace whose items are the judged (evidence, claim) pairs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """One row that was checked: its gold label (true = supported), its score in [0, 1] and what it belongs to."""

    id: str
    supported: bool
    score: float
    group: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What an evaluation found.

    `n` counts all rows, `n_not_checkable` those without a score, `n_positive` the scored rows whose gold label is
    supported. `figures` holds every metric of `groundwire.evals.metrics.METRICS`; `f1` is that of the *hallucinated*
    class. `seconds` is the time inside the checker; `pairs` counts judged (evidence, claim) pairs.
    """

    recipe: str
    model: str | None
    threshold: float
    n: int
    n_not_checkable: int
    figures: dict[str, Figure]
    seconds: float
    pairs: int
    resamples: int
    seed: int
    reasons: dict[str, int] = field(default_factory=dict)
    rows: tuple[Scored, ...] = ()

    @property
    def n_positive(self) -> int:
        """Return how many scored rows are supported by their gold label."""
        return sum(row.supported for row in self.rows)

    @property
    def one_class(self) -> bool:
        """True when the scored rows hold a single class, so that no ranking can be judged."""
        return self.n_positive in (0, len(self.rows))

    @property
    def pairs_per_second(self) -> float | None:
        """Return the judged pairs per second, or None where nothing was judged."""
        return self.pairs / self.seconds if self.pairs and self.seconds else None

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON values; figures with an interval are `{"value", "low", "high"}`."""
        return {
            "recipe": self.recipe,
            "model": self.model,
            "threshold": self.threshold,
            "n": self.n,
            "n_not_checkable": self.n_not_checkable,
            "n_positive": self.n_positive,
            "n_negative": len(self.rows) - self.n_positive,
            **{name: figure.to_dict() for name, figure in self.figures.items()},
            "seconds": self.seconds,
            "pairs": self.pairs,
            "pairs_per_second": self.pairs_per_second,
            "not_checkable": self.reasons,
            "bootstrap": {"resamples": self.resamples, "seed": self.seed, "level": 0.95},
        }


def evaluate(
    checker: Checker,
    cases: Iterable[Case],
    *,
    limit: int | None = None,
    seed: int = 0,
    batch: int = BATCH_ROWS,
    resamples: int = 1000,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Check every case, at most `batch` at a time, and measure the scores against the gold labels.

    `limit` takes a random sample of that many rows, drawn with `seed` over the whole input and kept in its order, not
    its first rows. `seed` also draws the bootstrap. `progress` is told how many more rows are done. Rows with a group
    are resampled by group. Raises InputError for a case without a gold label of supported or not.
    """
    rows: list[Scored] = []
    reasons: dict[str, int] = {}
    seconds, pairs, n, model = 0.0, 0, 0, None
    for chunk in batches(sample(labelled(cases), limit, seed), rows=batch):
        start = time.perf_counter()
        verdicts = checker.check(chunk)
        seconds += time.perf_counter() - start
        n += len(chunk)
        trace = next((v.trace for v in verdicts if v.trace), None)
        if trace:
            model = trace.model
            pairs += sum(stage.items for stage in trace.stages if stage.name == PAIR_STAGE)
        for verdict in verdicts:
            _record(verdict, rows, reasons)
        if progress:
            progress(len(chunk))
    return Report(
        recipe=checker.name,
        model=model,
        threshold=checker.threshold,
        n=n,
        n_not_checkable=n - len(rows),
        figures=_figures(rows, checker.threshold, Bootstrap(resamples=resamples, seed=seed)),
        seconds=seconds,
        pairs=pairs,
        resamples=resamples,
        seed=seed,
        reasons=dict(sorted(reasons.items())),
        rows=tuple(rows),
    )


def labelled(cases: Iterable[Case]) -> Iterator[Case]:
    """Pass on cases whose gold label says supported or not. Raises InputError at the first that does not."""
    for case in cases:
        if case.label is None or case.label is Label.NOT_CHECKABLE:
            raise InputError(f"row {case.id!r} has no label", "an evaluation needs a label (1 or 0) on every row")
        yield case


def sample(cases: Iterable[Case], limit: int | None, seed: int) -> Iterator[Case]:
    """Yield all cases, or a uniform random sample of `limit` of them in their order (reservoir; Vitter 1985, R)."""
    if limit is None:
        yield from cases
        return
    rng = random.Random(seed)  # noqa: S311 - a sample, not a secret
    kept: list[tuple[int, Case]] = []
    for position, case in enumerate(cases):
        if len(kept) < limit:
            kept.append((position, case))
        elif (place := rng.randrange(position + 1)) < limit:
            kept[place] = (position, case)
    yield from (case for _, case in sorted(kept, key=lambda item: item[0]))


def groups_of(rows: Iterable[Scored]) -> list[str] | None:
    """Return what each row is resampled with: its group, or itself; None where no row has a group."""
    listed = list(rows)
    if all(row.group is None for row in listed):
        return None
    return [f"row {i}" if row.group is None else f"group {row.group}" for i, row in enumerate(listed)]


def _record(verdict: Verdict, rows: list[Scored], reasons: dict[str, int]) -> None:
    case = verdict.case
    if verdict.score is None:
        reason = verdict.reason or "no reason given"
        reasons[reason] = reasons.get(reason, 0) + 1
        return
    supported = case.label is Label.SUPPORTED
    rows.append(Scored(id=case.id, supported=supported, score=verdict.score, group=case.group))


def _figures(rows: list[Scored], threshold: float, bootstrap: Bootstrap) -> dict[str, Figure]:
    ranked = Rows.of([row.supported for row in rows], [row.score for row in rows], threshold)
    return bootstrap.figures(dict(METRICS), ranked, groups_of(rows))
