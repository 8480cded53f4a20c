"""The scale of a question's relevance scores, so that a weight beside them means the same with each scorer.

Source: GAuGE (Kulkarni et al. 2024, arXiv 2409.00085), section 3, gives relevance and grounding "equal importance"; its code
adds 10 times an F1 to ELECTRA's raw logit, and another scorer's scores spread otherwise: cosines by hundredths, logits by
units. What is common to all is the pool: the question's passages that were ranked again, with their raw scores.

- `none`: the raw score. The weight belongs to one scorer.
- `zscore`: (raw - mean) / standard deviation of the pool (of the population, n in the denominator).
- `minmax`: (raw - lowest) / (highest - lowest) of the pool.

Nothing is clipped: candidates are to leave the pool behind, and then go beyond 1. A pool tells no unit when it is empty, has
one score, or all its scores are the same to a millionth of the largest (as far as float32 can tell); the unit is then 1, so
that differences stay as they are, or `floor`. A pool of few passages can be flat by chance, and would blow up every
difference: no unit is ever smaller than `floor`, in raw scores.

Left out: a scale that is fitted to a scorer beforehand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from groundwire.errors import InputError, UnknownName

Normalize = Literal["none", "zscore", "minmax"]
SCALES: tuple[Normalize, ...] = get_args(Normalize)

_FLAT = 1e-6
"""Scores that differ by less than this share of the largest one are equal: models compute in float32."""


@dataclass(frozen=True, slots=True)
class Scale:
    """A raw score s stands at (s - `origin`) / `unit`; the unit is positive."""

    origin: float = 0.0
    unit: float = 1.0

    def of(self, score: float) -> float:
        """Return where a raw score stands."""
        return (score - self.origin) / self.unit


def scale(pool: Sequence[float], how: Normalize, *, floor: float = 0.0) -> Scale:
    """Return the scale of a pool of raw scores; `floor` is the smallest unit that it may have, 0 or more.

    Raises UnknownName for another `how`, InputError for a pool that holds what is not a finite number.
    """
    if how not in SCALES:
        raise UnknownName("scale", how, SCALES)
    if how == "none":
        return Scale()
    if not all(map(math.isfinite, pool)):
        raise InputError("a score of the pool is not a finite number", "the pool is the passages' raw relevance scores")
    if not pool:
        return Scale(unit=floor or 1.0)
    lowest, highest = min(pool), max(pool)
    mean = lowest + math.fsum(score - lowest for score in pool) / len(pool)
    origin = mean if how == "zscore" else lowest
    if highest - lowest <= _FLAT * max(abs(lowest), abs(highest)):
        return Scale(origin, floor or 1.0)
    spread = math.dist(pool, [mean] * len(pool)) / math.sqrt(len(pool)) if how == "zscore" else highest - lowest
    return Scale(origin, max(spread, floor))
