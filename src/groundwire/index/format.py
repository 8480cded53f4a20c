"""A file of named arrays that finds every flipped bit before it gives an answer, and opens without being read.

Layout: 8 bytes of magic, the arrays one after the other (little-endian, each starting at a multiple of 64), then the tail:
the CRC-32 of every 64 KiB of what stands before it, a JSON directory (name, dtype, length and place of each array, and the
facts), and 16 bytes that say how long these are. Opening reads the tail alone and holds it against the seal
(sha256 of the tail) that the index's manifest keeps, so a file cut, swapped or of another generation is found at once. A
block is checked when it is first touched, every time the file is opened. Nothing is unpickled; numpy only sees views.

Left out: compression (`store` packs its own blocks); changing a file, which is written once; and files that somebody else
cuts while they are open, which no memory map survives.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import struct
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from groundwire import durable
from groundwire.errors import CorruptIndex
from groundwire.index.manifest import FileEntry

MAGIC = b"GWARRAY1"
BLOCK = 1 << 16
_BITS = 16
_FIXED = struct.Struct("<II8s")
"""How many blocks, bytes of the directory, magic."""
_TYPES = {"|u1", "|i1", "<u2", "<u4", "<u8", "<f4"}

Values = NDArray[Any]


class ArrayWriter:
    """Writes one file. `begin` an array and `append` to it, again and again; `array` does both. `finish` ends the file."""

    def __init__(self, file: BinaryIO, facts: Mapping[str, Any]) -> None:
        self._file = file
        self._facts = dict(facts)
        self._arrays: dict[str, list[Any]] = {}
        self._sha = hashlib.sha256()
        self._sums: list[int] = []
        self._size = 0
        self._sum = 0
        self._put(MAGIC)

    def begin(self, name: str, dtype: str) -> None:
        """Start an array; what is appended from now on belongs to it."""
        self._put(bytes(-self._size % 64))
        self._arrays[name] = [np.dtype(dtype).str, 0, self._size]

    def append(self, values: Values) -> None:
        """Write values at the end of the array that was begun last, as its type."""
        entry = self._arrays[next(reversed(self._arrays))]
        packed = np.ascontiguousarray(values, dtype=entry[0])
        entry[1] += packed.size
        self._put(packed.reshape(-1).view(np.uint8).data)

    def array(self, name: str, values: Values, dtype: str | None = None) -> None:
        """Write a whole array."""
        self.begin(name, dtype or values.dtype.str)
        self.append(values)

    def finish(self) -> FileEntry:
        """Write the tail and return what the manifest keeps of the file."""
        if self._size % BLOCK:
            self._sums.append(self._sum)
        directory = json.dumps({"arrays": self._arrays, "facts": self._facts}, separators=(",", ":")).encode()
        fixed = _FIXED.pack(len(self._sums), len(directory), MAGIC)
        tail = np.array(self._sums, "<u4").tobytes() + directory + fixed
        self._file.write(tail)
        self._sha.update(tail)
        seal = hashlib.sha256(tail).hexdigest()
        return FileEntry(size=self._size + len(tail), sha256=self._sha.hexdigest(), seal=seal)

    def _put(self, data: bytes | memoryview) -> None:
        self._file.write(data)
        self._sha.update(data)
        view, start = memoryview(data), 0
        while start < len(view):
            room = BLOCK - self._size % BLOCK
            piece = view[start : start + room]
            self._sum = zlib.crc32(piece, self._sum)
            self._size += len(piece)
            start += len(piece)
            if self._size % BLOCK == 0:
                self._sums.append(self._sum)
                self._sum = 0


class Column:
    """One array of a file. What it hands out was checked."""

    __slots__ = ("_file", "_item", "_start", "_values")

    def __init__(self, file: ArrayFile, dtype: str, length: int, start: int) -> None:
        self._file = file
        self._item = np.dtype(dtype).itemsize
        self._start = start
        self._values: Values = np.frombuffer(file.data, dtype, length, start)

    def __len__(self) -> int:
        return len(self._values)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the values."""
        return self._values.dtype

    @property
    def nbytes(self) -> int:
        """The bytes that it takes in the file."""
        return self._values.nbytes

    @property
    def unchecked(self) -> Values:
        """A read-only view of all values; only those may be read that `part` has given."""
        return self._values

    def part(self, start: int, stop: int) -> Values:
        """Return a read-only view of values `start` to `stop`."""
        if stop > start:
            self._file.check(self._start + start * self._item, self._start + stop * self._item)
        return self._values[start:stop]

    def whole(self) -> Values:
        """Return a read-only view of all values."""
        return self.part(0, len(self._values))

    def at(self, index: int) -> int:
        """Return one value."""
        return int(self.part(index, index + 1)[0])


