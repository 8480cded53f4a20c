"""A corpus as a list of feeds: every file of it that can be read, in order, and how to read it.

Left out: reading (`rows.py`, `texts.py`) and cutting (`passages.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from groundwire.corpus import rows, texts
from groundwire.corpus.catalogued import PREFIX, catalogued
from groundwire.corpus.kinds import BEIR_NAMES, KINDS, PASSAGES, kind_by_content, kind_by_name
from groundwire.corpus.opening import STDIN, Opened
from groundwire.errors import InputError, UnknownName
from groundwire.types import Document

Warn = Callable[[str, str], None]
"""Told (path, why) of each file of a folder that is left out."""

_READERS: Mapping[str, Callable[[Opened, str], Iterator[Document]]] = {
    **dict.fromkeys(("jsonl", "beir"), rows.json_rows),
    **dict.fromkeys(("tsv", "msmarco"), rows.tab_rows),
    "text": texts.plain_text,
    "markdown": texts.markdown,
    "html": texts.html,
    "pdf": texts.pdf,
}
_FORMATS = "a format is jsonl, beir, tsv, msmarco, text, markdown, html or pdf"


class Feed:
    """One file of a corpus, standard input, or a named collection.

    `name` is what its documents are named after, `size` its bytes where they are known, `passages` says that its rows are
    passages already. `documents` may be read once.
    """

    def __init__(self, path: str | Path, name: str, kind: str) -> None:
        self.path, self.name, self._kind = path, name, kind
        self._file: Opened | None = None
        self._read = 0
        known = isinstance(path, Path) and path.is_file()
        self.size: int | None = Path(path).stat().st_size if known else None

    @property
    def passages(self) -> bool:
        """True where rows are passages already, and are not cut unless asked."""
        return self._kind in PASSAGES or self._kind == PREFIX

    def read(self) -> int:
        """Return how many of the bytes are read."""
        return self._file.position() if self._file else self._read

    def documents(self) -> Iterator[Document]:
        """Yield the documents as they are asked for. Raises InputError, which names the file and the line."""
        if self._kind == PREFIX:
            yield from catalogued(str(self.path))
            return
        try:
            with Opened(self.path) as self._file:
                reader = _READERS[self._kind or kind_by_content(self._file.head) or "text"]
                yield from reader(self._file, self.name)
        finally:
            self._file, self._read = None, self.size or 0


def feeds(source: str | Path, *, format: str | None = None, warn: Warn | None = None) -> list[Feed]:  # noqa: A002
    """Return the feeds of a file, a folder, `-` or `ir_datasets:NAME`; `format` overrides what the names say.

    A folder is walked in sorted order; hidden files and folders are left out, and of a folder in BEIR's layout all but
    the corpus. Files of a kind that is not read, and links that lead nowhere or back, go to `warn`. Raises InputError
    and UnknownName.
    """
    if format is not None and format not in KINDS:
        raise UnknownName("format", format, KINDS)
    if isinstance(source, str):
        if source == STDIN:
            return [Feed(STDIN, "stdin", format or "")]
        if source.startswith(PREFIX):
            return [Feed(source, source, PREFIX)]
    path = Path(source)
    if path.is_dir():
        found = [Feed(file, name, kind) for file, name, kind in _walk(path, path.resolve().name, format, warn, ())]
    else:
        found = [Feed(path, path.name, format or _file_kind(path))]
    return found


def _file_kind(path: Path) -> str:
    """Return the kind of a file that was named, which may be of any type as long as it is text."""
    with Opened(path) as file:
        kind = kind_by_name(path.name) or kind_by_content(file.head)
    if path.name.removesuffix(".gz").lower().endswith(".json"):
        return "jsonl"
    if kind is None:
        raise InputError(f"{path} is no text, and its name says no kind that is read", _FORMATS)
    return kind


def _walk(
    folder: Path, name: str, forced: str | None, warn: Warn | None, above: tuple[Path, ...]
) -> Iterator[tuple[Path, str, str]]:
    """Yield (path, name, kind) of the files to read. `above` are the real paths of the folders that lead here."""
    here = folder.resolve()
    try:
        entries = sorted(entry for entry in folder.iterdir() if not entry.name.startswith("."))
    except OSError as error:
        _tell(warn, folder, f"cannot be read: {error.strerror}")
        return
    corpus = [entry for entry in entries if entry.name in BEIR_NAMES] if forced in (None, "beir") else []
    for entry in corpus[:1] or entries:
        label = f"{name}/{entry.name}"
        if entry.is_dir():
            if here in above or entry.resolve() in (*above, here):
                _tell(warn, entry, "a link back to a folder above it")
            else:
                yield from _walk(entry, label, forced, warn, (*above, here))
        elif not entry.is_file():
            _tell(warn, entry, "a link that leads nowhere" if entry.is_symlink() else "no regular file")
        elif (kind := _folder_kind(entry, forced, warn)) is not None:
            yield entry, label, kind


def _folder_kind(path: Path, forced: str | None, warn: Warn | None) -> str | None:
    """Return the kind of a file that was found in a folder, or tell why it is left out."""
    named = kind_by_name(path.name)
    if named is None and forced is None:
        _tell(warn, path, "unknown kind")
        return None
    if named and forced is None:
        return named
    try:
        with Opened(path) as file:
            found = kind_by_content(file.head)
    except InputError:  # reading it will say so
        return forced or "text"
    if found is None or (found == "pdf" != (forced or found)):
        _tell(warn, path, "no text")
        return None
    return forced or found


def _tell(warn: Warn | None, path: Path, why: str) -> None:
    if warn is not None:
        warn(str(path), why)
