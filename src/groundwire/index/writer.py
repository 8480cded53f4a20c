"""Adding passages to an index: what is taken, what is refused, and when it is committed.

Passages are looked at in small batches, so that ids and contents can be looked up in all segments at once. A full buffer is
written as a segment and committed; what is committed stays, also when the run ends there. Given again with
`existing="skip"`, the same corpus goes on where it was.

Left out: the index itself (`local`) and the sorting (`build`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from groundwire.errors import InputError
from groundwire.index import store
from groundwire.index.build import Analyzer, Buffer
from groundwire.index.segment import Segment
from groundwire.types import Passage

Values = NDArray[Any]

EXISTING = ("error", "skip", "replace")
_BATCH = 1024
_BATCH_CHARACTERS = 4 << 20


@dataclass(slots=True, kw_only=True)
class Added:
    """What became of the given passages.

    `duplicates` have the title and text of a passage that is there (`unique` drops them, else they are in `added` too);
    `skipped` have an id that is there; `replaced` took the place of the one that had their id.
    """

    added: int = 0
    duplicates: int = 0
    skipped: int = 0
    replaced: int = 0

    def to_dict(self) -> dict[str, int]:
        """Return the four numbers by name."""
        return asdict(self)


class Target(Protocol):
    """Where passages are added: the open segments, and what makes a buffer part of them."""

    @property
    def segments(self) -> Sequence[Segment]:
        """The current segments."""
        ...

    def commit(self, buffer: Buffer, dead: Sequence[Values]) -> None:
        """Write the buffer and delete, in each segment, the passages that are true in `dead`; then both are on the disk."""
        ...


class Adding:
    """One call of `add`."""

    def __init__(
        self, target: Target, analyzer: Analyzer, unique: bool, existing: str, progress: Callable[[int], None] | None
    ) -> None:
        self.done = Added()
        self._target = target
        self._unique = unique
        self._existing = existing
        self._progress = progress
        self._buffer = Buffer(analyzer)
        self._ids: set[str] = set()
        self._contents: set[int] = set()
        self._forget()

    def run(self, passages: Iterable[Passage]) -> Added:
        """Add them all. Raises InputError for a passage that cannot be taken; what was committed before stays."""
        for batch in batches(passages):
            self._take(self._fresh(batch))
            if self._buffer.full:
                self._commit()
        self._commit()
        return self.done

    def _commit(self) -> None:
        if len(self._buffer) or any(dead.any() for dead in self._dead):
            self._target.commit(self._buffer, self._dead)
            if self._progress:
                self._progress(self.done.added)
        self._buffer.clear()
        self._forget()

    def _forget(self) -> None:
        self._ids.clear()
        self._contents.clear()
        self._dead = [np.zeros(segment.entry.passages, bool) for segment in self._target.segments]

    def _fresh(self, batch: list[Passage]) -> list[Passage]:
        """Return those of the batch whose ids may be taken; with "replace" those that had the ids are marked."""
        last = {passage.id: place for place, passage in enumerate(batch)}
        if self._existing == "replace":
            batch = [passage for place, passage in enumerate(batch) if last[passage.id] == place]
            if not self._ids.isdisjoint(last):
                self._commit()
        here = self._standing(batch)
        fresh: list[Passage] = []
        for passage, place in zip(batch, here, strict=True):
            if place is not None and self._existing == "replace":
                self._dead[place[0]][place[1]] = True
                self.done.replaced += 1
            elif place is not None or passage.id in self._ids:
                if self._existing == "error":
                    where = "is given twice" if place is None else "is in the index already"
                    raise InputError(
                        f"the passage id {passage.id!r} {where}", "remove it first, or ask to skip or replace"
                    )
                self.done.skipped += 1
                continue
            self._ids.add(passage.id)
            fresh.append(passage)
        return fresh

    def _standing(self, batch: list[Passage]) -> list[tuple[int, int] | None]:
        """Return for each passage the segment and the number of the live one that has its id, or None."""
        found: list[tuple[int, int] | None] = [None] * len(batch)
        wanted = store.keys(store.encoded(passage.id) for passage in batch)
        for i, segment in enumerate(self._target.segments):
            for at, number in self._matches(i, segment, "id", wanted):
                if segment.store.id(number) == batch[at].id:
                    found[at] = (i, number)
        return found

    def _matches(self, i: int, segment: Segment, kind: str, wanted: Values) -> Iterator[tuple[int, int]]:
        at, numbers = segment.store.find(kind, wanted)
        live = segment.is_live(numbers) & ~self._dead[i][numbers]
        return zip(at[live].tolist(), numbers[live].tolist(), strict=True)

    def _take(self, passages: list[Passage]) -> None:
        """Put passages into the buffer, all or those whose content is new."""
        content = store.keys(map(store.content_of, passages))
        old = np.zeros(len(passages), bool)
        for i, segment in enumerate(self._target.segments):
            for at, _ in self._matches(i, segment, "content", content):
                old[at] = True
        for at, key in enumerate(content.tolist()):
            old[at] |= key in self._contents
            self._contents.add(key)
        self.done.duplicates += int(old.sum())
        if self._unique and old.any():
            passages = [passage for passage, known in zip(passages, old.tolist(), strict=True) if not known]
            content = content[~old]
        self._buffer.add(passages, content)
        self.done.added += len(passages)


def batches(passages: Iterable[Passage]) -> Iterator[list[Passage]]:
    """Give passages in lists of limited size. Raises InputError for what is no passage or has no id."""
    batch: list[Passage] = []
    characters = 0
    for passage in passages:
        if not isinstance(passage, Passage) or not isinstance(passage.id, str) or not isinstance(passage.text, str):
            raise InputError(f"{type(passage).__name__} is no passage with an id and a text", "give groundwire.Passage")
        if not passage.id:
            raise InputError("a passage has an empty id", "give every passage an id of its own")
        batch.append(passage)
        characters += len(passage.text)
        if len(batch) >= _BATCH or characters >= _BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch
