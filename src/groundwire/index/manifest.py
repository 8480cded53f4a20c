"""index.json: which files make the index, and their sizes and checksums. It is renamed last, so it is the index.

A reader opens what the manifest names and nothing else; a file that it does not name was never finished, or is no longer
wanted. Two lines: the JSON, and the sha256 of the first line.

Left out: what stands in the files (`postings`, `store`, `segment`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from groundwire import durable
from groundwire.errors import CorruptIndex, MissingIndex, Unavailable

FILE = "index.json"
LOCK = "index.lock"
KIND = "groundwire-index"
STORAGES = ("float32", "int8", "int8+float32", "impacts")
"""How what an encoder gives is kept: vectors, as they are or in one byte a number or both; or terms with whole weights."""
SCHEMA = 1
SUFFIXES = (durable.TEMPORARY, ".postings", ".passages", ".deleted", ".vectors", ".impacts", ".graph")
"""What the names of our files end in, besides the two above; a writer sweeps those that the manifest does not name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEntry:
    """A file as the manifest knows it: bytes, sha256 of all of it, and the seal: sha256 of its tail (`format`)."""

    size: int
    sha256: str
    seal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoding:
    """A model by which passages were encoded. `id` is what files of this index know it by; `identity` the sha256 of its
    manifest; `source` the name that opens it. `storage` is one of `STORAGES`; `size` the numbers of a vector, None where
    terms are weighed; `cosine`: vectors are divided by their length.
    """

    id: int
    kind: str
    model: str
    source: str
    identity: str
    storage: str
    size: int | None = None
    cosine: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PartEntry:
    """A file with what an encoding (by its id) made of some passages of a segment, and that of the graph over it, if any."""

    encoding: int
    file: str
    graph: str | None = None

    @property
    def files(self) -> list[str]:
        """The names of its files."""
        return [self.file, *([self.graph] if self.graph else [])]


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentEntry:
    """A segment: its name, how many passages it holds, deleted ones included, the file of its deletions, if any, and the
    files of its vectors.
    """

    name: str
    passages: int
    deleted: str | None = None
    parts: tuple[PartEntry, ...] = ()

    @property
    def files(self) -> list[str]:
        """The names of its files."""
        deleted = [self.deleted] if self.deleted else []
        return [self.postings, self.store, *deleted, *(file for part in self.parts for file in part.files)]

    @property
    def postings(self) -> str:
        """The file of its inverted lists."""
        return f"{self.name}.postings"

    @property
    def store(self) -> str:
        """The file of its passages."""
        return f"{self.name}.passages"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """One state of an index. `generation` grows with every change, `number` with every file name that was given away."""

    analyzer: str
    generation: int = 0
    number: int = 0
    segments: tuple[SegmentEntry, ...] = ()
    encodings: tuple[Encoding, ...] = ()
    files: Mapping[str, FileEntry] = field(default_factory=dict)

    @property
    def contents(self) -> str:
        """The sha256, in hex, of what is searched: the analyser, the encodings, and the digests of the segments' files.

        Without generation and names: an index that is built again from the same passages in the same way has the same one.
        """
        files = [[self.files[name].sha256 for name in segment.files] for segment in self.segments]
        held = {"analyzer": self.analyzer, "encodings": [asdict(e) for e in self.encodings], "files": files}
        return hashlib.sha256(json.dumps(held, sort_keys=True).encode()).hexdigest()

    def change(
        self,
        segments: tuple[SegmentEntry, ...],
        new: Mapping[str, FileEntry],
        encodings: tuple[Encoding, ...] | None = None,
    ) -> Manifest:
        """Return the next state: these segments, and of the files, old and new, those that they name. `encodings` stay as
        they are unless given.
        """
        files = {**self.files, **new}
        kept = {name: files[name] for segment in segments for name in segment.files}
        held = self.encodings if encodings is None else encodings
        generation, number = self.generation + 1, self.number + 1
        return replace(self, generation=generation, number=number, segments=segments, encodings=held, files=kept)

    def write(self, folder: Path) -> None:
        """Make this the state of the index in `folder`, durably. Raises Unavailable that names the file."""
        body = json.dumps({"kind": KIND, "schema": SCHEMA, **asdict(self)}, sort_keys=True).encode()
        durable.write(folder / FILE, body + b"\n" + hashlib.sha256(body).hexdigest().encode() + b"\n")


def read(folder: Path) -> Manifest:
    """Return the state of the index in `folder`.

    Raises MissingIndex where there is none, CorruptIndex for a damaged manifest, Unavailable for one of a newer version.
    """
    path = folder / FILE
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        if folder.is_file():
            raise MissingIndex(str(folder), "it is a file", taken=True) from error
        reason = f"it has no {FILE}" if folder.is_dir() else "there is no such folder"
        raise MissingIndex(str(folder), reason) from error
    except OSError as error:
        raise durable.cannot("read", path, error) from error
    values = _values(path, data)
    schema = values.pop("schema", None)
    if isinstance(schema, int) and schema > SCHEMA:
        hint = "upgrade groundwire, or build the index again"
        raise Unavailable(f"{folder} was written by a newer version (schema {schema}; this one reads {SCHEMA})", hint)
    if values.pop("kind") != KIND or schema != SCHEMA:
        raise MissingIndex(str(folder), f"its {FILE} is something else", taken=True)
    segments = tuple(_segment(**entry) for entry in values.pop("segments"))
    encodings = tuple(Encoding(**entry) for entry in values.pop("encodings", ()))
    files = {name: FileEntry(**entry) for name, entry in values.pop("files").items()}
    return Manifest(segments=segments, encodings=encodings, files=files, **values)


def _segment(*, parts: Iterable[Mapping[str, Any]] = (), **values: Any) -> SegmentEntry:
    return SegmentEntry(parts=tuple(PartEntry(**part) for part in parts), **values)


def _values(path: Path, data: bytes) -> dict[str, Any]:
    body, _, rest = data.partition(b"\n")
    if rest != hashlib.sha256(body).hexdigest().encode() + b"\n":
        try:
            values = json.loads(data)
        except ValueError:
            values = None
        if isinstance(values, dict) and values.get("kind") != KIND:
            raise MissingIndex(str(path.parent), f"its {FILE} is something else", taken=True)
        raise CorruptIndex(str(path), "it is not what its checksum says")
    values = json.loads(body)
    if not isinstance(values, dict) or "kind" not in values:
        raise MissingIndex(str(path.parent), f"its {FILE} is something else", taken=True)
    return values
