"""What searching by vectors and by learned weights share: the index as it is now, and queries encoded some at a time.

Left out: how rows are compared (`dense`, `sparse`); the models.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from groundwire.errors import InputError, Unavailable
from groundwire.index import encoders, ranked
from groundwire.index.manifest import Encoding
from groundwire.index.parts import missing
from groundwire.index.state import State
from groundwire.types import Hit

_QUERIES = 64
"""Queries that are encoded, and go through the index, together."""


class Source(Protocol):
    """What hands out the current state of an index."""

    @property
    def folder(self) -> Path:
        """Where it is."""
        ...

    def snapshot(self) -> State:
        """Return the current state; the same object as long as nothing changed."""
        ...


class Held(Protocol):
    """What a retriever has made of a state of the index."""

    snapshot: State


_Made = TypeVar("_Made", bound=Held)


class Encoded(ABC, Generic[_Made]):
    """A retriever over one encoding of an index. Fills Retriever; safe to share between threads.

    `retrieve` raises Unavailable when passages were added that are not encoded yet.
    """

    def __init__(self, source: Source, encoding: Encoding, name: str) -> None:
        self.name = name
        self._source, self._encoding = source, encoding
        self._state: _Made | None = None
        self._current()

    def __repr__(self) -> str:
        return self.name

    def retrieve(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        """Return at most `k` hits for each query, best first. A blank query has none."""
        return ranked.hits(self._rank(queries, k), self.name)

    def rank(self, queries: Sequence[str], k: int) -> list[list[tuple[str, float]]]:
        """Return (passage id, score) instead of hits: what a run file needs, without fetching texts."""
        return ranked.ids(self._rank(queries, k))

    @abstractmethod
    def _make(self, snapshot: State) -> _Made:
        """Return what the retriever needs of a state of the index."""

    @abstractmethod
    def _best(self, state: _Made, queries: Sequence[str], k: int) -> Sequence[list[ranked.Place]]:
        """Return the best k passages for each query (none of them blank)."""

    def _current(self) -> _Made:
        snapshot, state = self._source.snapshot(), self._state
        if state is None or state.snapshot is not snapshot:
            check_whole(self._source, snapshot, self._encoding)
            state = self._state = self._make(snapshot)
        return state

    def _rank(self, queries: Sequence[str], k: int) -> list[list[ranked.Place]]:
        if k < 1:
            raise InputError(f"{k} hits were asked for", "ask for at least 1")
        state = self._current()
        asked = [place for place, query in enumerate(queries) if query.strip()]
        found: list[list[ranked.Place]] = [[] for _ in queries]
        for start in range(0, len(asked), _QUERIES):
            some = asked[start : start + _QUERIES]
            for place, places in zip(some, self._best(state, [queries[place] for place in some], k), strict=True):
                found[place] = places
        return found


def check_whole(source: Source, snapshot: State, encoding: Encoding) -> None:
    """Raise Unavailable when an encoding is gone, or when it lacks passages, which would never be found."""
    hint = encoders.command(source.folder, encoding.source)
    if (encoding.id, encoding.identity) not in {(held.id, held.identity) for held in snapshot.manifest.encodings}:
        raise Unavailable(f"the vectors of {encoding.model} are no longer in {source.folder}", hint)
    left = sum(len(missing(segment, encoding.id)) for segment in snapshot.segments)
    if left:
        total = sum(segment.live for segment in snapshot.segments)
        raise Unavailable(f"{left} of {total} passages of {source.folder} have no vector of {encoding.model}", hint)
