"""A model for tests of your own: no files, no runtime, and scores that can be worked out by hand.

Left out: any claim to quality. Nothing in the product falls back to this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.protocols import Pair
from groundwire.text import content_terms
from groundwire.types import Entailment


@dataclass(frozen=True, slots=True)
class OverlapModel:
    """Supports = the share of the claim's content terms that the premise holds; relevance = the number of terms shared.

    It fills both roles, EntailmentModel and RelevanceScorer.
    """

    name: str = "overlap"

    def entail(self, pairs: Sequence[Pair]) -> list[Entailment]:
        """Judge (premise, claim) pairs; two-way, so `refutes` is None."""
        return [Entailment(supports=_share(claim, premise)) for premise, claim in pairs]

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """Score (query, passage) pairs by the number of content terms in common."""
        return [float(len(set(content_terms(a)) & set(content_terms(b)))) for a, b in pairs]

    def truncated(self, pairs: Sequence[Pair]) -> list[bool]:
        """Nothing is ever too long."""
        return [False] * len(pairs)


def _share(claim: str, premise: str) -> float:
    terms = set(content_terms(claim))
    return len(terms & set(content_terms(premise))) / len(terms) if terms else 0.0
