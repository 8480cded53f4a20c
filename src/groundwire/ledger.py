"""A ledger of a long run: one fsynced line an item, so that a run that was killed goes on where it was.

A line is one JSON object: `key`, for an error its `kind`, `record`, `status`, and `sum`, the CRC-32 of the rest. A line
counts once its newline is on the disk; what a kill left half written is cut off when the ledger is opened again, and its
item done anew. A damaged line anywhere else is an error: nothing is skipped in silence. One process writes at a time.

Statuses: `ok`, `refused` (the model declined), `unparseable` (a reply that no parser could read), `skipped` (nothing to
do), `error`. Only an error is tried again on resume; every other item is done, and what was paid for is not asked again.

Left out: compaction (a ledger holds a line an item, and one more for each error that was mended), and several writers.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import threading
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundwire.closing import Closing
from groundwire.errors import InputError, Unavailable, UsageError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

RANKS: Mapping[str, int] = {"error": 0, "skipped": 1, "unparseable": 2, "refused": 3, "ok": 4}
"""Of two lines of one key the higher rank counts, and of equal ranks the first: a success wins over a failure."""

_BEGINNING = b'{"key":"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What the ledger says of one item. `kind` is the class of an error, and None for every other status."""

    key: str
    status: str
    record: Mapping[str, Any]
    kind: str | None = None

    @property
    def final(self) -> bool:
        """True when the item is done; an error is not."""
        return self.status != "error"


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the line that counts for a key stands: bytes from the start of the file, and its length."""

    start: int
    length: int
    status: str


def key_of(parts: Mapping[str, Any]) -> str:
    """Return the sha256, in hex, of the canonical JSON of `parts` (sorted keys, no blanks, ASCII).

    For a ledger the parts are the item, the configuration, the model and the prompt; whatever may change the result has to
    be among them. Raises TypeError for what JSON has no word for, ValueError for a NaN.
    """
    canonical = json.dumps(parts, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


class Ledger(Closing):
    """The ledger in a file; a context manager. Safe to share between threads.

    Raises UsageError when another process writes to it, InputError for a file that is no ledger or is damaged, and
    Unavailable when the file cannot be opened or written.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._lock = threading.Lock()
        self._places: dict[str, _Place] = {}
        self._broken = False
        self._file = self._opened()
        try:
            self._size = self._read()
        except BaseException:
            os.close(self._file)
            raise

    def __len__(self) -> int:
        return len(self._places)

    def __repr__(self) -> str:
        return f"Ledger({str(self.path)!r})"

    def done(self, key: str) -> Mapping[str, Any] | None:
        """Return the record of an item that is done, or None for one that is unknown or ended in an error."""
        entry = self.entry(key)
        return entry.record if entry and entry.final else None

    def entry(self, key: str) -> Entry | None:
        """Return what counts for an item, errors included, or None when it is unknown."""
        with self._lock:
            place = self._places.get(key)
            return None if place is None else self._entry(place)

    def entries(self) -> Iterator[Entry]:
        """Give every item once, in the order in which they were first written."""
        with self._lock:
            keys = list(self._places)
        for key in keys:
            entry = self.entry(key)
            if entry is not None:
                yield entry

    def counts(self) -> dict[str, int]:
        """Return how many items have each status; all five are there."""
        with self._lock:
            found = Counter(place.status for place in self._places.values())
        return {status: found[status] for status in RANKS}

    def write(self, key: str, status: str, record: Mapping[str, Any], *, kind: str | None = None) -> bool:
        """Write a line and return True once it is on the disk; False, and nothing is written, when the item is better done.

        `record` is JSON values; `kind` is the class of an error. Raises UsageError for a status that does not exist, and
        Unavailable (the ledger stays as it was) when the disk is full or fails.
        """
        return self.write_all([Entry(key=key, status=status, record=record, kind=kind)]) == 1

    def write_all(self, entries: Sequence[Entry]) -> int:
        """Write the lines of a batch with one flush, and return how many were written: those that were not better done.

        All are on the disk when it returns. A kill on the way keeps the first of them, each whole. Raises as `write`.
        """
        with self._lock:
            fresh: dict[str, tuple[str, bytes]] = {}
            for entry in entries:
                line = _line_of(entry)
                old = self._places.get(entry.key)
                if old is None or RANKS[old.status] < RANKS[entry.status] or old.status == "error":
                    fresh.setdefault(entry.key, (entry.status, line))
            if fresh:
                start = self._size
                self._append(b"".join(line for _, line in fresh.values()))
                for key, (status, line) in fresh.items():
                    self._places[key] = _Place(start, len(line), status)
                    start += len(line)
            return len(fresh)

    def close(self) -> None:
        """Close the file and let others write. Twice is once."""
        with self._lock:
            if self._file >= 0:
                os.close(self._file)
                self._file = -1

    def _opened(self) -> int:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        try:
            fresh = not self.path.exists()
            file = os.open(self.path, flags, 0o600)
        except OSError as error:
            raise Unavailable(f"cannot open the ledger {self.path}: {error.strerror}", "is the folder there?") from None
        if not _locked(file):
            os.close(file)
            raise UsageError(f"another run is writing to {self.path}", "wait for its end, or name another file")
        if fresh:
            _flush_folder(self.path.parent)
        return file

    def _read(self) -> int:
        """Index every line, cut a torn end off, and return the length of what is left."""
        with os.fdopen(os.dup(self._file), "rb") as stream:
            start = stream.seek(0)
            for number, line in enumerate(stream, 1):
                entry = _parsed(line)
                if entry is None and _torn(line):
                    os.ftruncate(self._file, start)
                    os.fsync(self._file)
                    break
                if entry is None:
                    hint = "move it away and start again, or mend that line by hand"
                    raise InputError(f"{self.path}, line {number}: this is no line of a ledger, or damaged", hint)
                self._index(entry, start, len(line))
                start += len(line)
        return start

    def _index(self, entry: Entry, start: int, length: int) -> None:
        old = self._places.get(entry.key)
        if old is None or RANKS[entry.status] > RANKS[old.status] or old.status == entry.status == "error":
            self._places[entry.key] = _Place(start, length, entry.status)

    def _entry(self, place: _Place) -> Entry:
        if self._file < 0:
            raise Unavailable(f"the ledger {self.path} is closed", "open it again")
        os.lseek(self._file, place.start, os.SEEK_SET)
        entry = _parsed(os.read(self._file, place.length))
        if entry is None:
            raise InputError(f"{self.path}: the line at byte {place.start} has been damaged", "start the run again")
        return entry

    def _append(self, line: bytes) -> None:
        if self._file < 0 or self._broken:
            raise Unavailable(f"the ledger {self.path} is closed", "open it again")
        try:
            os.lseek(self._file, self._size, os.SEEK_SET)
            rest = memoryview(line)
            while rest:
                rest = rest[os.write(self._file, rest) :]
            os.fsync(self._file)
        except OSError as error:
            self._undo()
            raise Unavailable(
                f"cannot write to the ledger {self.path}: {error.strerror}", "is the disk full?"
            ) from None
        self._size += len(line)

    def _undo(self) -> None:
        """Take a half-written line back. Where even that fails nothing more is written: the next opening cuts it off."""
        try:
            os.ftruncate(self._file, self._size)
            os.fsync(self._file)
        except OSError:
            self._broken = True


