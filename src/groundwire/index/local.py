"""An index in a folder on this machine: made, added to, searched, and never left half changed.

Every change writes new files and then the manifest; a reader that opened the index before goes on with the files it has.
One process writes at a time (`index.lock`); any number reads. What a method returned from is on the disk.

Left out: indexes on other machines.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from groundwire import durable
from groundwire.analysis import analyzer as open_analyzer
from groundwire.closing import Closing
from groundwire.errors import CorruptIndex, InputError, Unavailable, UnknownName, UsageError
from groundwire.index import combine, encoders, merge, store
from groundwire.index import manifest as manifests
from groundwire.index.bm25 import K1, B, Bm25
from groundwire.index.build import Buffer
from groundwire.index.dense import Dense
from groundwire.index.embedding import Embedded, Embedding, Progress
from groundwire.index.encoders import Encoder, Kind
from groundwire.index.info import IndexInfo, described
from groundwire.index.manifest import STORAGES, Encoding, FileEntry, Manifest, SegmentEntry
from groundwire.index.segment import Segment
from groundwire.index.sparse import Sparse
from groundwire.index.state import State, opened, renewed
from groundwire.index.writer import EXISTING, Added, Adding
from groundwire.types import Passage

Values = NDArray[Any]
_MANY = 16
"""With so many segments a long run merges before it goes on."""


class LocalIndex(Closing):
    """An index in a folder; a context manager. Threads may share it.

    Every method that reads raises CorruptIndex, which names the file, before it gives anything made of damaged bytes; every
    method that writes raises Unavailable when another process writes, the disk is full or the folder is read-only, and then
    the index is as it was after the last change that was whole.
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
            durable.make_folder(path)
        except OSError as error:
            raise durable.cannot("write", path, error) from error
        check_vacant(path)
        with durable.single_writer(path / manifests.LOCK):
            Manifest(analyzer=name).write(path)
        return cls.open(path)

    @classmethod
    def open(cls, folder: str | Path) -> Self:
        """Open the index in `folder`. Raises MissingIndex, CorruptIndex, and Unavailable for one of a newer version."""
        path = Path(folder)
        return cls(path, opened(path, None))

    def __repr__(self) -> str:
        return f"LocalIndex({str(self.folder)!r})"

    @property
    def analyzer(self) -> str:
        """The name of what takes texts apart."""
        return self._analyzer.name

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
        self._state = opened(self.folder, self.snapshot())

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
        return described(self.snapshot())

    def contents(self) -> str:
        """Return a digest, in hex, of what is searched: whatever is added, removed or replaced changes it."""
        return self.snapshot().manifest.contents

    def passage(self, id: str) -> Passage:  # noqa: A002 - the field's name
        """Return the passage with this id. Raises InputError when there is none."""
        wanted = store.keys([store.encoded(id)])
        for segment in self.segments:
            _, numbers = segment.store.find("id", wanted)
            for number in numbers[segment.is_live(numbers)].tolist():
                if segment.store.id(number) == id:
                    return segment.store.passage(number)
        raise InputError(f"the index has no passage {id!r}", "passage ids are compared letter by letter")

    def held(self, ids: Iterable[str]) -> dict[str, list[Passage]]:
        """Return the passages under these ids and those of the documents with these ids, by id; none for an unknown one."""
        wanted = list(dict.fromkeys(ids))
        found: dict[str, dict[str, Passage]] = {}
        for segment in self.segments:
            for id_, number in _found(segment, wanted):
                passage = segment.store.passage(number)
                found.setdefault(id_, {})[passage.id] = passage
        return {id_: list(passages.values()) for id_, passages in found.items()}

    def passages(self) -> Iterator[Passage]:
        """Give every passage of the state that is seen when this is called."""
        segments = self.segments

        def live() -> Iterator[Passage]:
            for segment in segments:
                for number, passage in enumerate(segment.store.passages()):
                    if segment.alive is None or segment.alive[number]:
                        yield passage

        return live()

    def page(self, offset: int, limit: int) -> list[Passage]:
        """Return `limit` passages from the `offset`th on, in the order of `passages`; what lies before is not read."""
        found: list[Passage] = []
        for segment in self.segments:
            if offset >= segment.live:
                offset -= segment.live
                continue
            live = np.arange(segment.live) if segment.alive is None else np.flatnonzero(segment.alive)
            numbers = live[offset : offset + limit - len(found)].tolist()
            found += map(segment.store.passage, numbers)
            if len(found) == limit:
                break
            offset = 0
        return found

    def bm25(self, *, k1: float = K1, b: float = B, lengths: str = "accurate") -> Bm25:
        """Return a retriever that ranks by BM25. It sees what is added to this object later."""
        return Bm25(self, self._analyzer, k1=k1, b=b, lengths=lengths)

    def embed(
        self,
        model: str | Encoder,
        *,
        kind: Kind | None = None,
        storage: str = "float32",
        cosine: bool = False,
        again: bool = False,
        graph: bool | None = None,
        progress: Progress | None = None,
    ) -> Embedded:
        """Encode the passages that a model (a name, or one that is open) has made nothing of yet; they are on the disk then.

        A long run is committed piece by piece; `progress` is told how many of how many are done. Vectors of other models
        stay beside. `storage` is "float32", "int8" or "int8+float32"; `again` encodes all anew. Raises UnknownName for
        another storage, Unavailable for another version of a model that is there, and what opening a model raises.

        `graph` makes dense search look at a part of the passages alone (the extra usearch; MissingExtra without it). None:
        where a segment holds more than a million, and usearch is there.
        """
        if storage not in STORAGES[:-1]:
            raise UnknownName("storage of vectors", storage, STORAGES[:-1])
        encoder, found, source = encoders.opened(model, kind)
        with self._changing():
            run = Embedding(self, encoder, found, source, storage=storage, cosine=cosine, graphs=graph)
            return run.run(again=again, progress=progress)

    def dense(self, model: str | Encoder | None = None, *, exact: bool = False) -> Dense:
        """Return a retriever over the vectors of a model, None for the only one; as `bm25`, it sees what comes later.

        `exact` compares all vectors, also where there is a graph. Raises Unavailable where there are none, UsageError where
        there are several and none is named.
        """
        encoding, encoder, name = self._encoder("dense", model)
        return Dense(self, encoding, encoder, name, exact=exact)

    def sparse(self, model: str | Encoder | None = None) -> Sparse:
        """Return a retriever over the weights that a model gave to terms; otherwise as `dense`."""
        encoding, encoder, name = self._encoder("sparse", model)
        return Sparse(self, encoding, encoder, name)

    def _encoder(self, kind: Kind, model: str | Encoder | None) -> tuple[Encoding, Any, str]:
        given = model if model is None or isinstance(model, str) else model.name
        encoding = encoders.find(self.snapshot().manifest, self.folder, kind, given)
        opened = model if model is not None and not isinstance(model, str) else encoding.source
        encoder, _, _ = encoders.opened(opened, kind)
        encoders.check_same(encoder, encoding, self.folder)
        return encoding, encoder, kind if given is None else f"{kind}(model={given})"

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
        self.publish([*kept, *([built.segment] if built else [])], {**new, **more})

    def _delete(self, dead: Sequence[Values]) -> None:
        number = self.snapshot().manifest.number + 1
        kept, new = self._without(dead, number)
        self.publish(kept, new)

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
        built = combine.segments(self.folder, number, ordered, self.snapshot().manifest.encodings)
        kept = [segment.entry for i, segment in enumerate(segments) if i not in set(chosen)]
        self.publish([*kept, *([built.segment] if built else [])], dict(built.files) if built else {})

    def publish(
        self,
        segments: Sequence[SegmentEntry],
        new: Mapping[str, FileEntry],
        encodings: Sequence[Encoding] | None = None,
    ) -> None:
        """Make these the segments, and the encodings where they are given, durably. Only what changes the index calls this."""
        state = self.snapshot()
        manifest = state.manifest.change(tuple(segments), new, None if encodings is None else tuple(encodings))
        manifest.write(self.folder)
        self._state = renewed(self.folder, manifest, state)
        durable.sweep(self.folder, manifest.files, manifests.SUFFIXES)

    def _numbers(self, segment: Segment, ids: Sequence[str]) -> Values:
        """Return the live passages of a segment that have one of these ids or belong to one of these documents."""
        return np.array(sorted({number for _, number in _found(segment, ids)}), np.intp)


def _found(segment: Segment, ids: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Give each of these ids with each live passage that has it or belongs to the document that has it; some twice."""
    wanted = store.keys(map(store.encoded, ids))
    for kind in ("id", "document"):
        at, numbers = segment.store.find(kind, wanted)
        live = segment.is_live(numbers)
        for place, number in zip(at[live].tolist(), numbers[live].tolist(), strict=True):
            own = segment.store.id(number) if kind == "id" else store.document_of(segment.store.passage(number))
            if own == ids[place]:
                yield own, number


def check_vacant(folder: str | Path) -> None:
    """Raise UsageError where `folder` holds an index or anything else; one that is not there yet is vacant."""
    path = Path(folder)
    try:
        there = path.iterdir() if path.is_dir() else ()
        found = sorted(entry.name for entry in there if not entry.name.endswith(durable.TEMPORARY))
    except OSError as error:
        raise durable.cannot("read", path, error) from error
    if manifests.FILE in found:
        raise UsageError(f"{path} holds an index already", "open it to add to it, or name another folder")
    if others := [name for name in found if name != manifests.LOCK]:
        raise UsageError(f"{path} is not empty: it holds {others[0]}", "name a new folder for the index")


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
