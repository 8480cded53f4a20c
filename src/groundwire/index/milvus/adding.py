"""Adding passages to a collection: the same questions as for a folder, asked a batch at a time.

Rows are upserted by the key of the passage's id, so that a batch that is sent twice, by a retry or by a run that starts
again, is there once. They count as added when the collection is flushed. Left out: what a row is (`layout`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

from groundwire.analysis import Analyzer
from groundwire.errors import InputError
from groundwire.index.milvus import layout
from groundwire.index.milvus.connection import WORKING, Connection
from groundwire.index.writer import Added, batches
from groundwire.types import Passage

FLUSHED = 50_000
"""Passages after which a long run is flushed: a cluster takes a flush every ten seconds and no more."""
ASKED = 1024
"""Keys in one filter."""
MOST_ROWS = 16_384
"""Rows in one answer."""


class Encoding(Protocol):
    """Gives rows their vectors."""

    def vectors(self, texts: Sequence[str]) -> list[dict[str, Any]]:
        """Return the vector fields of each passage."""
        ...


class Adding:
    """One call of `add`."""

    def __init__(
        self,
        connection: Connection,
        analyzer: Analyzer,
        encoding: Encoding,
        *,
        unique: bool,
        existing: str,
        progress: Callable[[int], None] | None,
    ) -> None:
        self.done = Added()
        self._connection, self._collection = connection, connection.address.collection
        self._analyzer, self._encoding = analyzer, encoding
        self._unique, self._existing, self._progress = unique, existing, progress
        self._sent = 0

    def run(self, passages: Iterable[Passage]) -> Added:
        """Add them all. Raises InputError for a passage that cannot be taken; what was sent before stays."""
        try:
            for batch in batches(passages):
                self._send(self._fresh(batch))
                if self._sent >= FLUSHED:
                    self._flush()
        finally:
            if self._sent:
                self._flush()
        return self.done

    def _flush(self) -> None:
        self._connection.call("flush", self._collection, timeout=WORKING)
        self._sent = 0
        if self._progress:
            self._progress(self.done.added)

    def _fresh(self, batch: list[Passage]) -> list[Passage]:
        """Return those of the batch whose ids may be taken."""
        last = {passage.id: place for place, passage in enumerate(batch)}
        if self._existing == "replace":
            batch = [passage for place, passage in enumerate(batch) if last[passage.id] == place]
        here = {row["key"] for row in held(self._connection, "key", [layout.key(id_) for id_ in last], ["key"])}
        fresh: list[Passage] = []
        given: set[str] = set()
        for passage in batch:
            known = layout.key(passage.id) in here
            if known and self._existing == "replace":
                self.done.replaced += 1
            elif known or passage.id in given:
                if self._existing == "error":
                    where = "is in the index already" if known else "is given twice"
                    hint = "remove it first, or ask to skip or replace"
                    raise InputError(f"the passage id {passage.id!r} {where}", hint)
                self.done.skipped += 1
                continue
            given.add(passage.id)
            fresh.append(passage)
        return fresh

    def _send(self, passages: list[Passage]) -> None:
        """Upsert passages, all or those whose content is new."""
        texts = [f"{passage.title} {passage.text}" if passage.title else passage.text for passage in passages]
        rows = [layout.row(p, self._analyzer.terms(text)) for p, text in zip(passages, texts, strict=True)]
        keys = {row["key"] for row in rows}
        found = held(self._connection, "content", [row["content"] for row in rows], ["content", "key"])
        standing = {row["content"] for row in found if row["key"] not in keys}
        taken = []
        for place, row in enumerate(rows):
            known = row["content"] in standing
            self.done.duplicates += known
            standing.add(row["content"])
            if not (known and self._unique):
                taken.append(place)
        vectors = self._encoding.vectors([texts[place] for place in taken])
        kept = [rows[place] | more for place, more in zip(taken, vectors, strict=True)]
        if kept:
            self._connection.call("upsert", self._collection, kept)
        self.done.added += len(kept)
        self._sent += len(kept)


def held(
    connection: Connection, field: str, values: Sequence[str], fields: Sequence[str], most: int = MOST_ROWS
) -> list[dict[str, Any]]:
    """Return the rows in which a key field has one of these values, as every client has left them.

    At most `most` for every 1 024 values: a content that stands in more rows than one answer holds may hide another one.
    """
    found: list[dict[str, Any]] = []
    for where in filters(field, values):
        found += connection.call(
            "query",
            connection.address.collection,
            filter=where,
            output_fields=list(fields),
            consistency_level="Strong",
            limit=most,
        )
    return found


def filters(field: str, values: Sequence[str]) -> Iterator[str]:
    """Give filters for the rows in which a key field has one of these values, 1 024 values in each."""
    for start in range(0, len(values), ASKED):
        # Keys are hexadecimal digits, so nothing in them can end the filter.
        asked = ", ".join(f'"{value}"' for value in values[start : start + ASKED])
        yield f"{field} in [{asked}]"
