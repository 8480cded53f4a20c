"""Who ranked what, where: every retriever that is made of others keeps the rankings of its parts.

Left out: the parts (`pool`, `fuse`, `stacked`), and how a retrieval is drawn.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from groundwire.protocols import Retriever
from groundwire.types import Hit, Ranking, Retrieval


@runtime_checkable
class Explaining(Protocol):
    """A retriever that can say what its parts ranked."""

    def explain_all(self, queries: Sequence[str], k: int) -> list[Retrieval]:
        """Return the retrieval of each query: every part's ranking as it was handed on, and last the whole's, of `k`."""
        ...


class Composite(ABC):
    """What all retrievers that are made of others share: finding is explaining, less the explanation."""

    __slots__ = ()

    @abstractmethod
    def explain_all(self, queries: Sequence[str], k: int) -> list[Retrieval]:
        """Return each query's rankings, part by part; the last is that of the whole, at most `k` hits long."""

    def explain(self, query: str, k: int) -> Retrieval:
        """Return one query's rankings, part by part; the last is that of the whole, at most `k` hits long."""
        return self.explain_all([query], k)[0]

    def retrieve(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        """Return at most `k` hits for each query, best first."""
        return [list(found.rankings[-1].hits) for found in self.explain_all(queries, k)]


@dataclass(frozen=True, slots=True)
class Named(Composite):
    """A retriever that goes by a name of its own, as `neural` does; the parts of a stack stay visible in the rankings."""

    name: str
    retriever: Retriever

    @property
    def most(self) -> int | None:
        """The most hits that it ever gives."""
        return most(self.retriever)

    def explain_all(self, queries: Sequence[str], k: int) -> list[Retrieval]:
        """Return the rankings of what stands behind the name; the last one goes by the name."""
        return [renamed(one, self.name) for one in explained(self.retriever, queries, k)]


def explained(retriever: Retriever, queries: Sequence[str], k: int) -> list[Retrieval]:
    """Return each query's rankings by any retriever; one that has no parts is its own only part."""
    if isinstance(retriever, Explaining):
        return retriever.explain_all(queries, k)
    if (explain := getattr(retriever, "explain", None)) is not None:
        return [explain(query, k) for query in queries]
    found = retriever.retrieve(queries, k)
    return [
        Retrieval(query=query, rankings=(Ranking(by=retriever.name, hits=tuple(hits)),))
        for query, hits in zip(queries, found, strict=True)
    ]


def renamed(retrieval: Retrieval, name: str) -> Retrieval:
    """Return the retrieval with its last ranking as that of `name`: it is always that of the whole."""
    *parts, whole = retrieval.rankings
    return replace(retrieval, rankings=(*parts, replace(whole, by=name)))


def most(retriever: Retriever) -> int | None:
    """Return the most hits that a retriever ever gives for a query; None where its corpus is the only limit."""
    found: int | None = getattr(retriever, "most", None)
    return found
