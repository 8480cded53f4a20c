"""Pooling: what any of several retrievers finds, for a reranker that scores every member anew.

Source: Huo et al. (arXiv 2306.13781), section 3.2, pool the passages of a sparse and a dense retriever. The paper is
silent on depth; a thousand of each is the default of the toolkit that it used. Left out: scores that compare (`fuse`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from groundwire.errors import UsageError
from groundwire.hits import best_first
from groundwire.protocols import Retriever
from groundwire.retrieve.explained import Composite, explained, most
from groundwire.types import Hit, Ranking, Retrieval

DEPTH = 1000
"""Hits that each part is asked for; a part with a depth of its own (`bm25:100`) is asked for these."""

Join = Callable[[Sequence[Sequence[Hit]]], Sequence[Hit]]
"""Makes one list, with scores that compare, of one query's lists, each best first."""


@dataclass(frozen=True, slots=True)
class Pool(Composite):
    """The union of what the parts find, by passage id.

    The order means little and is the same every time: by the best rank that a passage has with any part, equal ones by
    their id, and the score is 1 / that rank. It does not depend on the order of the parts, nor on how many are asked for.
    """

    parts: Sequence[Retriever]

    def __post_init__(self) -> None:
        if len(self.parts) < 2:
            raise UsageError("a pool needs two parts or more", "(bm25|dense)")

    @property
    def name(self) -> str:
        """The parts as they are written, `(splade|ance)`."""
        return f"({'|'.join(part.name for part in self.parts)})"

    @property
    def most(self) -> int:
        """The most passages that the pool can hold."""
        return sum(depth(part) for part in self.parts)

    def explain_all(self, queries: Sequence[str], k: int) -> list[Retrieval]:
        """Return the rankings of the parts, and last the pool's."""
        return joined(self.name, self.parts, queries, k, _union)


def depth(part: Retriever) -> int:
    """Return how many hits a part of a pool or a fusion is asked for."""
    return most(part) or DEPTH


def joined(name: str, parts: Sequence[Retriever], queries: Sequence[str], k: int, join: Join) -> list[Retrieval]:
    """Ask every part for all its hits and join each query's lists into one ranking, that of `name`."""
    found = [explained(part, queries, depth(part)) for part in parts]
    retrievals = []
    for query, *retrieved in zip(queries, *found, strict=True):
        hits = join([one.rankings[-1].hits for one in retrieved])
        rankings = [ranking for one in retrieved for ranking in one.rankings]
        whole = Ranking(by=name, hits=tuple(replace(hit, by=name) for hit in best_first(hits)[:k]))
        retrievals.append(Retrieval(query=query, rankings=(*rankings, whole)))
    return retrievals


def _union(lists: Sequence[Sequence[Hit]]) -> list[Hit]:
    pooled: dict[str, Hit] = {}
    for hits in lists:
        for rank, hit in enumerate(hits, 1):
            if hit.passage.id not in pooled or pooled[hit.passage.id].score < 1 / rank:
                pooled[hit.passage.id] = replace(hit, score=1 / rank)
    return list(pooled.values())
