"""Selection: which sources are worth judging, and how much each one weighs.

Source: Provenance (arXiv 2411.01022), section 3.2: relevance logits become probabilities, the top k or the smallest set
with cumulative probability p is kept, and the kept probabilities are made to sum to 1 again.

A part prints as the string that makes it: `str(TopP(p=0.9)) == "top-p:0.9"`, and `parse("top-p:0.9")` gives it back.
Left out: the relevance scores themselves (`relevance.py`) and the choice of windows for one claim (`premises.py`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from groundwire.errors import UnknownName, UsageError
from groundwire.odds import sigmoid
from groundwire.protocols import Selector
from groundwire.types import Hit

Normalise = Literal["softmax", "sigmoid"]

_TOLERANCE = 1e-12
"""A cumulative probability that misses p by less than this counts as reached: .5 + .4 is .9 on paper, not in binary."""


def probabilities(scores: Sequence[float], normalise: Normalise = "softmax") -> list[float]:
    """Turn raw relevance logits into probabilities that sum to 1.

    "softmax" is the reading of the paper's "normalized to be interpretable as probabilities"; "sigmoid" squashes each
    logit first and divides by the sum. No scores give an empty list.
    """
    if not scores:
        return []
    top = max(scores)
    raw = [math.exp(s - top) if normalise == "softmax" else sigmoid(s) for s in scores]
    total = math.fsum(raw)
    # A sum of sigmoids may underflow to 0; a softmax holds a 1.
    return [r / total for r in raw] if total > 0 else [1 / len(raw)] * len(raw)


def _by_probability(hits: Sequence[Hit], normalise: Normalise) -> tuple[list[float], list[int]]:
    p = probabilities([hit.score for hit in hits], normalise)
    return p, sorted(range(len(p)), key=lambda i: (-p[i], i))  # ties: the earlier source first


def _weighted(kept: Sequence[int], p: Sequence[float]) -> list[tuple[int, float]]:
    total = math.fsum(p[i] for i in kept)
    return [(i, p[i] / total if total > 0 else 1 / len(kept)) for i in sorted(kept)]


@dataclass(frozen=True, slots=True)
class TopK:
    """Keep the `k` most relevant sources (all of them where there are fewer)."""

    k: int = 5
    normalise: Normalise = "softmax"

    def __post_init__(self) -> None:
        if self.k < 1:
            raise UsageError(f"top-k needs k of 1 or more, got {self.k}", "top-k:5")

    def __str__(self) -> str:
        return f"top-k:{self.k}" + ("" if self.normalise == "softmax" else f":{self.normalise}")

    def select(self, hits: Sequence[Hit]) -> list[tuple[int, float]]:
        """Return (position, weight) of the kept hits in their original order; the weights sum to 1."""
        p, order = _by_probability(hits, self.normalise)
        return _weighted(order[: self.k], p)


@dataclass(frozen=True, slots=True)
class TopP:
    """Keep the shortest run of the descending order whose probability reaches `p`; the source that crosses is kept."""

    p: float = 0.9
    normalise: Normalise = "softmax"

    def __post_init__(self) -> None:
        if not 0 < self.p <= 1:
            raise UsageError(f"top-p needs p in (0, 1], got {self.p}", "top-p:0.9")

    def __str__(self) -> str:
        return f"top-p:{self.p:g}" + ("" if self.normalise == "softmax" else f":{self.normalise}")

    def select(self, hits: Sequence[Hit]) -> list[tuple[int, float]]:
        """Return (position, weight) of the kept hits in their original order; the weights sum to 1."""
        p, order = _by_probability(hits, self.normalise)
        kept: list[int] = []
        cumulative = 0.0
        for i in order:
            kept.append(i)
            cumulative += p[i]
            if cumulative >= self.p - _TOLERANCE:
                break
        return _weighted(kept, p)


@dataclass(frozen=True, slots=True)
class All:
    """Keep every source with equal weight: no relevance model is needed."""

    def __str__(self) -> str:
        return "all"

    def select(self, hits: Sequence[Hit]) -> list[tuple[int, float]]:
        """Return every position with weight 1 / n."""
        return [(i, 1 / len(hits)) for i in range(len(hits))]


def parse(spec: str) -> Selector:
    """Make the selector that prints as `spec`: `all`, `top-k:5`, `top-p:0.9`, `top-p:0.9:sigmoid`."""
    kind, _, rest = spec.partition(":")
    value, _, normalise = rest.partition(":")
    if normalise not in ("", "softmax", "sigmoid"):
        raise UnknownName("normalisation", normalise, ("softmax", "sigmoid"))
    norm: Normalise = "sigmoid" if normalise == "sigmoid" else "softmax"
    try:
        if kind == "top-k":
            return TopK(int(value or 5), norm)
        if kind == "top-p":
            return TopP(float(value or 0.9), norm)
    except ValueError as error:
        raise UsageError(f"cannot read the number in {spec!r}", "top-k:5 or top-p:0.9") from error
    if kind == "all":
        return All()
    raise UnknownName("selector", kind, ("all", "top-k", "top-p"))
