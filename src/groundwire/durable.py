"""The one write path: a file is either there whole or not at all, whatever happens and whenever it happens.

Temporary file in the same folder, write, fsync, rename, fsync of the folder. What a kill leaves behind is a temporary file
that no reader looks at; `sweep` removes it. One process writes to a folder at a time, which `single_writer` sees to.

Left out: appending (`ledger`), and any format; what is written here is bytes.
"""

from __future__ import annotations

import errno
import hashlib
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

from groundwire.errors import Unavailable

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

TEMPORARY = ".part"
"""What the name of every temporary file ends in."""


_HINTS = {
    errno.ENOSPC: "free some space; what was there before is untouched",
    errno.EIO: "the disk fails: look into the system's log, and copy away what matters",
    errno.EROFS: "the file system is read-only: use a copy in another folder",
    errno.EMFILE: "this process has too many open files: raise the limit (ulimit -n), or close some",
    errno.ENFILE: "the system has too many open files: close some programs",
}


class Digest(NamedTuple):
    """What a file is known by: its sha256, in hexadecimal, and its size in bytes."""

    sha256: str
    size: int


def write(path: Path, data: bytes) -> None:
    """Put `data` in place of what is at `path`, at once and durably. Raises Unavailable that names the path."""
    with replacing(path) as file:
        file.write(data)


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Give a binary handle to a temporary file beside `path`, which becomes `path` when the block ends without an error.

    The handle can be written, read and sought. After an error the temporary file is gone and `path` is as it was; only where
    the disk fails at the last step, the flush of the folder, `path` may be the new file already. Raises Unavailable, which
    names the path, for every OSError of the block (a full disk, a folder that cannot be written).
    """
    temporary = path.with_name(f"{path.name}.{os.getpid()}{TEMPORARY}")
    try:
        with _flushed_last(path.parent):  # opened first: with no descriptor left nothing is changed
            try:
                with temporary.open("w+b") as file:
                    yield file
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(temporary, path)
            except BaseException:
                with suppress(OSError):
                    os.unlink(temporary)
                raise
    except OSError as error:
        raise cannot("write", path, error) from error


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it that are not there, durably; one that is there is left as it is. Raises OSError.

    What was fsynced in a folder is lost with it when the folder's own name never came to the disk.
    """
    above = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for made in reversed(above):
        with _flushed_last(made.parent):
            pass


@contextmanager
def _flushed_last(folder: Path) -> Iterator[None]:
    """Bring the names in a folder to the disk when the block has ended without an error.

    Where folders cannot be opened (Windows), renames are durable by themselves.
    """
    if sys.platform == "win32":
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        yield
        os.fsync(handle)
    finally:
        os.close(handle)


def digest(path: Path) -> Digest:
    """Return the sha256 and the size of a file, which is read in pieces."""
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        return Digest(sha256, os.fstat(file.fileno()).st_size)


def sweep(folder: Path, known: Iterable[str], suffixes: tuple[str, ...] = (TEMPORARY,)) -> list[str]:
    """Remove the files of `folder` that end in one of `suffixes` and are not `known`, and return their names.

    Only the one writer may call it. What ends otherwise is somebody else's and stays, and so does what cannot be removed; a
    folder that cannot be listed is left for the next time, for what was written before is done.
    """
    keep, gone = set(known), []
    with suppress(OSError):
        for path in sorted(folder.iterdir()):
            if path.name.endswith(suffixes) and path.name not in keep and path.is_file():
                with suppress(OSError):
                    os.unlink(path)
                    gone.append(path.name)
    return gone


@contextmanager
def single_writer(path: Path) -> Iterator[None]:
    """Hold the lock in the file at `path`, which is made when it is absent; the kernel drops the lock when a process ends.

    Raises Unavailable at once when another process (or another handle of this one) holds it, and when the file cannot be
    opened for writing.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)
    except OSError as error:
        raise cannot("write", path, error) from error
    try:
        if not _locked(handle):
            raise Unavailable(f"another process is writing to {path.parent}", "wait for its end and try again")
        yield
    finally:
        os.close(handle)


def _locked(handle: int) -> bool:
    try:
        if sys.platform == "win32":
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def cannot(verb: str, path: Path, error: OSError) -> Unavailable:
    """Return the error that says what could not be done to a path, and why."""
    reason = error.strerror or str(error)
    hint = _HINTS.get(error.errno or 0, "is the folder there, and may you write in it?")
    return Unavailable(f"cannot {verb} {path}: {reason}", hint)
