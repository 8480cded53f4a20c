"""Probabilities and their log-odds. Left out: vectors; the parts that use this hold a handful of numbers."""

from __future__ import annotations

import math

CLAMP = 1e-6
"""Probabilities are kept this far from 0 and 1 before a logit is taken, so that one certain reading cannot outvote all."""


def logit(p: float) -> float:
    """Return log(p / (1 - p)) with p clamped away from 0 and 1."""
    p = min(max(p, CLAMP), 1 - CLAMP)
    return math.log(p / (1 - p))


def sigmoid(x: float) -> float:
    """Return 1 / (1 + exp(-x)) without overflow."""
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))
