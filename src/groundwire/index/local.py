"""An index in a folder on this machine: made, added to, searched, and never left half changed.

Every change writes new files and then the manifest; a reader that opened the index before goes on with the files it has.
One process writes at a time (`index.lock`); any number reads. What a method returned from is on the disk.

Left out: dense and neural sparse vectors, and indexes on other machines.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from groundwire import durable
from groundwire.analysis import analyzer as open_analyzer
from groundwire.errors import CorruptIndex, InputError, Unavailable, UnknownName, UsageError
from groundwire.index import manifest as manifests
from groundwire.index import merge, store
from groundwire.index.bm25 import K1, B, Bm25
from groundwire.index.build import Buffer
from groundwire.index.manifest import FileEntry, Manifest, SegmentEntry
from groundwire.index.segment import Segment
from groundwire.index.writer import EXISTING, Added, Adding
from groundwire.types import Passage

Values = NDArray[Any]
_MANY = 16
"""With so many segments a long run merges before it goes on."""
_TRIES = 5
"""How often opening starts anew when a writer takes files away meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexInfo:
    """What is in an index. Deleted passages count in `deleted` and in `bytes` alone.

    `bytes` are all files, `text_bytes` the compressed texts among them. `tokens` and `terms` are after analysis.
    """

    analyzer: str
    passages: int
    documents: int
    segments: int
    deleted: int
    tokens: int
    terms: int
    bytes: int
    text_bytes: int
    generation: int

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers by name."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class State:
    """One state of an index: its manifest, and its segments open, largest first."""

    manifest: Manifest
    segments: tuple[Segment, ...]


