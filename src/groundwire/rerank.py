"""Reranking: hits ordered anew by a model that reads the query and the passage together.

`PairReranker` asks a cross-encoder (or any other scorer of pairs) about each passage by itself, and can join what it says
with the score that the passage came with. `PairwiseReranker` asks a model which of two passages is the better one, over all
ordered pairs (Pradeep, Nogueira and Lin 2021, arXiv 2101.05667, section 3.3). Left out: the models, and how many hits a
stack hands on (`groundwire.retrieve`).
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from groundwire.errors import UsageError
from groundwire.hits import continued
from groundwire.protocols import RelevanceScorer
from groundwire.types import Hit, Passage

DUO_K = 50
"""Passages that are compared with one another: 2 450 ordered pairs a query."""


class PreferenceModel(Protocol):
    """Says how much each passage is to be preferred to the others."""

    @property
    def name(self) -> str:
        """The model."""
        ...

    def prefer(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return one score a text, higher is better; comparable within the call alone."""
        ...


@dataclass(frozen=True, slots=True)
class PairReranker:
    """Orders hits by a scorer of (query, passage) pairs; the pairs of all queries are one batch.

    `title` puts the passage's title, where it has one, before its text. `spec` is how the scorer was asked for, where that
    is not its name. `first`, in [0, 1], is what the hits' own scores count: both scores are put at mean 0 and deviation 1
    within the query, and the hit's becomes first * its own + (1 - first) * the scorer's. At 0, and of a query's only hit, it
    is the scorer's alone, as it gives it. `usual` is the `first` that goes without saying in the name.
    """

    scorer: RelevanceScorer
    title: bool = True
    spec: str | None = None
    first: float = 0.0
    usual: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.first <= 1:
            raise UsageError(f"first is a share from 0 to 1, got {self.first}", "bm25+mini(first=0.5)")

    @property
    def name(self) -> str:
        """The scorer as it was asked for, with what is not as usual: `(first=0.5)`, `(title=no)`."""
        told = {} if self.first == self.usual else {"first": f"{self.first:g}"}
        return _named(self.spec or self.scorer.name, self.title, told)

    def rerank(self, queries: Sequence[str], hits: Sequence[Sequence[Hit]]) -> list[list[Hit]]:
        """Return each query's hits with the scorer's scores, best first; of equal scores the order that they had stays."""
        pairs = [
            (query, readable(hit.passage, title=self.title))
            for query, found in zip(queries, hits, strict=True)
            for hit in found
        ]
        scores = iter(self.scorer.score(pairs) if pairs else ())
        return [_ranked(found, self._joined(found, [next(scores) for _ in found]), self.name) for found in hits]

    def _joined(self, hits: Sequence[Hit], scores: Sequence[float]) -> Sequence[float]:
        if not self.first or len(hits) == 1:  # the mean of a single score says nothing of it
            return scores
        own, given = standardised([hit.score for hit in hits]), standardised(scores)
        return [self.first * a + (1 - self.first) * b for a, b in zip(own, given, strict=True)]


@dataclass(frozen=True, slots=True)
class PairwiseReranker:
    """Orders the first `top` hits by comparing each with each other one; the hits after them stay behind as they were.

    A hit that is compared with none stays as it was, too. The work grows with the square of `top`: 10 is a cheap setting.
    `title` and `spec` are those of `PairReranker`.
    """

    model: PreferenceModel
    top: int = DUO_K
    title: bool = True
    spec: str | None = None

    def __post_init__(self) -> None:
        if self.top < 1:
            raise UsageError(f"a depth is 1 or more, got {self.top}", "duot5:50")

    @property
    def name(self) -> str:
        """The model as it was asked for, with `:top` where that is not 50."""
        return _named(self.spec or self.model.name, self.title) + ("" if self.top == DUO_K else f":{self.top}")

    def rerank(self, queries: Sequence[str], hits: Sequence[Sequence[Hit]]) -> list[list[Hit]]:
        """Return each query's hits, the first `top` by preference; of equal scores the order that they had stays."""
        return [self._one(query, found) for query, found in zip(queries, hits, strict=True)]

    def _one(self, query: str, hits: Sequence[Hit]) -> list[Hit]:
        top, rest = hits[: self.top], hits[self.top :]
        if len(top) < 2:
            return list(hits)
        scores = self.model.prefer(query, [readable(hit.passage, title=self.title) for hit in top])
        return continued(_ranked(top, scores, self.name), rest)


def readable(passage: Passage, *, title: bool = True) -> str:
    """Return what a model reads of a passage: its title, where it has one and it is asked for, a space, and its text."""
    return f"{passage.title} {passage.text}".strip() if title and passage.title else passage.text


def standardised(scores: Sequence[float]) -> list[float]:
    """Return scores at mean 0 and deviation 1, so that those of two systems can be added; all 0 where they do not differ."""
    if not scores:
        return []
    mean = statistics.fmean(scores)
    # Relative to the scores: what is left of equal ones by rounding is no difference.
    spread = math.sqrt(statistics.fmean([(score - mean) ** 2 for score in scores]))
    if spread <= 1e-9 * max(map(abs, scores)):
        return [0.0] * len(scores)
    return [(score - mean) / spread for score in scores]


def _named(name: str, title: bool, told: Mapping[str, str] = {}) -> str:
    options = {**told, **({} if title else {"title": "no"})}
    return f"{name}({','.join(f'{key}={value}' for key, value in options.items())})" if options else name


def _ranked(hits: Sequence[Hit], scores: Sequence[float], by: str) -> list[Hit]:
    scored = [replace(hit, score=score, by=by) for hit, score in zip(hits, scores, strict=True)]
    return sorted(scored, key=lambda hit: -hit.score)  # stable: equal ones keep the order that they had
