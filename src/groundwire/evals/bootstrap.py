"""Intervals: percentile bootstrap over rows, or over groups of rows that belong together.

Source: Efron and Tibshirani, An Introduction to the Bootstrap (1993), sections 6 and 13.3. A resample is kept as the
number of times it holds each row, so a block of resamples is one matrix and a metric a few array operations on it.

Rows of one group (the summaries of one article, the sentences of one answer) are drawn together: drawn alone they would
pass for independent and make the interval too narrow.

Left out: bias-corrected intervals and tests of significance. A difference whose interval holds 0 has not been shown.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from groundwire.errors import InputError
from groundwire.evals.metrics import Metric, Rows, Weights, plain

Reading = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""Makes a figure a resample of column sums: [resamples, k] to [resamples], NaN where it is undefined."""

_BLOCK = 1_000_000
"""Cells of one matrix of resamples: 8 MB, whatever the number of rows."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value with its 95 % interval. All three are None where the metric is undefined (one class)."""

    value: float | None
    low: float | None = None
    high: float | None = None

    def to_dict(self) -> dict[str, float | None]:
        """Return `{"value", "low", "high"}`."""
        return {"value": self.value, "low": self.low, "high": self.high}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bootstrap:
    """How intervals are made: number of resamples, seed, and the share of resamples that the interval covers."""

    resamples: int = 1000
    seed: int = 0
    level: float = 0.95

    def figure(self, metric: Metric, rows: Rows, groups: Sequence[Hashable] | None = None) -> Figure:
        """Measure `metric` with its interval. `groups` names, row by row in input order, what is drawn together."""
        return self.figures({"": metric}, rows, groups)[""]

    def figures(
        self, metrics: dict[str, Metric], rows: Rows, groups: Sequence[Hashable] | None = None
    ) -> dict[str, Figure]:
        """Measure several metrics on the same resamples."""
        draws: dict[str, list[NDArray[np.float64]]] = {name: [] for name in metrics}
        for weights in self._weights(rows.positive.size, groups):
            ranked = weights[:, rows.order]
            for name, metric in metrics.items():
                draws[name].append(metric(rows, ranked))
        return {name: self._interval(plain(metric, rows), draws[name]) for name, metric in metrics.items()}

    def paired_difference(
        self, metric: Metric, one: Rows, other: Rows, groups: Sequence[Hashable] | None = None
    ) -> Figure:
        """Measure `metric(one) - metric(other)`, two sets of scores over the same rows, on the same resamples."""
        if one.positive.size != other.positive.size:
            raise InputError("a paired difference needs two scores a row", "drop the rows that lack either")
        a, b = plain(metric, one), plain(metric, other)
        draws = [
            metric(one, weights[:, one.order]) - metric(other, weights[:, other.order])
            for weights in self._weights(one.positive.size, groups)
        ]
        return self._interval(None if a is None or b is None else a - b, draws)

    def mean(self, values: Sequence[float], groups: Sequence[Hashable] | None = None) -> Figure:
        """Measure the mean of `values`, one a query or an answer; of paired differences this is the paired interval."""
        column = np.asarray(values, dtype=np.float64)
        draws = [weights @ column / weights.sum(axis=1) for weights in self._weights(column.size, groups)]
        return self._interval(float(column.mean()) if column.size else None, draws)

    def sums(self, columns: ArrayLike, reading: Reading, groups: Sequence[Hashable] | None = None) -> Figure:
        """Measure what `reading` makes of the column sums of n rows [n, k]; a ratio of counts, for one.

        `reading` is given [resamples, k] and returns [resamples], NaN where it is undefined.
        """
        table = np.asarray(columns, dtype=np.float64)
        if not table.size:
            return Figure(None)
        draws = [reading(weights @ table) for weights in self._weights(len(table), groups)]
        value = float(reading(table.sum(axis=0, keepdims=True))[0])
        return self._interval(None if math.isnan(value) else value, draws)

    def quantile(self, values: Sequence[float], share: float, groups: Sequence[Hashable] | None = None) -> Figure:
        """Measure a quantile: the least of the values that at least `share` of the rows do not exceed."""
        column = np.asarray(values, dtype=np.float64)
        if not column.size:
            return Figure(None)
        order = np.argsort(column, kind="stable")
        ranked = column[order]
        draws = [ranked[_reached(weights[:, order], share)] for weights in self._weights(column.size, groups)]
        return self._interval(float(ranked[_reached(np.ones((1, column.size)), share)][0]), draws)

    def _weights(self, n: int, groups: Sequence[Hashable] | None) -> Iterator[Weights]:
        """Yield blocks [resamples, n] of how often each resample holds each row, in input order."""
        if n == 0:
            return
        member = np.arange(n) if groups is None else _numbered(groups, n)
        units = int(member.max()) + 1
        rng = np.random.default_rng(self.seed)
        step = max(1, _BLOCK // n)
        for start in range(0, self.resamples, step):
            count = min(step, self.resamples - start)
            drawn = rng.integers(units, size=(count, units)) + np.arange(count)[:, None] * units
            counts = np.bincount(drawn.reshape(-1), minlength=count * units).reshape(count, units)
            yield counts[:, member].astype(np.float64)

    def _interval(self, value: float | None, draws: list[NDArray[np.float64]]) -> Figure:
        """Take the percentiles of the resamples that hold both classes."""
        if value is None:
            return Figure(None)
        defined = np.concatenate(draws)
        defined = defined[~np.isnan(defined)]
        if not defined.size:
            return Figure(value)
        tail = (1 - self.level) / 2
        low, high = (float(x) for x in np.quantile(defined, (tail, 1 - tail)))
        return Figure(value, low, high)


def ratio(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the first column over the second, NaN where that is 0: a reading of column sums."""
    quotient = np.full(len(sums), np.nan)
    np.divide(sums[:, 0], sums[:, 1], out=quotient, where=sums[:, 1] > 0)
    return quotient


def _reached(weights: Weights, share: float) -> NDArray[np.intp]:
    """Return the first column at which each resample's weights reach this share of their sum."""
    wanted = share * weights.sum(axis=1, keepdims=True) - 1e-9
    reached: NDArray[np.intp] = np.argmax(np.cumsum(weights, axis=1) >= wanted, axis=1)
    return reached


def mean_figure(figures: Sequence[Figure]) -> Figure:
    """Return the unweighted mean of independent figures, its interval from the half-widths added in quadrature.

    Undefined figures are refused: a mean over other sets than it says would mislead.
    """
    if not figures or any(f.value is None or f.low is None or f.high is None for f in figures):
        return Figure(None)
    n = len(figures)
    value = math.fsum(f.value or 0.0 for f in figures) / n
    below = math.sqrt(math.fsum(((f.value or 0.0) - (f.low or 0.0)) ** 2 for f in figures)) / n
    above = math.sqrt(math.fsum(((f.high or 0.0) - (f.value or 0.0)) ** 2 for f in figures)) / n
    return Figure(value, value - below, value + above)


def _numbered(groups: Sequence[Hashable], n: int) -> NDArray[np.intp]:
    if len(groups) != n:
        raise InputError(f"{n} rows but {len(groups)} groups", "name a group for every row")
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(group, len(numbers)) for group in groups], dtype=np.intp)
