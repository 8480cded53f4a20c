"""Rows to documents: JSON lines and tab-separated lines, one document each, read as they are asked for.

A row's id is under `id`, `_id`, `docid` or `doc_id`, its text under `text`, `contents`, `body` or `passage`, its title
under `title`; the first of these that is there counts, and every other field goes to `meta`, those of an object
`metadata` or `meta` each by its own name. A row without an id is named after its file and line.

Left out: opening files (`opening.py`), quotes in tab-separated files (they are characters like any other).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn

from groundwire.corpus.opening import Opened, mended
from groundwire.errors import InputError
from groundwire.types import Document

IDS = ("id", "_id", "docid", "doc_id")
TEXTS = ("text", "contents", "body", "passage")

_HEADERS = (["id", "text"], ["id", "text", "title"], ["pid", "passage"])
_COLUMNS = (2, 3)
_SHOWN = 8


def json_rows(file: Opened, name: str) -> Iterator[Document]:
    """Yield the documents of JSON lines. Raises InputError that names the line."""
    for number, line in file.lines():
        if not line.isspace():
            with _located(file, number):
                document = _document(_object(line), f"{name}:{number}")
            yield document


def tab_rows(file: Opened, name: str) -> Iterator[Document]:
    """Yield the documents of lines of id, text and, where there is a third column, title. A header line is left out.

    Raises InputError that names the line.
    """
    del name
    for number, line in file.lines():
        cells = line.split("\t")
        if number == 1 and [cell.strip().lower() for cell in cells] in _HEADERS:
            continue
        with _located(file, number):
            document = _columns(cells)
        yield document


@contextmanager
def _located(file: Opened, number: int) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        raise InputError(f"{file.title}, line {number}: {error.message}", error.hint) from error


def _object(line: str) -> Mapping[str, Any]:
    try:
        value = json.loads(line, parse_constant=_no_number, parse_float=_finite)
    except json.JSONDecodeError as error:
        hint = "write one JSON object a line"
        raise InputError(f"invalid JSON: {error.msg} at column {error.colno}", hint) from error
    except RecursionError as error:
        raise InputError("invalid JSON: nested too deeply", "a document needs few levels") from error
    except ValueError as error:  # NaN, or an integer of more digits than Python converts
        raise InputError(f"invalid JSON: {error}", "write such a number as a string") from error
    if not isinstance(value, dict):
        raise InputError(f"a row is a JSON object, not {_kind(value)}", 'such as {"id": "1", "text": "…"}')
    return value


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number of JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError("a number is too large")
    return number


def _document(row: Mapping[str, Any], fallback_id: str) -> Document:
    id_field = next((name for name in IDS if row.get(name) not in (None, "")), None)
    text_field = next((name for name in TEXTS if row.get(name) is not None), None)
    if text_field is None:
        found = ", ".join(list(row)[:_SHOWN]) + (", …" if len(row) > _SHOWN else "")
        message = f"no text field (the fields are: {found})" if row else "no text field (the row is empty)"
        raise InputError(message, f"name it {', '.join(TEXTS[:-1])} or {TEXTS[-1]}")
    title = row.get("title")
    used = (id_field, text_field, "title")
    return Document(
        id=_id(id_field, row[id_field]) if id_field else fallback_id,
        text=_string(text_field, row[text_field]),
        title=None if title is None else _string("title", title) or None,
        meta=_meta({key: value for key, value in row.items() if key not in used}),
    )


def _meta(rest: dict[str, Any]) -> dict[str, Any]:
    inner = [rest.pop(name) for name in ("metadata", "meta") if isinstance(rest.get(name), dict)]
    return {**{key: value for fields in inner for key, value in fields.items()}, **rest}


def _columns(cells: list[str]) -> Document:
    if len(cells) not in _COLUMNS:
        raise InputError(
            f"{len(cells)} column{'s' if len(cells) > 1 else ''}, not 2 or 3",
            "a line is the id, a tab, the text, and perhaps a tab and the title",
        )
    if not cells[0].strip():
        raise InputError("the first column, the id, is empty", "a line is the id, a tab, the text")
    title = cells[2].strip() if len(cells) == max(_COLUMNS) else None
    return Document(id=cells[0].strip(), text=cells[1], title=title or None)


def _id(field: str, value: Any) -> str:
    if isinstance(value, str):
        return mended(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise InputError(f"{field} must be a string or an integer, not {_kind(value)}")


def _string(field: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InputError(f"{field} must be a string, not {_kind(value)}")
    return mended(value)


def _kind(value: Any) -> str:
    kinds = {bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list", dict: "an object"}
    return "null" if value is None else kinds[type(value)]
