"""Collections by name: `ir_datasets:NAME`, the documents of any collection in that package's catalogue.

The package fetches what is not on this machine by itself, which needs a network. Left out: its queries and qrels.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from groundwire._optional import require
from groundwire.corpus.opening import mended
from groundwire.errors import InputError, NetworkError
from groundwire.types import Document

PREFIX = "ir_datasets:"
_TEXTS = ("text", "contents", "body", "passage", "abstract")


def catalogued(source: str) -> Iterator[Document]:
    """Yield the documents of `ir_datasets:NAME`. Raises MissingExtra, InputError for a name that it does not know, and
    NetworkError when the collection cannot be fetched.
    """
    package = require("ir_datasets", "ir")
    name = source.removeprefix(PREFIX)
    try:
        collection = package.load(name)
    except KeyError as error:
        raise InputError(f"ir_datasets knows no collection {name!r}", "see https://ir-datasets.com") from error
    if not collection.has_docs():
        raise InputError(f"{source} has no documents", "name the collection itself, not its queries")
    try:
        for row in collection.docs_iter():
            yield _document(row)
    except (OSError, RuntimeError) as error:
        hint = "fetch it where a network is, and copy the folder of ir_datasets"
        raise NetworkError(f"{source} could not be fetched: {' '.join(str(error).split())[:200]}", hint) from error


def _document(row: Any) -> Document:
    fields = row._asdict()
    identity = fields.pop("doc_id")
    title = fields.pop("title", None)
    field = next((name for name in _TEXTS if isinstance(fields.get(name), str)), None)
    text = fields.pop(field) if field else row.default_text()
    meta = {key: value for key, value in fields.items() if isinstance(value, (str, int, float)) and value != ""}
    return Document(id=identity, text=mended(text), title=(title and mended(title)) or None, meta=meta)
