"""The passages of a segment: their texts in small compressed blocks, their ids, and what finds them.

A block is about 16 KiB of JSON lines under zlib. Ids stand in the open, one after the other. Three sorted tables lead from
a 64-bit key (blake2b) to the passages that have it: by id, by document, and by content. A key is a hint, never an answer:
what it finds is compared with the id itself before anything is done with it; only for content the key decides, and there
the price of a collision is one passage reported as a duplicate in 2^64.

Left out: what is deleted (`segment`).
"""

from __future__ import annotations

import hashlib
import json
import threading
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from groundwire import durable
from groundwire.errors import CorruptIndex
from groundwire.index.format import ArrayFile, ArrayWriter, joined, narrow
from groundwire.index.manifest import FileEntry
from groundwire.types import Passage, Span

Values = NDArray[Any]
BLOCK = 1 << 14
"""Bytes of JSON in a block, at least; the passage that reaches them is its last."""
_LEVEL = 1
_REMEMBERED = 64
"""Blocks that are kept unpacked."""
KINDS = ("id", "document", "content")


def encoded(text: str) -> bytes:
    """Return a text as bytes whose order is that of its code points; lone surrogates are legal."""
    return text.encode("utf-8", "surrogatepass")


def keys(texts: Iterable[bytes]) -> Values:
    """Return the 64-bit keys of some byte strings (u8 [n])."""
    return np.frombuffer(b"".join(hashlib.blake2b(text, digest_size=8).digest() for text in texts), "<u8")


def document_of(passage: Passage) -> str:
    """Return the id of the document that a passage belongs to: its own where it was cut from none."""
    return passage.origin.source if passage.origin else passage.id


def content_of(passage: Passage) -> bytes:
    """Return what makes two passages duplicates: title and text."""
    return encoded(f"{passage.title or ''}\n{passage.text}")


class Block(NamedTuple):
    """A compressed block and how many passages are in it."""

    passages: int
    data: bytes


class Keyed(NamedTuple):
    """Keys and the numbers of the passages that have them."""

    keys: Values
    passages: Values


@dataclass(slots=True)
class Pack:
    """Passages on their way to a file, packed as they come."""

    ids: list[bytes] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    _documents: list[tuple[int, bytes]] = field(default_factory=list)
    _lines: list[bytes] = field(default_factory=list)
    _bytes: int = 0
    _packed: int = 0

    def add(self, passage: Passage) -> None:
        """Take one more. Raises TypeError or ValueError for a `meta` that JSON has no words for."""
        line = _line(passage)
        if passage.origin:
            self._documents.append((len(self.ids), encoded(passage.origin.source)))
        self.ids.append(encoded(passage.id))
        self._lines.append(line)
        self._bytes += len(line)
        if self._bytes >= BLOCK:
            self._close()

    def _close(self) -> None:
        if self._lines:
            self.blocks.append(Block(len(self._lines), zlib.compress(b"\n".join(self._lines), _LEVEL)))
            self._packed += len(self.blocks[-1].data)
        self._lines, self._bytes = [], 0

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def nbytes(self) -> int:
        """About how many bytes it holds."""
        return self._packed + self._bytes

    def write(self, path: Path, content: Values) -> FileEntry:
        """Write the passages to `path`, durably. `content` is the key of each one's content."""
        self._close()
        numbers = np.fromiter((n for n, _ in self._documents), np.uint32, len(self._documents))
        every = np.arange(len(self.ids), dtype=np.uint32)
        tables = (
            Keyed(keys(self.ids), every),
            Keyed(keys(d for _, d in self._documents), numbers),
            Keyed(content, every),
        )
        return write(path, [joined(self.ids)], self.blocks, tables)


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
"""`json.dumps` would make a new encoder for every passage."""


def _line(passage: Passage) -> bytes:
    if not passage.origin and not passage.meta:  # most rows; to put two strings together is a third of the work
        title = "" if passage.title is None else f",{_json(passage.title)}"
        return encoded(f"[{_json(passage.text)}{title}]")
    origin = passage.origin and [passage.origin.source, passage.origin.start, passage.origin.end]
    values = [passage.text, passage.title, origin, dict(passage.meta) or None]
    while values[-1] is None:
        values.pop()
    return encoded(_json(values))


def write(
    path: Path, ids: Sequence[tuple[Values, Values]], blocks: Iterable[Block], tables: Sequence[Keyed]
) -> FileEntry:
    """Write a store to `path`, durably: ids as (bytes, starts) one run after the other, and a table for each of KINDS."""
    with durable.replacing(path) as file:
        writer = ArrayWriter(file, {"passages": sum(len(starts) - 1 for _, starts in ids)})
        writer.begin("blocks", "|u1")
        firsts, ends = [0], [0]
        for block in blocks:
            writer.append(np.frombuffer(block.data, np.uint8))
            firsts.append(firsts[-1] + block.passages)
            ends.append(ends[-1] + len(block.data))
        writer.array("block_first", np.array(firsts), "<u4")
        writer.array("block_starts", narrow(np.array(ends, np.uint64)))
        writer.begin("ids", "|u1")
        lengths = [np.zeros(1, np.uint64)]
        for blob, starts in ids:
            writer.append(blob)
            lengths.append(np.diff(starts))
        writer.array("id_starts", narrow(np.cumsum(np.concatenate(lengths), dtype=np.uint64)))
        for kind, table in zip(KINDS, tables, strict=True):
            order = np.argsort(table.keys, kind="stable")
            writer.array(f"{kind}_keys", table.keys[order], "<u8")
            writer.array(f"{kind}_passages", table.passages[order], "<u4")
        return writer.finish()


