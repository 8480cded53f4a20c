"""Kinds of files: what a file of a corpus holds, by its name and, where the name says nothing, by its first bytes.

Left out: reading them (`rows.py`, `texts.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

KINDS = ("jsonl", "beir", "tsv", "msmarco", "text", "markdown", "html", "pdf")
"""The names that `format` may take. `beir` reads the rows of `jsonl`, `msmarco` those of `tsv`; they differ in that
their rows are passages already."""

PASSAGES = frozenset(("beir", "tsv", "msmarco"))
"""The kinds whose rows are what retrieval is judged on, so they are not cut unless asked."""

BEIR_NAMES = ("corpus.jsonl", "corpus.jsonl.gz")
"""The file of a folder in BEIR's layout that holds its documents; queries and qrels lie beside it."""

_SUFFIXES: Mapping[str, str] = {
    **dict.fromkeys((".jsonl", ".ndjson"), "jsonl"),
    ".tsv": "tsv",
    **dict.fromkeys((".txt", ".text", ".rst", ".org", ".adoc"), "text"),
    **dict.fromkeys((".md", ".markdown"), "markdown"),
    **dict.fromkeys((".html", ".htm", ".xhtml"), "html"),
    ".pdf": "pdf",
}
_LONGEST_SUFFIX = 5
_CONTROLS = bytes(c for c in range(32) if c not in b"\t\n\f\r\x08\x1b")
"""Bytes that no text holds; back space and escape are in old formatted manuals."""


def kind_by_name(name: str) -> str | None:
    """Return the kind that the name says; "" where it says none; None where it names a type that is not read.

    What follows the last dot is a type when it is short and of small letters or digits, with a letter: `copyright`,
    `README.Debian` and `NEWS.2.0` have none.
    """
    path = PurePath(name)
    bare = path.stem if path.suffix == ".gz" else path.name
    if path.name in BEIR_NAMES:
        return "beir"
    if bare == "collection.tsv":
        return "msmarco"
    suffix = PurePath(bare).suffix
    if suffix.lower() in _SUFFIXES:
        return _SUFFIXES[suffix.lower()]
    rest = suffix[1:]
    says_nothing = not rest.isalnum() or rest != rest.lower() or rest.isdecimal() or len(rest) > _LONGEST_SUFFIX
    return "" if says_nothing else None


def kind_by_content(head: bytes) -> str | None:
    """Return `jsonl`, `html` or `text` by the first bytes of a file, None where they are no text."""
    if head.startswith(b"%PDF-"):
        return "pdf"
    if any(c in _CONTROLS for c in head):
        return None
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:32].lower()
    if start.startswith((b'{"', b"{ ")):
        return "jsonl"
    return "html" if start.startswith((b"<!doctype html", b"<html")) else "text"
