"""The first hits of a retriever, as `bm25:1000`. Left out: cutting by score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.errors import UsageError
from groundwire.protocols import Retriever
from groundwire.retrieve.explained import Composite, explained, most, renamed
from groundwire.retrieve.stacked import Stacked
from groundwire.types import Retrieval


@dataclass(frozen=True, slots=True)
class Cut(Composite):
    """At most `depth` hits of a retriever, however many are asked for."""

    retriever: Retriever
    depth: int

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise UsageError(f"a depth is 1 or more, got {self.depth}", "bm25:1000")

    @property
    def name(self) -> str:
        """`bm25:1000`, or `(bm25+mini):10` of a stack."""
        inner = self.retriever.name
        return f"({inner}):{self.depth}" if isinstance(self.retriever, Stacked) else f"{inner}:{self.depth}"

    @property
    def most(self) -> int:
        """The most hits that it ever gives."""
        return min(self.depth, most(self.retriever) or self.depth)

    def explain_all(self, queries: Sequence[str], k: int) -> list[Retrieval]:
        """Return the retriever's rankings; the last one is this part's and goes by its name."""
        return [renamed(one, self.name) for one in explained(self.retriever, queries, min(k, self.depth))]
