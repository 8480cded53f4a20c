"""Aggregation: one score of many, as a named policy.

Source: Provenance (arXiv 2411.01022), section 3.4: the fact checker's scores over the selected sources are joined by their
minimum, maximum, or mean weighted by relevance. Joining the claims of an answer is ours: the paper has one claim an answer.

Left out: labels and thresholds (`judge/`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from groundwire.errors import UnknownName


def _minimum(scores: Sequence[float], _weights: Sequence[float]) -> float:
    return min(scores)


def _maximum(scores: Sequence[float], _weights: Sequence[float]) -> float:
    return max(scores)


def _weighted(scores: Sequence[float], weights: Sequence[float]) -> float:
    total = math.fsum(weights)  # 0 when every weight has underflowed: then no source weighs more than another
    return (
        math.fsum(s * w for s, w in zip(scores, weights, strict=True)) / total if total > 0 else _mean(scores, weights)
    )


def _mean(scores: Sequence[float], _weights: Sequence[float]) -> float:
    return math.fsum(scores) / len(scores)


def _product(scores: Sequence[float], _weights: Sequence[float]) -> float:
    return math.prod(scores)


POLICIES: Mapping[str, Callable[[Sequence[float], Sequence[float]], float]] = {
    "min": _minimum,
    "max": _maximum,
    "weighted": _weighted,
    "mean": _mean,
    "product": _product,
}
"""`product` is the probability that all hold if they hold independently. It ranks answers joined from real claims better than
`min` and the public sets alike (docs/quality.md), and falls below a threshold that each of the claims reaches."""


@dataclass(frozen=True, slots=True)
class Aggregate:
    """How a claim's scores over its sources, and an answer's scores over its claims, become one each.

    Both are names of `POLICIES`. Printed as `claim/answer`, for example `max/min`.
    """

    over_sources: str = "max"
    over_claims: str = "min"

    def __post_init__(self) -> None:
        for name in (self.over_sources, self.over_claims):
            if name not in POLICIES:
                raise UnknownName("aggregation", name, POLICIES)

    def __str__(self) -> str:
        return f"{self.over_sources}/{self.over_claims}"

    def claim(self, scores: Sequence[float], weights: Sequence[float]) -> float:
        """Join one claim's scores in [0, 1] over its sources; at least one is needed."""
        return POLICIES[self.over_sources](scores, weights)

    def answer(self, scores: Sequence[float]) -> float:
        """Join the scores in [0, 1] of an answer's claims; at least one is needed."""
        return POLICIES[self.over_claims](scores, [1 / len(scores)] * len(scores))
