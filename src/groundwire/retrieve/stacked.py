"""A retriever and a reranker, one on the other: the first hits are ranked again, the others stay behind.

Left out: the reranking (`groundwire.rerank`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from groundwire.errors import UsageError
from groundwire.hits import continued
from groundwire.protocols import Reranker, Retriever
from groundwire.retrieve.explained import Composite, explained, most
from groundwire.types import Ranking, Retrieval

DEPTH = 100
"""Hits that are ranked again when nobody says how many and the retriever has no limit of its own."""


@dataclass(frozen=True, slots=True)
class Stacked(Composite):
    """The retriever's first `depth` hits in the reranker's order, and behind them, as they were, the others.

    Without a depth it is all that the retriever has to give where that is limited (a pool, `bm25:1000`), and else 100.
    """

    retriever: Retriever
    reranker: Reranker
    depth: int | None = None

    def __post_init__(self) -> None:
        if self.depth is not None and self.depth < 1:
            raise UsageError(f"a depth is 1 or more, got {self.depth}", "bm25+mini:100")

    @property
    def name(self) -> str:
        """Both as they are written, `bm25+mini` or `bm25+mini:50`."""
        return f"{self.retriever.name}+{self.reranker.name}" + ("" if self.depth is None else f":{self.depth}")

    @property
    def most(self) -> int | None:
        """The most hits that it ever gives."""
        return most(self.retriever)

    def explain_all(self, queries: Sequence[str], k: int) -> list[Retrieval]:
        """Return the rankings below, and last the new one."""
        depth = self.depth or most(self.retriever) or DEPTH
        found = explained(self.retriever, queries, max(k, depth))
        candidates = [one.rankings[-1].hits for one in found]
        ranked = self.reranker.rerank(queries, [hits[:depth] for hits in candidates])
        return [
            replace(one, rankings=(*one.rankings, Ranking(by=self.name, hits=tuple(continued(top, rest[depth:])[:k]))))
            for one, top, rest in zip(found, ranked, candidates, strict=True)
        ]
