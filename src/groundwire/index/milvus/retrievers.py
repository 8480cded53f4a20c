"""What searches a collection: BM25, sparse vectors, dense vectors, and several of them at once.

Milvus scores; here queries become what it scores, and hits come back in the order that every retriever keeps: equal scores
by passage id, for which the cut is moved until it parts different scores. Scores of BM25 are those of the local index: the
factor k1 + 1, which Milvus has and Lucene dropped, is taken off.

Left out: which models (`encoders`), fusion of other parts (`groundwire.retrieve`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from groundwire.errors import InputError
from groundwire.hits import best_first
from groundwire.index.milvus import layout
from groundwire.index.milvus.connection import Connection, package
from groundwire.types import Hit

MOST = 16_384
"""The most hits that Milvus gives for a query, and the most that are asked for at once over several."""
_BEYOND = 8
"""Hits that are asked for beyond the last one, to see whether a tie is cut."""

Vector = Any
Encode = Callable[[Sequence[str]], list[Vector | None]]
"""Makes of queries what a field is searched by; None for a query that finds nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One field, how queries are made for it, and what Milvus' score is multiplied by."""

    name: str
    field: str
    metric: str
    encode: Encode
    scale: float = 1.0

    @property
    def parameters(self) -> dict[str, Any]:
        """What a search has to say of the field."""
        return {"metric_type": self.metric, "params": {}}

    def score(self, distance: float) -> float:
        """Return the score; milvus-lite gives that of BM25 with a minus."""
        return (abs(distance) if self.metric == "BM25" else distance) * self.scale


class FieldRetriever:
    """Ranks by one field. Fills Retriever; at most 16 384 hits a query."""

    def __init__(self, connection: Connection, part: Part) -> None:
        self.name = part.name
        self.part = part
        self._connection = connection

    def __repr__(self) -> str:
        return self.name

    def retrieve(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        """Return at most `k` hits for each query, best first. A query without a term that is known has none."""
        asked = {place: vector for place, vector in enumerate(_made(self.part, queries, k)) if vector is not None}
        k = min(k, MOST)
        found: list[list[Hit]] = [[] for _ in queries]
        limit = min(k + _BEYOND, MOST)
        while asked:
            again = {}
            for place, hits in self._searched(asked, limit):
                found[place] = best_first(hits)[:k]
                if len(hits) == limit < MOST and hits and hits[-1].score >= found[place][-1].score:
                    again[place] = asked[place]
            asked, limit = again, min(4 * limit, MOST)
        return found

    def _searched(self, asked: dict[int, Vector], limit: int) -> list[tuple[int, list[Hit]]]:
        found: list[tuple[int, list[Hit]]] = []
        places, step = list(asked), max(MOST // limit, 1)
        for start in range(0, len(places), step):
            some = places[start : start + step]
            results = self._connection.call(
                "search",
                self._connection.address.collection,
                data=[asked[place] for place in some],
                anns_field=self.part.field,
                limit=limit,
                output_fields=["passage"],
                search_params=self.part.parameters,
            )
            found += [
                (place, [_hit(row, self.part.score(row["distance"]), self.name) for row in rows])
                for place, rows in zip(some, results, strict=True)
            ]
        return found


class HybridRetriever:
    """Several fields in one request, fused by Milvus: 1 / (constant + rank), summed over the fields. Fills Retriever.

    The same as `rrf(...)` over the parts, but for passages that tie within a part, and passages are sent once. Every part is
    asked for `depth` hits. At most 16 384 hits a query.
    """

    def __init__(self, connection: Connection, parts: Sequence[Part], *, constant: int, depth: int, told: str) -> None:
        self.name = f"rrf({','.join(part.name for part in parts)}{told})"
        self._connection, self._parts = connection, tuple(parts)
        self._constant, self._depth = constant, min(depth, MOST)

    def __repr__(self) -> str:
        return self.name

    def retrieve(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        """Return at most `k` hits for each query, best first."""
        made = [_made(part, queries, k) for part in self._parts]
        return [self._one(vectors, k) for vectors in zip(*made, strict=True)]

    def _one(self, vectors: Sequence[Vector | None], k: int) -> list[Hit]:
        pymilvus = package("pymilvus")
        requests = [
            pymilvus.AnnSearchRequest(data=[v], anns_field=part.field, param=part.parameters, limit=self._depth)
            for part, v in zip(self._parts, vectors, strict=True)
            if v is not None
        ]
        if not requests:
            return []
        (rows,) = self._connection.call(
            "hybrid_search",
            self._connection.address.collection,
            reqs=requests,
            ranker=pymilvus.RRFRanker(self._constant),
            limit=min(k, MOST),
            output_fields=["passage"],
        )
        return best_first(_hit(row, row["distance"], self.name) for row in rows)


def _made(part: Part, queries: Sequence[str], k: int) -> list[Vector | None]:
    if k < 1:
        raise InputError(f"{k} hits were asked for", "ask for at least 1")
    return part.encode(queries)


def _hit(row: Any, score: float, by: str) -> Hit:
    return Hit(passage=layout.passage_of(row["entity"]["passage"]), score=float(score), by=by)