class Store:
    """The passages of a segment, open. Safe to share between threads."""

    def __init__(self, path: Path, entry: FileEntry) -> None:
        self.file = ArrayFile(path, entry)
        column = self.file.column
        self._blocks, self._firsts, self._starts = column("blocks"), column("block_first"), column("block_starts")
        self._ids, self._id_starts = column("ids"), column("id_starts")
        self._tables = {kind: (column(f"{kind}_keys"), column(f"{kind}_passages")) for kind in KINDS}
        self._remembered: dict[int, list[bytes]] = {}
        self._lock = threading.Lock()

    @property
    def text_bytes(self) -> int:
        """The bytes that the compressed texts take."""
        return self._blocks.nbytes

    def id(self, number: int) -> str:
        """Return the id of a passage."""
        start, stop = self._id_starts.part(number, number + 2).tolist()
        return self._ids.part(start, stop).tobytes().decode("utf-8", "surrogatepass")

    def passage(self, number: int) -> Passage:
        """Return a passage."""
        block = int(np.searchsorted(self._firsts.whole(), np.uint32(number), side="right")) - 1
        return self._read(number, self._lines(block)[number - self._firsts.at(block)])

    def passages(self) -> Iterator[Passage]:
        """Give every passage, in order, those that are deleted too."""
        number = 0
        for block in range(len(self._firsts) - 1):
            for line in self._unpacked(block):
                yield self._read(number, line)
                number += 1

    def find(self, kind: str, wanted: Values) -> tuple[Values, Values]:
        """Return what has these keys: (positions in `wanted`, numbers of passages), one of each for every match."""
        table, numbers = self._tables[kind]
        sorted_keys = table.whole()
        low = np.searchsorted(sorted_keys, wanted)
        many = np.searchsorted(sorted_keys, wanted, side="right") - low
        at = np.repeat(np.arange(len(wanted)), many)
        within = np.arange(len(at)) - np.repeat(np.cumsum(many) - many, many)
        return at, numbers.whole()[np.repeat(low, many) + within]

    def table(self, kind: str) -> Keyed:
        """Return a whole table, sorted by key."""
        table, numbers = self._tables[kind]
        return Keyed(table.whole(), numbers.whole())

    def id_run(self, live: Values | None) -> tuple[Values, Values]:
        """Return the ids as (bytes, starts), of all or of those where `live` is true."""
        if live is None:
            return self._ids.whole(), self._id_starts.whole()
        return joined(encoded(self.id(number)) for number in np.flatnonzero(live).tolist())

    def packed(self, live: Values | None) -> Iterator[Block]:
        """Give the blocks; one that holds deleted passages is packed anew without them."""
        firsts, starts = self._firsts.whole().tolist(), self._starts.whole().tolist()
        for block in range(len(firsts) - 1):
            here = None if live is None else live[firsts[block] : firsts[block + 1]]
            if here is None or here.all():
                yield Block(
                    firsts[block + 1] - firsts[block], self._blocks.part(starts[block], starts[block + 1]).tobytes()
                )
            elif here.any():
                kept = [line for line, alive in zip(self._unpacked(block), here.tolist(), strict=True) if alive]
                yield Block(len(kept), zlib.compress(b"\n".join(kept), _LEVEL))

    def _lines(self, block: int) -> list[bytes]:
        with self._lock:
            lines = self._remembered.get(block)
        if lines is None:
            lines = self._unpacked(block)
            if sum(map(len, lines)) <= 4 * BLOCK:
                with self._lock:
                    while len(self._remembered) >= _REMEMBERED:
                        del self._remembered[next(iter(self._remembered))]
                    self._remembered[block] = lines
        return lines

    def _unpacked(self, block: int) -> list[bytes]:
        start, stop = self._starts.part(block, block + 2).tolist()
        try:
            return zlib.decompress(self._blocks.part(start, stop).data).split(b"\n")
        except zlib.error as error:
            raise CorruptIndex(str(self.file.path), f"block {block} cannot be unpacked") from error

    def _read(self, number: int, line: bytes) -> Passage:
        text, title, origin, meta = [*json.loads(line.decode("utf-8", "surrogatepass")), None, None, None][:4]
        span = Span(source=origin[0], start=origin[1], end=origin[2]) if origin else None
        return Passage(id=self.id(number), text=text, title=title, origin=span, meta=meta or {})
