"""Rows of published files, one at a time: JSON lines, a JSON array, CSV, TSV and Parquet, packed with gzip or not.

A file is read as it is asked for and never held: an array of gigabytes costs what its longest item does. The exceptions
are what has no rows to read one by one: a file that is one JSON object is one record. A byte order mark is dropped.

Left out: what the fields mean (one file a family of data sets), and which file is read (`opening.py`).
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, Any, TextIO, cast

from groundwire._optional import require
from groundwire.errors import InputError

SUFFIXES = (".jsonl", ".json", ".csv", ".tsv", ".parquet")
"""The files that can be read, by the end of their names; `.gz` may follow."""

_GZIP = b"\x1f\x8b"
_CHARACTERS = 1 << 16
_MOST = 1 << 30
"""Characters of the longest CSV field; the standard library's own limit is shorter than many an article."""
_EDGE = 16
"""An error so near the end of what was read may be one of reading too little."""
_BATCH = 256
"""Rows of a Parquet file that are held at a time."""
_SHOWN = 12
_BETWEEN = re.compile(r"[\s,]*+")


@dataclass(frozen=True, slots=True)
class Record:
    """One row as published: where it stands, and its fields by name. `number` counts rows from 1, `line` is for people."""

    title: str
    number: int
    place: str
    values: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{self.title}, {self.place}"

    def wrong(self, message: str, hint: str = "") -> InputError:
        """Return the error that says what is wrong with this row, naming its place."""
        return InputError(f"{self}: {message}", hint)


def records(path: Path) -> Iterator[Record]:
    """Yield the rows of a file. Raises InputError that names the line, MissingExtra for Parquet without its reader."""
    suffixes = [suffix for suffix in path.suffixes if suffix != ".gz"]
    if suffixes and suffixes[-1] == ".parquet":
        return _parquet(path)
    if suffixes and suffixes[-1] in (".csv", ".tsv"):
        return _table(path, "\t" if suffixes[-1] == ".tsv" else ",")
    return _json(path)


def columns_found(values: Mapping[str, Any]) -> str:
    """Return the names of a row's columns, in words."""
    names = [str(name) or '""' for name in values]
    return ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "") if names else "none"


@contextmanager
def _text(path: Path) -> Iterator[TextIO]:
    """Open a file as text. Raises InputError when it cannot be read, at once or on the way."""
    try:
        with path.open("rb") as raw:
            packed = raw.peek(2)[:2] == _GZIP
            data: IO[bytes] = cast("IO[bytes]", gzip.GzipFile(fileobj=raw)) if packed else raw
            yield io.TextIOWrapper(data, encoding="utf-8-sig", newline="")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text ({error.reason})", "save it as UTF-8") from error
    except (OSError, EOFError, zlib.error) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        damaged = isinstance(error, (EOFError, gzip.BadGzipFile, zlib.error))
        hint = "the file is damaged or cut off: copy it again" if damaged else "check the path and its permissions"
        raise InputError(f"cannot read {path}: {why}", hint) from error


def _table(path: Path, delimiter: str) -> Iterator[Record]:
    csv.field_size_limit(max(csv.field_size_limit(), _MOST))
    # What is published with tabs has quotes as characters like any other, also where a cell begins with one.
    raw = delimiter == "\t"
    with _text(path) as file:
        lines = csv.reader(file, delimiter=delimiter, quoting=csv.QUOTE_NONE if raw else csv.QUOTE_MINIMAL)
        try:
            head = next(lines, None)
            for number, cells in enumerate((cells for cells in lines if cells), 1):
                if len(cells) != len(head or ()):
                    message = f"{len(cells)} cells, but the head line names {len(head or ())} columns"
                    raise InputError(
                        f"{path}, line {lines.line_num}: {message}",
                        "a cell that holds the delimiter or a line end is quoted; with tabs it cannot be",
                    )
                yield Record(str(path), number, f"line {lines.line_num}", dict(zip(head or (), cells, strict=True)))
        except csv.Error as error:
            raise InputError(f"{path}, line {lines.line_num}: {error}", "save it as CSV with a head line") from error


