"""A cache of bytes by key in one sqlite file, shared by threads and processes, and kept over kills.

Every row carries a digest of its key and value: a row that was damaged on the disk is a miss, never a wrong answer. What
was put first stays, so that all who read a key read the same bytes. A last run that did not end cleanly is recognised by
the log that it left behind; then the whole file is checked before anything is read.

Left out: expiry and a bound on the size (delete the file), and folders on a network, where sqlite cannot lock.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic, sleep

from groundwire.closing import Closing
from groundwire.errors import InputError, Unavailable, UsageError

BUSY_SECONDS = 30.0
"""How long one writer waits for another."""
_APPLICATION = 0x47574331
"""Marks the file as ours (`GWC1`); a foreign database is never written to."""
_SCHEMA = 1
_AT_ONCE = 500
"""Keys that one statement asks for; old versions of sqlite take 999."""
_TABLE = "CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY NOT NULL, digest BLOB NOT NULL, value BLOB NOT NULL)"


class Cache(Closing):
    """The cache in a file, which is made when it is not there; a context manager. Safe to share between threads.

    Raises InputError for a file that is no cache, UsageError for one of a newer version, and Unavailable when the file
    cannot be opened, read or written, or is damaged.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._inherited: sqlite3.Connection | None = None
        self._connection: sqlite3.Connection | None = self._opened()

    def __repr__(self) -> str:
        return f"Cache({str(self.path)!r})"

    def get(self, key: str) -> bytes | None:
        """Return what was put under `key`, or None. A damaged row is removed and counts as none."""
        with self._used() as connection:
            row = connection.execute("SELECT digest, value FROM kept WHERE key = ?", (key,)).fetchone()
            if row is None:
                return None
            digest, value = row
            if isinstance(value, bytes) and digest == _digest(key, value):
                return value
            connection.execute("DELETE FROM kept WHERE key = ? AND digest IS ?", (key, digest))
            return None

    def put(self, key: str, value: bytes) -> None:
        """Keep `value` under `key`; does nothing when the key has a value already."""
        with self._used() as connection:
            row = (key, _digest(key, value), value)
            connection.execute("INSERT INTO kept (key, digest, value) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", row)

    def get_many(self, keys: Sequence[str]) -> dict[str, bytes]:
        """Return what was put under these keys, those left out that have nothing; damaged rows count as none."""
        found: dict[str, bytes] = {}
        with self._used() as connection:
            for start in range(0, len(keys), _AT_ONCE):
                part = keys[start : start + _AT_ONCE]
                asked = f"SELECT key, digest, value FROM kept WHERE key IN ({','.join('?' * len(part))})"  # noqa: S608
                found |= {
                    key: value
                    for key, digest, value in connection.execute(asked, part)
                    if isinstance(value, bytes) and digest == _digest(key, value)
                }
        return found

    def put_many(self, entries: Iterable[tuple[str, bytes]]) -> None:
        """Keep these values, all of them or none where the process is killed; what has a value already stays."""
        rows = [(key, _digest(key, value), value) for key, value in entries]
        with self._used() as connection, _transaction(connection):
            connection.executemany(
                "INSERT INTO kept (key, digest, value) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", rows
            )

    def drop(self, key: str) -> None:
        """Forget what was put under `key`, if anything was."""
        with self._used() as connection:
            connection.execute("DELETE FROM kept WHERE key = ?", (key,))

    def __len__(self) -> int:
        with self._used() as connection:
            return int(connection.execute("SELECT count(*) FROM kept").fetchone()[0])

    def close(self) -> None:
        """Close the file. Twice is once."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    @contextmanager
    def _used(self) -> Iterator[sqlite3.Connection]:
        """Give the connection to one thread at a time; a forked process opens its own."""
        with self._lock:
            if self._process != os.getpid():
                self._inherited = self._connection  # kept, for closing it would end the parent's use of the log
                self._process, self._connection = os.getpid(), self._opened()
            if self._connection is None:
                raise Unavailable(f"the cache {self.path} is closed", "open it again")
            try:
                yield self._connection
            except sqlite3.Error as error:
                raise self._unusable(error) from None

    def _opened(self) -> sqlite3.Connection:
        unclean = _left_behind(self.path)
        try:
            connection = sqlite3.connect(
                self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=8
            )
        except sqlite3.Error as error:
            raise self._unusable(error) from None
        try:
            self._prepare(connection, unclean)
        except sqlite3.Error as error:
            connection.close()
            raise self._unusable(error) from None
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection, unclean: bool) -> None:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute(f"PRAGMA busy_timeout = {int(BUSY_SECONDS * 1000)}")
        fresh = self._recognise(connection)
        _until_free(connection, "PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        if unclean and (found := connection.execute("PRAGMA integrity_check(1)").fetchone()[0]) != "ok":
            raise sqlite3.DatabaseError(str(found))
        if fresh:
            with _transaction(connection):
                connection.execute(_TABLE)
                connection.execute(f"PRAGMA application_id = {_APPLICATION}")
                connection.execute(f"PRAGMA user_version = {_SCHEMA}")

    def _recognise(self, connection: sqlite3.Connection) -> bool:
        """Return whether the file is still empty. Raises InputError and UsageError for what is not a cache of ours."""
        try:
            with closing(connection.execute("SELECT count(*) FROM sqlite_master")) as found:
                empty = found.fetchone()[0] == 0
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
                raise InputError(f"{self.path} is no cache of Groundwire", "name another file") from None
            raise
        application, schema = (
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
        )
        if not empty and application != _APPLICATION:
            raise InputError(f"{self.path} is no cache of Groundwire", "name another file")
        if schema > _SCHEMA:
            raise UsageError(f"the cache {self.path} was made by a newer version", "upgrade, or name another file")
        return bool(empty)

    def _unusable(self, error: sqlite3.Error) -> Unavailable:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
        if code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return Unavailable(f"the cache {self.path} is damaged ({error})", "move it away; a new one is made")
        return Unavailable(
            f"the cache {self.path} cannot be used: {error}", "is the folder there, writable and not full?"
        )


def _digest(key: str, value: bytes) -> bytes:
    digest = hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16)
    digest.update(b"\0" + value)
    return digest.digest()


def _left_behind(path: Path) -> bool:
    """Say whether a log with something in it lies beside the file: the last run was killed, or another one is at work."""
    try:
        return path.with_name(path.name + "-wal").stat().st_size > 0
    except OSError:
        return False


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    _until_free(connection, "BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _until_free(connection: sqlite3.Connection, statement: str) -> None:
    """Run a statement that sqlite refuses without waiting when two processes make the file at the same moment."""
    end = monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute(statement).fetchone()
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > end:
                raise
        sleep(0.005)
