"""Nothing native reads a model's file before its sha256 is the manifest's, and then only files that the manifest lists.

An ONNX file can name others that hold its tensors ("external data"), by any path; the runtime would open them. So the
file's own structure is walked first (a protocol buffer, onnx.proto3), and such names must be files of the manifest.
Sparse initialisers, which no exporter of ours writes, are refused. Left out: reports on installed models (`manifest`).
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Lock
from typing import Any

from groundwire import durable
from groundwire.errors import CorruptModel
from groundwire.models import manifest

MODEL = "model.onnx"
_HINT = "pull the model again with --force, or install groundwire again for the built-in one"

_PARTS: Mapping[str, Mapping[int, str]] = {
    "model": {7: "graph", 20: "training", 25: "function"},
    "training": {1: "graph", 2: "graph"},
    "graph": {1: "node", 5: "tensor", 15: "sparse"},
    "function": {7: "node", 11: "attribute"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse", 23: "sparse"},
    "tensor": {13: "external"},
}
"""Field numbers of onnx.proto3 that lead to tensors, by the message they stand in."""

_checked: dict[Path, str] = {}
_lock = Lock()


def identity(folder: Path) -> str:
    """Check a model directory, once a process, and return what identifies its contents: the sha256 of its manifest.

    Raises CorruptModel that names the file when one is missing, differs from the manifest, or reaches outside it.
    """
    key = folder.resolve()
    with _lock:
        if key not in _checked:
            files = manifest.read(folder)["files"]
            for name in sorted(files):
                _check(folder, name, files[name])
            _check_references(folder, files)
            _checked[key] = manifest.digest(folder / manifest.FILE)
        return _checked[key]


def _check(folder: Path, name: str, entry: Mapping[str, Any]) -> None:
    path = folder / name
    if Path(name).name != name or not path.is_file():
        raise CorruptModel(f"{folder.name}: {name} is missing", _HINT)
    if path.stat().st_size != entry.get("size") or manifest.digest(path) != entry.get("sha256"):
        raise CorruptModel(f"{folder.name}: {name} is not the file that the manifest lists", _HINT)


def _check_references(folder: Path, files: Mapping[str, Any]) -> None:
    if MODEL not in files:
        raise CorruptModel(f"{folder.name}: the manifest lists no {MODEL}", _HINT)
    try:
        names = external_files(folder / MODEL)
    except (ValueError, IndexError) as error:
        raise CorruptModel(f"{folder.name}: {MODEL} is not an ONNX file we read: {error}", _HINT) from error
    except OSError as error:  # a map names no file when it fails
        raise durable.cannot("read", folder / MODEL, error) from error
    for name in sorted(names - files.keys()):
        raise CorruptModel(f"{folder.name}: {MODEL} refers to {name!r}, which the manifest does not list", _HINT)


def external_files(path: Path) -> set[str]:
    """Return the names of the files that an ONNX file keeps tensors in.

    Raises ValueError or IndexError when it is no protocol buffer or holds sparse initialisers.
    """
    if path.stat().st_size == 0:
        raise ValueError("it is empty")
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        found, todo = set(), [("model", 0, len(data))]
        while todo:
            message, start, end = todo.pop()
            for number, first, last in _fields(data, start, end):
                part = _PARTS[message].get(number)
                if part == "sparse":
                    raise ValueError("it has a sparse initialiser")
                if part == "external":
                    entry = {n: bytes(data[i:j]).decode("utf-8") for n, i, j in _fields(data, first, last)}
                    if entry.get(1) == "location":
                        found.add(entry.get(2, ""))
                elif part is not None:
                    todo.append((part, first, last))
        return found


def _fields(data: mmap.mmap, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Give (field number, first byte, byte after the last) of a message's fields that have a length."""
    while start < end:
        key, start = _number(data, start, end)
        size = {0: 0, 1: 8, 5: 4}.get(key & 7)
        if key & 7 == 2:
            size, start = _number(data, start, end)
            yield key >> 3, start, min(start + size, end)
        elif key & 7 == 0:
            _, start = _number(data, start, end)
        if size is None or start + size > end:
            raise ValueError("it is damaged")
        start += size


def _number(data: mmap.mmap, start: int, end: int) -> tuple[int, int]:
    """Read a base-128 number; return it and the place after it."""
    value = 0
    for i in range(10):
        if start + i >= end:
            break
        byte = data[start + i]
        value |= (byte & 0x7F) << (7 * i)
        if byte < 0x80:
            return value, start + i + 1
    raise ValueError("it is damaged")
