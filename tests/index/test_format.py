"""The file of arrays: what was written comes back, and what was not is refused."""

from pathlib import Path

import numpy as np
import pytest

from groundwire import durable
from groundwire.errors import CorruptIndex
from groundwire.index.format import BLOCK, ArrayFile, ArrayWriter, joined, narrow
from groundwire.index.manifest import FileEntry


def written(path: Path) -> FileEntry:
    with durable.replacing(path) as file:
        writer = ArrayWriter(file, {"passages": 3})
        writer.array("small", np.array([1, 2, 3], np.uint8))
        writer.begin("large", "<u4")
        for start in range(0, 60_000, 7000):
            writer.append(np.arange(start, min(start + 7000, 60_000)))
        writer.array("none", np.zeros(0, np.uint64))
        return writer.finish()


def test_arrays_come_back(tmp_path: Path) -> None:
    entry = written(tmp_path / "file")
    assert (entry.sha256, entry.size) == durable.digest(tmp_path / "file")
    file = ArrayFile(tmp_path / "file", entry)
    assert file.facts == {"passages": 3}
    assert file.column("small").whole().tolist() == [1, 2, 3]
    assert file.column("large").part(59_990, 60_000).tolist() == list(range(59_990, 60_000))
    assert len(file.column("none").whole()) == 0
    assert not file.column("small").whole().flags.writeable
    with pytest.raises(CorruptIndex, match="no array 'other'"):
        file.column("other")
    file.check_all()


def test_only_what_is_touched_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "file"
    entry = written(path)
    data = bytearray(path.read_bytes())
    data[BLOCK + 100] ^= 1
    path.write_bytes(data)
    file = ArrayFile(path, entry)
    assert file.column("small").at(2) == 3
    with pytest.raises(CorruptIndex, match=rf"file is damaged: the {BLOCK} bytes from {BLOCK} on"):
        file.column("large").whole()
    with pytest.raises(CorruptIndex):
        file.check_all()


def test_numbers_are_as_narrow_as_they_can_be() -> None:
    assert narrow(np.array([1, (1 << 32) - 1], np.uint64)).dtype == np.dtype("<u4")
    assert narrow(np.array([1 << 32], np.uint64)).dtype == np.dtype("<u8")
    blob, starts = joined([b"ab", b"", b"c"])
    assert (blob.tobytes(), starts.tolist()) == (b"abc", [0, 2, 2, 3])