class ArrayFile:
    """An open file of arrays: `facts`, and `column(name)`. Safe to share between threads.

    Raises CorruptIndex, which names the file, when it is absent, cut, or not the file that `entry` describes.
    """

    def __init__(self, path: Path, entry: FileEntry) -> None:
        self.path = path
        self.data = _mapped(path, entry.size)
        self._sums, directory = self._tail(entry.seal)
        self._checked = bytearray(len(self._sums))
        self.facts: dict[str, Any] = directory["facts"]
        self._arrays: dict[str, list[Any]] = directory["arrays"]

    def column(self, name: str) -> Column:
        """Return an array. Raises CorruptIndex when the file has none of this name."""
        dtype, length, start = self._arrays.get(name, ("", 0, 0))
        if dtype not in _TYPES:
            raise CorruptIndex(str(self.path), f"it has no array {name!r}")
        return Column(self, dtype, length, start)

    def check(self, start: int, stop: int) -> None:
        """Check the blocks that hold these bytes, those that were not before."""
        first, last = start >> _BITS, ((stop - 1) >> _BITS) + 1
        block = self._checked.find(0, first, last)
        while block >= 0:
            self._check(block)
            block = self._checked.find(0, block + 1, last)

    def check_all(self) -> None:
        """Check every block, those again that were checked before. Raises CorruptIndex for the first that is damaged."""
        for block in range(len(self._sums)):
            self._check(block)

    def _check(self, block: int) -> None:
        with memoryview(self.data) as view, view[block << _BITS : min((block + 1) << _BITS, self._end)] as piece:
            found = zlib.crc32(piece)
        if found != self._sums[block]:
            raise CorruptIndex(str(self.path), f"the {BLOCK} bytes from {block << _BITS} on are not those written")
        self._checked[block] = 1

    def _tail(self, seal: str) -> tuple[list[int], dict[str, Any]]:
        size = len(self.data)
        if size < _FIXED.size + len(MAGIC):
            raise CorruptIndex(str(self.path), "it is too short")
        blocks, length, _ = _FIXED.unpack(self.data[size - _FIXED.size :])
        self._end = size - _FIXED.size - length - 4 * blocks
        tail = self.data[max(self._end, 0) :]
        if self._end < 0 or hashlib.sha256(tail).hexdigest() != seal:
            raise CorruptIndex(str(self.path), "its end is not the one that the manifest lists")
        sums: list[int] = np.frombuffer(tail, "<u4", blocks).tolist()
        return sums, json.loads(tail[4 * blocks : 4 * blocks + length])


def _mapped(path: Path, size: int) -> mmap.mmap:
    try:
        with path.open("rb") as file:
            found = os.fstat(file.fileno()).st_size
            if found != size or not size:
                raise CorruptIndex(str(path), f"it has {found} bytes, not {size}")
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError as error:
        raise CorruptIndex(str(path), "it is missing") from error
    except OSError as error:
        raise durable.cannot("read", path, error) from error


def joined(parts: Iterable[bytes]) -> tuple[Values, Values]:
    """Return byte strings one after the other, and where each begins (one more than there are, u8)."""
    listed = list(parts)
    ends = np.cumsum(np.fromiter(map(len, listed), np.uint64, len(listed)), dtype=np.uint64)
    starts = np.concatenate([np.zeros(1, np.uint64), ends])
    return np.frombuffer(b"".join(listed), np.uint8), starts


def narrow(values: Values) -> Values:
    """Return whole numbers as u4 where all of them fit, else as u8."""
    return values.astype("<u4" if not values.size or int(values.max()) < 1 << 32 else "<u8")
