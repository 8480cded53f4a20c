"""R5: kill -9 at random moments and at every call that changes the folder; and the power that goes.

A kill leaves what the program has written; a loss of power only what was brought to the disk. The second is worked out: the
child's fsyncs are recorded, and after every change of the folder two disks are built that a crash there may leave, one whose
folder is as it was at its last fsync, one whose folder is as it is now; on both a file holds what it held at its last fsync.
"""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import forked
import workload
from rows import Row

from groundwire.index import LocalIndex

TARGET = "N of N reopened within 5 s; 0 acknowledged lost; 0 deletes undone"
CHANGES = ("rename", "fsync", "write", "unlink")


def rows(work: Path, size: dict[str, int]) -> Iterator[Row]:
    operations = list(workload.operations(size["batches"]))
    yield _at_random(work, operations, size["kills"])
    yield _at_every_call(work, operations, size["stride"])
    yield _power(work, operations)


@contextmanager
def _fresh(work: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=work) as folder:
        yield Path(folder) / "index"


def _at_random(work: Path, operations: list[workload.Operation], trials: int) -> Row:
    what = f"kill -9 at a random moment of {len(operations)} adds, replacements, removals and compactions"
    row, states, rng = Row(id="R5", part="random", what=what, target=TARGET), workload.states(operations), _rng(5)
    workload.encode(states)
    with _fresh(work) as folder:
        longest = forked.run(workload.work(folder, operations)).seconds
    for _ in range(trials):
        with _fresh(work) as folder:
            ended = forked.run(workload.work(folder, operations), kill_after=rng.uniform(0, longest))
            row.add("killed before its end" if ended.status < 0 else "at its end already")
            row.count(workload.problem(folder, states, ended.said))
    return row


def _at_every_call(work: Path, operations: list[workload.Operation], stride: int) -> Row:
    how = f"strace, signal=SIGKILL; {forked.method()}" if forked.STRACE else forked.method()
    every = "each" if stride == 1 else f"one in {stride}"
    row = Row(id="R5", part="calls", what=f"kill -9 at {every} rename, fsync, write and unlink ({how})", target=TARGET)
    states = workload.states(operations)
    with _fresh(work) as folder:
        counts = forked.count(workload.work(folder, operations), work / "calls.txt")
    for call in CHANGES:
        for nth in range(1, counts.get(call, 0) + 1, stride):
            with _fresh(work) as folder:
                ended = forked.run(workload.work(folder, operations), forked.At(call=call, nth=nth))
                row.add(call if ended.status < 0 else f"{call}, not reached")
                row.count(workload.problem(folder, states, ended.said))
    return row


def _rng(seed: int) -> random.Random:
    return random.Random(seed)


class Disk:
    """What a loss of power would leave of a folder: contents by inode and names, both as of their last fsync.

    The folder itself is `there` once the one above it was fsynced.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.contents: dict[int, bytes] = {}
        self.names: dict[str, int] = {}
        self.there = False

    def flushed(self, handle: int) -> None:
        found = os.fstat(handle)
        if found.st_ino == self.folder.stat().st_ino:
            self.names = self.current()
        elif found.st_ino == self.folder.parent.stat().st_ino:
            self.there = True
        else:
            self.contents[found.st_ino] = os.pread(handle, found.st_size, 0)

    def current(self) -> dict[str, int]:
        return {entry.name: entry.inode() for entry in os.scandir(self.folder)}

    def build(self, target: Path, names: dict[str, int]) -> None:
        if self.there:
            target.mkdir(parents=True)
        for name, inode in names.items() if self.there else ():
            (target / name).write_bytes(self.contents.get(inode, b""))


def _power(work: Path, operations: list[workload.Operation]) -> Row:
    """Work through the operations here, with the calls of `os` watched."""
    what = "power lost at each fsync, rename and unlink: only what was fsynced is left, of the folder that or all (worked out)"
    row, states = Row(id="R5", part="power", what=what, target=TARGET), workload.states(operations)
    said: list[str] = []

    def lost(disk: Disk) -> None:
        for kind, names in (("folder as fsynced", disk.names), ("folder as it was", disk.current())):
            with _fresh(work) as copy:
                disk.build(copy, names)
                row.add(kind)
                row.count(workload.problem(copy, states, said))

    with _fresh(work) as folder, _watched(Disk(folder), lost):
        index = LocalIndex.create(folder, analyzer="simple")
        said.append("0")
        for number, operation in enumerate(operations, 1):
            operation.apply(index)
            said.append(str(number))
    return row


@contextmanager
def _watched(disk: Disk, lost: Callable[[Disk], None]) -> Iterator[None]:
    """Let `lost` look at the disk after each call; what it does to its copies is not watched."""
    real: dict[str, Callable[..., Any]] = {name: getattr(os, name) for name in ("fsync", "replace", "unlink")}
    busy = False

    def watched(name: str) -> Callable[..., Any]:
        def call(*given: Any, **more: Any) -> Any:
            nonlocal busy
            done = real[name](*given, **more)
            if not busy:
                busy = True
                try:
                    if name == "fsync":
                        disk.flushed(given[0])
                    lost(disk)
                finally:
                    busy = False
            return done

        return call

    for name in real:
        setattr(os, name, watched(name))
    try:
        yield
    finally:
        for name, function in real.items():
            setattr(os, name, function)