def _parquet(path: Path) -> Iterator[Record]:
    reader = require("pyarrow.parquet", "parquet")
    try:
        with reader.ParquetFile(path) as file:
            rows = (row for batch in file.iter_batches(batch_size=_BATCH) for row in batch.to_pylist())
            for number, values in enumerate(rows, 1):
                yield Record(str(path), number, f"row {number}", values)
    except (OSError, ValueError) as error:  # pyarrow's own errors are among these
        reason = next(iter(str(error).splitlines()), "")
        raise InputError(f"cannot read {path} as Parquet: {reason}", "copy the file again") from error


def _json(path: Path) -> Iterator[Record]:
    with _text(path) as file:
        numbered = ((n, line) for n, line in enumerate(_first_line(file), 1) if line.strip())
        head = next(numbered, None)
        if head is None:
            return
        if head[1].lstrip().startswith("["):
            yield from _array(path, file, *head)
        elif head[1].lstrip().startswith("{") and not _whole(head[1]):
            yield _document(path, file, *head)
        else:
            rest = ((n, line) for n, line in enumerate(file, head[0] + 1) if line.strip())
            for number, (n, line) in enumerate(chain([head], rest), 1):
                place = f"line {n}"
                yield Record(str(path), number, place, _object(path, place, _parsed(path, n, line.rstrip())))


def _first_line(file: TextIO) -> Iterator[str]:
    """Yield lines, but of a line that opens an array no more than its beginning: it may be the whole file."""
    while line := file.readline(_CHARACTERS):
        if not line.lstrip().startswith("["):
            line += "" if line.endswith("\n") else file.readline()
        yield line


def _whole(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _document(path: Path, file: TextIO, n: int, line: str) -> Record:
    """Read the one object of a file; where some later line is an object of its own, the first line is what is wrong."""
    rest = file.read()
    if any(_whole(other) and other.lstrip().startswith("{") for other in rest.splitlines()[:1]):
        _parsed(path, n, line.rstrip())
    return Record(str(path), 1, f"line {n}", _object(path, f"line {n}", _parsed(path, n, line + rest)))


def _array(path: Path, file: TextIO, line: int, text: str) -> Iterator[Record]:
    """Yield the items of an array. What was read and not yet understood is kept, and doubled where it is too little."""
    decoder = json.JSONDecoder()
    at = counted = text.index("[") + 1
    number, more = 0, _CHARACTERS
    while True:
        at = _BETWEEN.match(text, at).end()  # type: ignore[union-attr]
        line, counted = line + text.count("\n", counted, at), at
        if text[at : at + 1] == "]":
            return
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            read = file.read(more) if _cut(error, len(text)) else ""
            if not read:
                raise _not_json(path, line - text.count("\n", 0, at), error) from error
            text, at, counted, more = text[at:] + read, 0, 0, more * 2
            continue
        number, more = number + 1, _CHARACTERS
        place = f"item {number} (line {line})"
        yield Record(str(path), number, place, _object(path, place, value))


def _cut(error: Exception, length: int) -> bool:
    """Say whether more text could mend this error."""
    if not isinstance(error, json.JSONDecodeError):
        return False
    return error.pos >= length - _EDGE or error.msg.startswith("Unterminated string")


def _parsed(path: Path, line: int, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _not_json(path, line, error) from error


def _not_json(path: Path, line: int, error: Exception) -> InputError:
    if isinstance(error, json.JSONDecodeError):
        where = f"{error.msg} at column {error.colno}"
        return InputError(
            f"{path}, line {line + error.lineno - 1}: not JSON: {where}", "is the file whole? copy it again"
        )
    why = "nested too deeply" if isinstance(error, RecursionError) else "a number has too many digits"
    return InputError(f"{path}, line {line}: not JSON that can be read: {why}")


def _object(path: Path, place: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{path}, {place}: a row is a JSON object, not {type(value).__name__}")
    return value
