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
from typing import Any, TypeVar

from groundwire.cases import BATCH_ROWS, batches
from groundwire.errors import InputError
from groundwire.evals.bootstrap import Bootstrap, Figure
from groundwire.evals.metrics import METRICS, Rows
from groundwire.evals.spans import Marked, compare, known, marked_by
from groundwire.evals.spans import figures as span_figures
from groundwire.protocols import Checker
from groundwire.types import Case, Label, Verdict

T = TypeVar("T")

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
    class. `spans` are precision, recall and F1 of the words marked as not backed, over the `n_spans` checked rows whose
    gold spans are known (they have some, or are supported); empty where no row has any. `seconds` is the time inside
    the checker; `pairs` counts judged (evidence, claim) pairs.
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
    spans: dict[str, Figure] = field(default_factory=dict)
    n_spans: int = 0

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
            **({"spans": {"n": self.n_spans, **_plain(self.spans)}} if self.spans else {}),
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
    tally = _Tally()
    for chunk in batches(sample(labelled(cases), limit, seed), rows=batch):
        start = time.perf_counter()
        verdicts = checker.check(chunk)
        tally.add(verdicts, time.perf_counter() - start)
        if progress:
            progress(len(chunk))
    bootstrap = Bootstrap(resamples=resamples, seed=seed)
    return Report(
        recipe=checker.name,
        model=tally.model,
        threshold=checker.threshold,
        n=tally.n,
        n_not_checkable=tally.n - len(tally.rows),
        figures=_figures(tally.rows, checker.threshold, bootstrap),
        seconds=tally.seconds,
        pairs=tally.pairs,
        resamples=resamples,
        seed=seed,
        reasons=dict(sorted(tally.reasons.items())),
        rows=tuple(tally.rows),
        spans=_span_figures(tally.marked, bootstrap),
        n_spans=len(tally.marked),
    )


def labelled(cases: Iterable[Case]) -> Iterator[Case]:
    """Pass on cases whose gold label says supported or not. Raises InputError at the first that does not."""
    for case in cases:
        if case.label is None or case.label is Label.NOT_CHECKABLE:
            raise InputError(f"row {case.id!r} has no label", "an evaluation needs a label (1 or 0) on every row")
        yield case


def sample(cases: Iterable[T], limit: int | None, seed: int) -> Iterator[T]:
    """Yield all cases, or a uniform random sample of `limit` of them in their order (reservoir; Vitter 1985, R)."""
    if limit is None:
        yield from cases
        return
    rng = random.Random(seed)  # noqa: S311 - a sample, not a secret
    kept: list[tuple[int, T]] = []
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


def _plain(figures: dict[str, Figure]) -> dict[str, Any]:
    return {name: figure.to_dict() for name, figure in figures.items()}


@dataclass(slots=True)
class _Tally:
    """What is kept of the verdicts while the cases stream through."""

    rows: list[Scored] = field(default_factory=list)
    marked: list[Marked] = field(default_factory=list)
    reasons: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    pairs: int = 0
    n: int = 0
    model: str | None = None

    def add(self, verdicts: list[Verdict], seconds: float) -> None:
        """Count the verdicts of one batch, which took so long."""
        self.seconds += seconds
        self.n += len(verdicts)
        trace = next((v.trace for v in verdicts if v.trace), None)
        if trace:
            self.model = trace.model
            self.pairs += sum(stage.items for stage in trace.stages if stage.name == PAIR_STAGE)
        for verdict in verdicts:
            self._record(verdict)

    def _record(self, verdict: Verdict) -> None:
        case = verdict.case
        if verdict.score is None:
            reason = verdict.reason or "no reason given"
            self.reasons[reason] = self.reasons.get(reason, 0) + 1
            return
        supported = case.label is Label.SUPPORTED
        self.rows.append(Scored(id=case.id, supported=supported, score=verdict.score, group=case.group))
        if known(case):
            self.marked.append(compare(case, marked_by(verdict)))


def _figures(rows: list[Scored], threshold: float, bootstrap: Bootstrap) -> dict[str, Figure]:
    ranked = Rows.of([row.supported for row in rows], [row.score for row in rows], threshold)
    return bootstrap.figures(dict(METRICS), ranked, groups_of(rows))


def _span_figures(marked: list[Marked], bootstrap: Bootstrap) -> dict[str, Figure]:
    """Measure the marked words, where gold marks any at all: data without spans say nothing of them."""
    return span_figures(marked, bootstrap) if any(any(row.gold) for row in marked) else {}