class LocalIndex:
    """An index in a folder; a context manager. Threads may share it.

    Every method that reads raises CorruptIndex, which names the file, before it gives anything made of damaged bytes; every
    method that writes raises Unavailable when another process writes, the disk is full or the folder is read-only, and then
    the index is as it was.
    """

    def __init__(self, folder: Path, state: State) -> None:
        self.folder = folder
        self._state: State | None = state
        self._writing = threading.Lock()
        self._analyzer = open_analyzer(state.manifest.analyzer)

    @classmethod
    def create(cls, folder: str | Path, *, analyzer: str = "english") -> Self:
        """Make an empty index in `folder`, which is made too. `analyzer` cannot be changed later.

        Raises UsageError where there is an index or something else, UnknownName for an unknown analyser.
        """
        path = Path(folder)
        name = open_analyzer(analyzer).name
        try:
            path.mkdir(parents=True, exist_ok=True)
            found = sorted(entry.name for entry in path.iterdir() if not entry.name.endswith(durable.TEMPORARY))
        except OSError as error:
            raise durable.cannot("write", path, error) from error
        if manifests.FILE in found:
            raise UsageError(f"{path} holds an index already", "open it to add to it, or name another folder")
        if set(found) - {manifests.LOCK}:
            raise UsageError(f"{path} is not empty: it holds {found[0]}", "name a new folder for the index")
        with durable.single_writer(path / manifests.LOCK):
            Manifest(analyzer=name).write(path)
        return cls.open(path)

    @classmethod
    def open(cls, folder: str | Path) -> Self:
        """Open the index in `folder`. Raises MissingIndex, CorruptIndex, and Unavailable for one of a newer version."""
        path = Path(folder)
        return cls(path, _opened(path, None))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"LocalIndex({str(self.folder)!r})"

    def close(self) -> None:
        """Let go of the files. Twice is once."""
        self._state = None

    def snapshot(self) -> State:
        """Return the state as this object sees it: as opened, with what it changed itself, until `refresh`."""
        if self._state is None:
            raise Unavailable(f"the index {self.folder} is closed", "open it again")
        return self._state

    def refresh(self) -> None:
        """See what other processes have changed."""
        self._state = _opened(self.folder, self.snapshot())

    @property
    def segments(self) -> Sequence[Segment]:
        """The open segments, largest first."""
        return self.snapshot().segments

    def add(
        self,
        passages: Iterable[Passage],
        *,
        unique: bool = False,
        existing: str = "error",
        progress: Callable[[int], None] | None = None,
    ) -> Added:
        """Add passages, in constant memory; they are on the disk when this returns.

        A long run is committed piece by piece; `progress` is then called with how many were added so far and are safe.
        `unique` drops passages whose title and text are there already. `existing` says what becomes of a passage whose id is
        there: "error" (InputError that names it; what was committed stays), "skip", or "replace".
        """
        if existing not in EXISTING:
            raise UnknownName("way to treat existing ids", existing, EXISTING)
        with self._changing():
            done = Adding(self, self._analyzer, unique, existing, progress).run(passages)
            self._settle()
        return done

    def remove(self, ids: Iterable[str]) -> int:
        """Remove passages by their ids, or all passages of documents by theirs; return how many passages went."""
        with self._changing():
            wanted = list(dict.fromkeys(ids))
            dead = [self._numbers(segment, wanted) for segment in self.segments]
            count = sum(map(len, dead))
            if count:
                self._delete(dead)
            return count

    def compact(self) -> None:
        """Make one segment of all, without what is deleted."""
        with self._changing():
            if len(self.segments) > 1 or any(segment.alive is not None for segment in self.segments):
                self._merge(list(range(len(self.segments))))

    def check(self) -> list[str]:
        """Read every byte of the index on the disk; return what is wrong with it, a line a file; [] when it is sound."""
        return check(self.folder)

    def info(self) -> IndexInfo:
        """Return what is in the index."""
        state = self.snapshot()
        segments = state.segments
        terms = len(set().union(*(segment.live_terms() for segment in segments)))
        documents = np.concatenate([np.zeros(0, np.uint64), *map(_documents, segments)])
        live = sum(segment.live for segment in segments)
        return IndexInfo(
            analyzer=state.manifest.analyzer,
            passages=live,
            documents=len(np.unique(documents)),
            segments=len(segments),
            deleted=sum(segment.entry.passages for segment in segments) - live,
            tokens=sum(segment.tokens for segment in segments),
            terms=terms,
            bytes=sum(entry.size for entry in state.manifest.files.values()),
            text_bytes=sum(segment.store.text_bytes for segment in segments),
            generation=state.manifest.generation,
        )

    def passage(self, id: str) -> Passage:  # noqa: A002 - the field's name
        """Return the passage with this id. Raises InputError when there is none."""
        wanted = store.keys([store.encoded(id)])
        for segment in self.segments:
            _, numbers = segment.store.find("id", wanted)
            for number in numbers[segment.is_live(numbers)].tolist():
                if segment.store.id(number) == id:
                    return segment.store.passage(number)
        raise InputError(f"the index has no passage {id!r}", "passage ids are compared letter by letter")

    def passages(self) -> Iterator[Passage]:
        """Give every passage of the state that is seen when this is called."""
        segments = self.segments

        def live() -> Iterator[Passage]:
            for segment in segments:
                for number, passage in enumerate(segment.store.passages()):
                    if segment.alive is None or segment.alive[number]:
                        yield passage

        return live()

    def bm25(self, *, k1: float = K1, b: float = B, lengths: str = "accurate") -> Bm25:
        """Return a retriever that ranks by BM25. It sees what is added to this object later."""
        return Bm25(self, self._analyzer, k1=k1, b=b, lengths=lengths)

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Be the one writer, see the latest state, and begin without what a killed writer has left."""
        self.snapshot()
        with self._writing, durable.single_writer(self.folder / manifests.LOCK):
            self.refresh()
            durable.sweep(self.folder, self.snapshot().manifest.files, manifests.SUFFIXES)
            yield

    def commit(self, buffer: Buffer, dead: Sequence[Values]) -> None:
        """Write the buffer as a segment and the deletions with it, in one change. Only `add` calls this."""
        if len(self.segments) >= _MANY and not any(d.any() for d in dead):
            self._settle()
            dead = []
        number = self.snapshot().manifest.number + 1
        built = buffer.write(self.folder, f"s{number:06d}") if len(buffer) else None
        new = {} if built is None else dict(built.files)
        kept, more = self._without([np.flatnonzero(d) for d in dead], number)
        self._publish([*kept, *([built.segment] if built else [])], {**new, **more}, number)

    def _delete(self, dead: Sequence[Values]) -> None:
        number = self.snapshot().manifest.number + 1
        kept, new = self._without(dead, number)
        self._publish(kept, new, number)

    def _without(self, dead: Sequence[Values], number: int) -> tuple[list[SegmentEntry], dict[str, FileEntry]]:
        """Write deletions; return the entries of the segments that have something left, and the new files."""
        kept, new = [], {}
        for segment, numbers in zip(self.segments, dead or [np.zeros(0, np.intp)] * len(self.segments), strict=True):
            if not len(numbers):
                kept.append(segment.entry)
            elif len(numbers) < segment.live:
                entry, files = segment.delete(self.folder, number, numbers)
                kept.append(entry)
                new.update(files)
        return kept, new

    def _settle(self) -> None:
        """Merge segments until none has to be."""
        while chosen := merge.chosen([segment.live for segment in self.segments]):
            self._merge(chosen)

    def _merge(self, chosen: Sequence[int]) -> None:
        segments = self.segments
        number = self.snapshot().manifest.number + 1
        ordered = sorted((segments[i] for i in chosen), key=lambda segment: segment.entry.name)
        built = merge.merge(self.folder, f"s{number:06d}", ordered)
        kept = [segment.entry for i, segment in enumerate(segments) if i not in set(chosen)]
        self._publish([*kept, *([built.segment] if built else [])], dict(built.files) if built else {}, number)

    def _publish(self, segments: Sequence[SegmentEntry], new: dict[str, FileEntry], number: int) -> None:
        state = self.snapshot()
        manifest = state.manifest.change(tuple(segments), new, number)
        manifest.write(self.folder)
        self._state = _with(self.folder, manifest, state)
        durable.sweep(self.folder, manifest.files, manifests.SUFFIXES)

    def _numbers(self, segment: Segment, ids: Sequence[str]) -> Values:
        """Return the live passages of a segment that have one of these ids or belong to one of these documents."""
        wanted = store.keys(map(store.encoded, ids))
        found: set[int] = set()
        for kind in ("id", "document"):
            at, numbers = segment.store.find(kind, wanted)
            live = segment.is_live(numbers)
            for place, number in zip(at[live].tolist(), numbers[live].tolist(), strict=True):
                own = segment.store.id(number) if kind == "id" else store.document_of(segment.store.passage(number))
                if own == ids[place]:
                    found.add(number)
        return np.array(sorted(found), np.intp)


def _opened(folder: Path, before: State | None) -> State:
    """Open the state that the manifest in `folder` names; a writer may be at work."""
    for _ in range(_TRIES - 1):
        manifest = manifests.read(folder)
        if before is not None and manifest == before.manifest:
            return before
        try:
            return _with(folder, manifest, before)
        except CorruptIndex:
            if manifests.read(folder).generation == manifest.generation:
                raise
    return _with(folder, manifests.read(folder), before)


def _with(folder: Path, manifest: Manifest, before: State | None) -> State:
    """Open a state; segments that did not change since the one before stay open."""
    known = {segment.entry: segment for segment in before.segments} if before else {}
    segments = [known.get(entry) or Segment(folder, entry, manifest) for entry in manifest.segments]
    return State(manifest=manifest, segments=tuple(sorted(segments, key=lambda s: (-s.live, s.entry.name))))


def _documents(segment: Segment) -> Values:
    """Return the keys of the documents of all live passages."""
    cut, own = segment.store.table("document"), segment.store.table("id")
    whole = np.ones(segment.entry.passages, bool)
    whole[cut.passages] = False
    keys = [cut.keys[segment.is_live(cut.passages)], own.keys[whole[own.passages] & segment.is_live(own.passages)]]
    return np.concatenate(keys)


def check(folder: str | Path) -> list[str]:
    """Read every byte of the index in `folder`; return what is wrong, a line a file; [] when it is sound.

    Raises MissingIndex where there is none, and Unavailable for one of a newer version.
    """
    path, problems = Path(folder), []
    try:
        files = manifests.read(path).files
    except CorruptIndex as error:
        return [error.message]
    for name, entry in sorted(files.items()):
        try:
            found = durable.digest(path / name)
        except FileNotFoundError:
            problems.append(f"{path / name} is missing")
        except OSError as error:
            problems.append(durable.cannot("read", path / name, error).message)
        else:
            if (found.sha256, found.size) != (entry.sha256, entry.size):
                problems.append(f"{path / name} is not the file that {manifests.FILE} lists")
    return problems
