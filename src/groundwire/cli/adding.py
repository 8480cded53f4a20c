"""Adding a corpus to an index: documents in, passages on the disk, a batch at a time, and again where it stopped.

What is in the index already with the same words is skipped, so a run that was interrupted goes on when it is called
again. Left out: the options and the drawing (`index.py`), reading (`groundwire.corpus`), keeping (`groundwire.index`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from groundwire.analysis import analyzer as open_analyzer
from groundwire.corpus import Feed, passages
from groundwire.errors import InputError, MissingIndex, UsageError
from groundwire.index import AnyIndex, check_vacant, create_index, open_index
from groundwire.render import visible
from groundwire.types import Document, Passage

BATCH_PASSAGES = 50_000
BATCH_CHARACTERS = 64_000_000
"""A batch ends at the document that reaches either: what a kill can cost, and what is held in memory."""

SAID = 10
"""Documents in conflict that are named one by one; the others are counted."""


class Target:
    """The index that a corpus goes to: opened where there is one, else made when the first passages are there for it.

    So a corpus without a document leaves no folder behind. Raises UsageError when the index there was made with another
    analyzer than is asked for, or a folder holds something else, and what opening an index raises.
    """

    def __init__(self, place: str, analyzer: str | None) -> None:
        self._place = place
        self._named = {} if analyzer is None else {"analyzer": open_analyzer(analyzer).name}
        self._opened = self._there()
        has = self._opened.analyzer if self._opened else analyzer
        if self._named and self._opened and has != self._named["analyzer"]:
            self.close()
            hint = "leave --analyzer away, or build another index"
            raise UsageError(f"{place} was made with the analyzer {has}, not {analyzer}", hint)

    @property
    def index(self) -> AnyIndex:
        """The index, which is made now if it is not there."""
        if self._opened is None:
            self._opened = create_index(self._place, **self._named)
        return self._opened

    def close(self) -> None:
        """Close the index."""
        if self._opened is not None:
            self._opened.close()

    def info(self) -> dict[str, Any]:
        """Return what the index holds, nothing where none was made."""
        return self._opened.info().to_dict() if self._opened else {}

    def _there(self) -> AnyIndex | None:
        try:
            return open_index(self._place)
        except MissingIndex as error:
            if error.taken:
                raise
            check_vacant(self._place)
            return None


@dataclass(slots=True)
class Tally:
    """Counts what came in. `skipped` passages were there before, `empty` documents have no words, `conflicts` are
    documents whose id stands for other words in the index; `unreadable` and `left_out` are files.
    """

    unique: bool = False
    documents: int = 0
    added: int = 0
    skipped: int = 0
    duplicates: int = 0
    replaced: int = 0
    empty: int = 0
    conflicts: int = 0
    unreadable: list[str] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Return the counts, and of the files that are left out path and reason, as JSON values."""
        left_out = [{"path": path, "why": why} for path, why in self.left_out]
        counts = {name: getattr(self, name) for name in ("documents", "added", "skipped", "duplicates", "replaced")}
        rest = {"empty": self.empty, "conflicts": self.conflicts, "unreadable": self.unreadable, "left_out": left_out}
        return {**counts, **rest}


class Adder:
    """Cuts documents and gives them to the index in batches. Call `flush` at the end.

    `words` is that of `groundwire.corpus.passages`; None leaves rows that are passages whole and cuts documents as usual.
    `say` is told of each document that is not taken.
    """

    def __init__(
        self, target: Target, say: Callable[[str], None], *, words: int | None, unique: bool, replace: bool
    ) -> None:
        self.tally = Tally(unique=unique)
        self._target, self._say = target, say
        self._words, self._unique, self._replace = words, unique, replace
        self._clear()

    @property
    def safe(self) -> int:
        """How many passages of this run are on the disk."""
        return self.tally.added + self._committed

    def feed(self, feed: Feed) -> Iterator[int]:
        """Add all documents of a feed, yielding after each how many passages are done; a file that cannot be read is
        named and counted, from the place on where it cannot.
        """
        words = {} if self._words is None and not feed.passages else {"words": self._words or 0}
        for document in self._readable(feed):
            self._take(document, passages(document, **words))
            yield self.tally.added + self.tally.skipped + self._passages

    def flush(self) -> None:
        """Give what is in hand to the index; it is on the disk when this returns."""
        gone: list[str] = []
        new: list[Passage] = []
        held = self._target.index.held(self._batch) if self._batch else {}
        for document, pieces in self._batch.items():
            there = {piece.id: _content(piece) for piece in held.get(document, ())}
            changed = not there.items() <= {piece.id: _content(piece) for piece in pieces}.items()
            if changed and not self._replace:
                self._refuse(document)
            elif changed:
                gone.append(document)
                new += pieces
            else:
                self.tally.skipped += len(there)
                new += [piece for piece in pieces if piece.id not in there]
        if gone:
            self._target.index.remove(gone)
            self.tally.replaced += len(gone)
        if new:
            self._give(new)
        self._clear()

    def _give(self, new: Sequence[Passage]) -> None:
        taken = self._target.index.add(new, unique=self._unique, progress=self._commit)
        self._committed = 0
        self.tally.added += taken.added
        self.tally.duplicates += taken.duplicates

    def _commit(self, safe: int) -> None:
        self._committed = safe

    def _clear(self) -> None:
        self._batch: dict[str, list[Passage]] = {}
        self._passages = self._characters = self._committed = 0

    def _readable(self, feed: Feed) -> Iterator[Document]:
        try:
            yield from feed.documents()
        except InputError as error:
            self.tally.unreadable.append(feed.name)
            self._say(visible(f"error: {error}"))

    def _take(self, document: Document, pieces: list[Passage]) -> None:
        """Put a document into the batch; of those with the same id the first counts, or with `replace` the last."""
        self.tally.documents += 1
        if not pieces:
            self.tally.empty += 1
            return
        known = self._batch.get(document.id)
        if known is not None:
            if [_content(piece) for piece in known] == [_content(piece) for piece in pieces]:
                self.tally.skipped += len(pieces)
                return
            if not self._replace:
                self._refuse(document.id)
                return
            self.tally.replaced += 1
            self._passages -= len(known)
        self._batch[document.id] = pieces
        self._passages += len(pieces)
        self._characters += sum(len(piece.text) for piece in pieces)
        if self._passages >= BATCH_PASSAGES or self._characters >= BATCH_CHARACTERS:
            self.flush()

    def _refuse(self, document: str) -> None:
        self.tally.conflicts += 1
        if self.tally.conflicts <= SAID:
            why = "is in the index already, with other words or cut in another way"
            self._say(visible(f"error: document {document!r} {why} (hint: --replace puts this one in its place)"))


def _content(passage: Passage) -> tuple[object, ...]:
    return passage.text, passage.title, passage.origin
