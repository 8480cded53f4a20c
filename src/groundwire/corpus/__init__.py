"""Corpora: documents from files, folders, standard input and named collections, and their passages.

    for document in documents("notes/"):
        for passage in passages(document, words=100): ...

JSON lines, BEIR's layout, tab-separated lines, MS MARCO's collection, plain text, Markdown, HTML, PDF, each packed by
gzip or not. Documents stream: one is in memory at a time. Left out: keeping them (`groundwire.index`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from groundwire.corpus.feeds import Feed, Warn, feeds
from groundwire.corpus.kinds import KINDS
from groundwire.corpus.passages import WORDS, passages
from groundwire.types import Document

__all__ = ["KINDS", "WORDS", "Feed", "Warn", "documents", "feeds", "passages"]


def documents(
    source: str | Path,
    *,
    format: str | None = None,  # noqa: A002
    warn: Warn | None = None,
) -> Iterator[Document]:
    """Yield the documents of a file, a folder (with all below it, sorted), `-`, or `ir_datasets:NAME`.

    `format` (one of KINDS) overrides what names and first bytes say. `warn` is told (path, why) of each file of a folder
    that is left out. A file's document is named by the file, one in a folder by the path from that folder on, its name
    first. Raises InputError, which names the file and where it can the line or byte; ids may repeat.
    """
    for feed in feeds(source, format=format, warn=warn):
        yield from feed.documents()
