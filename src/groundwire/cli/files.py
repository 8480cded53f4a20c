"""Files as the commands read and write them. `-` is standard input, `@file` stands where a text may stand.

Texts are UTF-8; a byte order mark is dropped and line ends stay as they are, so that offsets hold in the file's own
text. Left out: what the rows mean (`groundwire.cases`).
"""

from __future__ import annotations

import gzip
import os
import shutil
import sys
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import BufferedReader
from pathlib import Path
from typing import TextIO, cast

from groundwire.cases import RowError, iter_cases
from groundwire.errors import InputError
from groundwire.types import Case

STDIN = "-"
_GZIP = b"\x1f\x8b"


class CaseFile:
    """The cases of a file (JSONL or JSON, gzip or not) or of standard input, read as they are asked for.

    `gold` reads what only an evaluation needs; `labelled` wants the columns of one in the first row, as `iter_cases`.
    Raises InputError when the file cannot be read, at once or on the way, and at the end of one without a single row, with
    the hint that a row has `columns` (else: answer, contexts, and the label where it is wanted). Use it in a `with` statement.
    """

    def __init__(self, path: str, *, gold: bool = False, labelled: bool = False, columns: str = "") -> None:
        self.path = path
        self._gold, self._labelled = gold, labelled
        self._columns = columns or ("answer, contexts and label" if labelled else "answer and contexts")
        with ExitStack() as opened:
            try:
                self._raw = _stdin() if path == STDIN else opened.enter_context(open(path, "rb"))
                self._packed = self._raw.peek(2)[:2] == _GZIP
                self._size = 0 if path == STDIN else os.fstat(self._raw.fileno()).st_size
            except OSError as error:
                raise unreadable(path, error) from error
            opened.pop_all()  # from here on __exit__ closes it

    def __enter__(self) -> CaseFile:
        return self

    def __exit__(self, *_: object) -> None:
        if self.path != STDIN:
            self._raw.close()

    def __iter__(self) -> Iterator[Case | RowError]:
        lines = gzip.GzipFile(fileobj=self._raw) if self._packed else self._raw
        rows = False
        try:
            for row in iter_cases(lines, gold=self._gold, labelled=self._labelled):
                rows = True
                yield row
        except InputError as error:
            raise InputError(f"{title_of(self.path)}: {error.message}", error.hint) from error
        except (OSError, EOFError, zlib.error) as error:
            raise unreadable(self.path, error) from error
        if not rows:
            raise InputError(
                f"{title_of(self.path)} has no rows", f"a row is a JSON object on a line, with {self._columns}"
            )

    def done(self) -> float | None:
        """Return the share of the file that has been read, in [0, 1]; None where its size is not known."""
        return min(1.0, self._raw.tell() / self._size) if self._size else None


def read_text(path: str) -> str:
    """Read one UTF-8 text. Raises InputError when it cannot be read or is not UTF-8."""
    try:
        if path == STDIN:
            data = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as file:
                data = file.read()
    except OSError as error:
        raise unreadable(path, error) from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{title_of(path)} is not UTF-8 text (byte {error.start + 1})", "save it as UTF-8") from error


def read_lines(path: str) -> list[str]:
    """Read the lines of a UTF-8 text, gzip or not. Raises InputError as `read_text`, naming the line that is not UTF-8."""
    try:
        data = sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()
        data = gzip.decompress(data) if data.startswith(_GZIP) else data
    except (OSError, EOFError, zlib.error) as error:
        raise unreadable(path, error) from error
    try:
        return data.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InputError(f"{title_of(path)}: line {line} is not UTF-8 text", "save it as UTF-8") from error


def text_argument(value: str) -> str:
    """Return the text that an argument stands for: `@file` or `-` is read, `@@…` is a literal that begins with @."""
    if value == STDIN:
        return read_text(STDIN)
    if value.startswith("@@"):
        return value[1:]
    return read_text(value[1:]) if value.startswith("@") else value


@contextmanager
def atomic_output(path: str) -> Iterator[TextIO]:
    """Write a text file that appears, whole, when the block ends well; an old one stays as it was otherwise.

    `.gz` at the end of the name packs it. What is no regular file (a pipe, a device) is written to directly. Raises
    InputError when it cannot be written.
    """
    target = os.path.realpath(path)
    direct = os.path.exists(target) and not os.path.isfile(target)
    work = target if direct else f"{target}.{os.getpid()}.part"
    try:
        file = _text_writer(work, packed=target.endswith(".gz"))
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}", _mend(error)) from error
    try:
        with file:
            yield file
        if not direct:
            if os.path.exists(target):
                shutil.copymode(target, work)
            os.replace(work, target)
    finally:
        if not direct and os.path.exists(work):
            os.remove(work)


def unreadable(path: str, error: Exception) -> InputError:
    """Return the error that says in one line why this file cannot be read."""
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return InputError(f"cannot read {title_of(path)}: {why}", _mend(error))


def title_of(path: str) -> str:
    """Return how messages name a file."""
    return "standard input" if path == STDIN else path


def _mend(error: Exception) -> str:
    """Return the hint for a file that cannot be read or written."""
    match error:
        case FileNotFoundError():
            return "check the path: every folder of it must exist"
        case IsADirectoryError():
            return "give a file, not a folder"
        case PermissionError():
            return "check the permissions of the file and its folder"
        case EOFError() | gzip.BadGzipFile() | zlib.error():
            return "the file is damaged or cut off: copy it again"
    return "check the disk, or try another place"


def _stdin() -> BufferedReader:
    return cast("BufferedReader", sys.stdin.buffer)


def _text_writer(path: str, *, packed: bool) -> TextIO:
    if packed:
        return cast("TextIO", gzip.open(path, "wt", encoding="utf-8", newline="\n"))
    return open(path, "w", encoding="utf-8", newline="\n")
