"""Retrievers whose rankings are written down."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pytest

from groundwire.types import Hit, Passage


@dataclass(frozen=True)
class Written:
    """Gives the same hits for every query, and keeps how many it was asked for."""

    name: str
    scores: Mapping[str, float]
    asked: list[int]

    def retrieve(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        self.asked.append(k)
        hits = [Hit(passage=Passage(id=i, text=f"text {i}"), score=s, by=self.name) for i, s in self.scores.items()]
        return [sorted(hits, key=lambda h: (-h.score, h.passage.id))[:k] for _ in queries]


@pytest.fixture
def written() -> Callable[..., Written]:
    def make(name: str, **scores: float) -> Written:
        return Written(name, scores, [])

    return make


@pytest.fixture
def ids() -> Callable[[Sequence[Hit]], str]:
    """The ids of hits as one word."""
    return lambda hits: "".join(hit.passage.id for hit in hits)
