"""Files as a corpus reads them: packed or not, with how much of them is read, and errors that name the place.

Texts are UTF-8; a byte order mark is dropped and lone surrogates become U+FFFD. Left out: what the bytes mean.
"""

from __future__ import annotations

import gzip
import os
import re
import sys
import zlib
from collections.abc import Iterator
from io import BufferedIOBase, BufferedReader
from pathlib import Path
from typing import cast

from groundwire.errors import InputError

STDIN = "-"
HEAD = 4096
"""Bytes that are looked at to say what a file is; less than a buffer."""

_GZIP = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_SURROGATE = re.compile("[\ud800-\udfff]")
_CHARSET = re.compile(rb"charset\s*+=\s*+[\"']?([A-Za-z0-9_.:-]{2,30})", re.IGNORECASE)


class Opened:
    """A file, or standard input for `-`, as bytes unpacked. Raises InputError when it cannot be read, at once or later.

    `title` is how messages name it. `head` is the first bytes. Use it in a `with` statement.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self.title = "standard input" if path == STDIN else str(path)
        self.size: int | None = None
        try:
            self._raw = cast("BufferedReader", sys.stdin.buffer) if path == STDIN else open(path, "rb")  # noqa: SIM115
        except OSError as error:
            raise self._unreadable(error) from error
        try:
            packed = self._raw.peek(2)[:2] == _GZIP
            self.size = None if path == STDIN else os.fstat(self._raw.fileno()).st_size
            source: BufferedIOBase = cast("BufferedIOBase", gzip.GzipFile(fileobj=self._raw)) if packed else self._raw
            self._data = BufferedReader(cast("gzip.GzipFile", source), 2 * HEAD) if packed else self._raw
            self.head = self._data.peek(HEAD)[:HEAD]
        except (OSError, EOFError, zlib.error) as error:
            self.close()
            raise self._unreadable(error) from error

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; standard input stays open."""
        if self.path != STDIN:
            self._raw.close()

    def position(self) -> int:
        """Return the bytes read of the file as it lies on the disk."""
        return 0 if self.path == STDIN else self._raw.tell()

    def bytes(self) -> bytes:
        """Return all of it."""
        try:
            return self._data.read()
        except (OSError, EOFError, zlib.error) as error:
            raise self._unreadable(error) from error

    def text(self, *, charset: bool = False) -> str:
        """Return all of it as text. With `charset`, what is not UTF-8 may say in its first bytes what it is."""
        data = self.bytes()
        try:
            return decoded(data)
        except UnicodeDecodeError as error:
            declared = _CHARSET.search(data[:HEAD]) if charset else None
            if declared is None:
                raise self._not_utf8(error.start, "") from error
        try:
            return data.decode(declared[1].decode("ascii"))
        except (LookupError, UnicodeDecodeError) as error:
            raise self._not_utf8(getattr(error, "start", 0), "") from error

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield (number from 1, text) of every line that holds anything, without its end."""
        offset = 0
        try:
            for number, line in enumerate(self._data, 1):
                try:
                    text = decoded(line, first=number == 1)
                except UnicodeDecodeError as error:
                    raise self._not_utf8(offset + error.start, f", line {number}") from error
                offset += len(line)
                if text := text.rstrip("\r\n"):
                    yield number, text
        except (OSError, EOFError, zlib.error) as error:
            raise self._unreadable(error) from error

    def _not_utf8(self, offset: int, where: str) -> InputError:
        message = f"{self.title}{where}: not UTF-8 text (byte {offset + 1} of the file)"
        return InputError(message, "save it as UTF-8, for instance by iconv -t UTF-8")

    def _unreadable(self, error: Exception) -> InputError:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        damaged = isinstance(error, (EOFError, gzip.BadGzipFile, zlib.error))
        hint = "the file is damaged or cut off: copy it again" if damaged else "check the path and its permissions"
        return InputError(f"cannot read {self.title}: {why}", hint)


def decoded(data: bytes, *, first: bool = True) -> str:
    """Return UTF-8 bytes as text, without the byte order mark of the `first` line. Raises UnicodeDecodeError."""
    return data[len(_BOM) :].decode("utf-8") if first and data.startswith(_BOM) else data.decode("utf-8")


def mended(text: str) -> str:
    """Return `text` with U+FFFD for the lone surrogates that JSON can hold and no file can."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