def _bytes(fields: Mapping[str, Any]) -> bytes:
    """Return the fields as JSON in the order that they have: a record comes back as it was written."""
    return json.dumps(fields, separators=(",", ":"), allow_nan=False).encode("ascii")


def _line_of(entry: Entry) -> bytes:
    if entry.status not in RANKS or (entry.kind is not None and entry.status != "error"):
        told = f"a ledger has no status {entry.status!r} with kind {entry.kind!r}"
        raise UsageError(told, f"statuses: {', '.join(RANKS)}")
    kind = {"kind": entry.kind} if entry.kind else {}
    return _line({"key": entry.key, **kind, "record": entry.record, "status": entry.status})


def _line(fields: Mapping[str, Any]) -> bytes:
    return _bytes({**fields, "sum": zlib.crc32(_bytes(fields))}) + b"\n"


def _parsed(line: bytes) -> Entry | None:
    """Return the entry of a whole and undamaged line, else None."""
    try:
        fields = json.loads(line) if line.endswith(b"\n") else None
        if not isinstance(fields, dict) or _line({k: v for k, v in fields.items() if k != "sum"}) != line:
            return None
        kind = fields.get("kind")
        entry = Entry(key=fields["key"], status=fields["status"], record=fields["record"], kind=kind)
    except (ValueError, KeyError, RecursionError):
        return None
    return entry if entry.status in RANKS else None


def _torn(line: bytes) -> bool:
    """Tell the beginning of a line of ours, which a kill leaves at the end, from a foreign file and from damage.

    A file system may also leave zeros behind a lost last block. A whole line that lacks only its newline's value is damage.
    """
    if line.endswith(b"\n") or _parsed(line[:-1] + b"\n") is not None:
        return False
    return _BEGINNING.startswith(line[: len(_BEGINNING)]) or not line.strip(b"\0")


def _locked(file: int) -> bool:
    """Take the lock of the only writer. The system gives it back when the process ends, however it ends."""
    try:
        if sys.platform == "win32":
            os.lseek(file, 1 << 40, os.SEEK_SET)  # a byte that no line will reach, so that reading stays free
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _flush_folder(folder: Path) -> None:
    """Bring the name of a new file to the disk too."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
