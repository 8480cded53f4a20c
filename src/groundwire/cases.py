"""Cases from data: the names that users of this field already write, read into one noun.

Accepted are the columns of ragas, DeepEval, MiniCheck, HaluBench, HaluEval, TRUE, LLM-AggreFact, of prompt/completion
files and of Vertex check-grounding, in snake and camel case. Where a row has several names for one field, the first in
the tables below counts. JSONL is read line by line; only a file that is one JSON value is held in memory. There is no
limit on the size or number of rows, contexts or characters, other than that one row fits in memory.

Left out: opening files (`groundwire.cli.files`), and data sets whose rows hold several answers.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from groundwire.errors import InputError
from groundwire.types import Case, Label, Passage, Span


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


def _names(*names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(spelling for name in names for spelling in (name, _camel(name))))


QUESTION = _names("question", "query", "user_input", "user_query", "input", "prompt")
ANSWER = _names(
    "answer", "response", "actual_output", "completion", "generated_text", "answer_candidate", "claim", "claims"
)
CONTEXTS = _names(
    "contexts", "retrieved_contexts", "retrieval_context", "facts", "docs", "doc", "passages", "passage", "documents"
) + _names("document", "knowledge", "grounding", "context")
TEXT = _names("text", "fact_text", "content", "page_content")
"""The names of the text of a context that is an object."""

LABELS: Mapping[str, Label] = {
    **dict.fromkeys(("1", "true", "yes", "pass", "supported", "supports", "entailment", "grounded"), Label.SUPPORTED),
    **dict.fromkeys(("contradicted", "refuted", "refutes", "contradiction"), Label.CONTRADICTED),
    **dict.fromkeys(("0", "false", "no", "fail", "not_supported", "not_grounded"), Label.NOT_ENOUGH_INFO),
    **dict.fromkeys(("not_enough_info", "nei", "neutral", "unsupported"), Label.NOT_ENOUGH_INFO),
}
"""Gold labels by their spelling (lower case, blanks and dashes as underscores). A plain 0 says only that the answer is
not supported; it is read as not enough info."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowError:
    """A row that could not be read. `line` counts from 1; in a JSON array it counts the items."""

    line: int
    message: str
    unit: str = "line"

    def __str__(self) -> str:
        return f"{self.unit} {self.line}: {self.message}"


def read_case(row: Mapping[str, Any], *, fallback_id: str) -> Case:
    """Read one row. Raises InputError, naming the field, where a value has the wrong type.

    A row whose answer or contexts are missing or hold no text becomes a case with a `reason`, which is not checkable.
    Contexts without an id are named by their position, counted from 0.
    """
    question, answer, contexts = _first(row, QUESTION), _first(row, ANSWER), _first(row, CONTEXTS)
    text = _answer(*answer) if answer else ""
    passages = _passages(*contexts) if contexts else ()
    return Case(
        id=_id(row.get("id"), "id") or fallback_id,
        question=_text(*question) if question else None,
        answer=text,
        contexts=passages,
        label=_label(row),
        spans=_spans(row.get("spans")),
        group=_id(row.get("group"), "group"),
        reason=_reason(text, passages, answer is None, contexts is None),
    )


def iter_cases(lines: Iterable[bytes | str]) -> Iterator[Case | RowError]:
    """Read rows from the lines of a JSONL file, or of a file that is one JSON array or object.

    A line that cannot be read yields a RowError and the rest goes on. Ids default to the line's or item's number.
    """
    numbered = ((n, line) for n, line in enumerate(lines, 1) if line.strip())
    head = next(numbered, None)
    if head is None:
        return
    second = next(numbered, None)
    rest = chain([head], [second] if second else [], numbered)
    if _is_document(head[1], second[1] if second else None):
        yield from _document([line for _, line in rest])
    else:
        for n, line in rest:
            yield _row(n, line)


def _is_document(first: bytes | str, second: bytes | str | None) -> bool:
    """Say whether a file that begins so is one JSON value: an array, or an object spread over lines."""
    opening, following = _opening(first), _opening(second) if second else ""
    if opening == "[":
        return True
    return opening == "{" and following not in ("", "{") and isinstance(_row(1, first), RowError)


def _opening(line: bytes | str) -> str:
    try:
        return _decoded(line).lstrip()[:1]
    except UnicodeDecodeError:
        return ""


def _decoded(line: bytes | str) -> str:
    text = line.decode("utf-8") if isinstance(line, bytes) else line
    return text.removeprefix("\ufeff")


def _document(lines: list[bytes | str]) -> Iterator[Case | RowError]:
    try:
        value = _parse("".join(_decoded(line) for line in lines))
    except _JSONError as error:
        yield RowError(line=error.line, message=str(error))
        return
    except UnicodeDecodeError:
        yield RowError(line=1, message="not UTF-8 text")
        return
    if isinstance(value, list):
        for n, row in enumerate(value, 1):
            yield _case(n, row, "item")
    else:
        yield _case(1, value, "line")


def _row(n: int, line: bytes | str) -> Case | RowError:
    try:
        return _case(n, _parse(_decoded(line)), "line")
    except _JSONError as error:
        return RowError(line=n, message=str(error))
    except UnicodeDecodeError as error:
        return RowError(line=n, message=f"not UTF-8 text (byte {error.start + 1} of the line)")


def _case(n: int, row: Any, unit: str) -> Case | RowError:
    if not isinstance(row, Mapping):
        return RowError(line=n, unit=unit, message=f"a row is a JSON object, not {_kind(row)}")
    try:
        return read_case(row, fallback_id=str(n))
    except InputError as error:
        return RowError(line=n, unit=unit, message=str(error))


class _JSONError(ValueError):
    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.line = line


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise _JSONError(f"not JSON: {error.msg} at column {error.colno}", error.lineno) from error
    except RecursionError as error:
        raise _JSONError("not JSON that can be read: nested too deeply") from error
    except ValueError as error:  # an integer of more digits than Python converts
        raise _JSONError("not JSON that can be read: a number has too many digits") from error


def _first(row: Mapping[str, Any], names: tuple[str, ...]) -> tuple[str, Any] | None:
    return next(((name, row[name]) for name in names if row.get(name) is not None), None)


def _text(field: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InputError(f"{field} must be a string, not {_kind(value)}")
    return value


def _answer(field: str, value: Any) -> str:
    if isinstance(value, list) and field == "claims":
        if len(value) != 1:
            raise InputError(f"claims must be one claim, not {len(value)}", "give every claim a row of its own")
        value = value[0]
    return _text(field, value)


def _passages(field: str, value: Any) -> tuple[Passage, ...]:
    items = value if isinstance(value, (list, tuple)) else [value]
    single = items is not value
    return tuple(_passage(field if single else f"{field}[{n}]", item, str(n)) for n, item in enumerate(items))


def _passage(field: str, item: Any, fallback_id: str) -> Passage:
    if isinstance(item, Passage):
        return item
    if isinstance(item, str):
        return Passage(id=fallback_id, text=item)
    if not isinstance(item, Mapping):
        raise InputError(f"{field} must be a string or an object with a text, not {_kind(item)}")
    text = _first(item, TEXT)
    if text is None:
        raise InputError(f"{field} has no text", "a context is a string or {id, text, title, uri, metadata}")
    meta = _first(item, ("metadata", "attributes", "meta"))
    if meta and not isinstance(meta[1], Mapping):
        raise InputError(f"{field}.{meta[0]} must be an object, not {_kind(meta[1])}")
    title, uri = item.get("title"), item.get("uri")
    return Passage(
        id=_id(item.get("id"), f"{field}.id") or fallback_id,
        text=_text(f"{field}.{text[0]}", text[1]),
        title=None if title is None else _text(f"{field}.title", title),
        meta={**(meta[1] if meta else {}), **({} if uri is None else {"uri": _text(f"{field}.uri", uri)})},
    )


def _id(value: Any, field: str) -> str | None:
    if value is None or isinstance(value, str):
        return value or None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise InputError(f"{field} must be a string or an integer, not {_kind(value)}")


def _label(row: Mapping[str, Any]) -> Label | None:
    """Return the gold label: that of the three-way `label3` where it says more than `label`."""
    two, three = _one_label("label", row.get("label")), _one_label("label3", row.get("label3"))
    if two and three and (two is Label.SUPPORTED) != (three is Label.SUPPORTED):
        raise InputError(f"label and label3 disagree: {two} and {three}")
    return three or two


def _one_label(field: str, value: Any) -> Label | None:
    if value is None:
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    key = str(int(value) if isinstance(value, bool) else value).strip().lower().replace(" ", "_").replace("-", "_")
    if not isinstance(value, (str, int)) or key not in LABELS:
        raise InputError(f"{field} {_kind(value)} says neither supported nor not", "1 or 0, PASS or FAIL, supports …")
    return LABELS[key]


def _spans(value: Any) -> tuple[Span, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise InputError(f"spans must be a list, not {_kind(value)}")
    return tuple(_span(f"spans[{n}]", item) for n, item in enumerate(value))


def _span(field: str, item: Any) -> Span:
    bounds = [item.get("start"), item.get("end")] if isinstance(item, Mapping) else item
    if not isinstance(bounds, list) or len(bounds) < 2 or not all(type(bound) is int for bound in bounds[:2]):
        raise InputError(f"{field} must be [start, end] or an object with start and end, both integers")
    return Span(source="answer", start=bounds[0], end=bounds[1])


def _reason(answer: str, passages: tuple[Passage, ...], no_answer: bool, no_contexts: bool) -> str | None:
    if not answer.strip():
        return "the row has no answer" if no_answer else "the answer is empty"
    if not any(passage.text.strip() for passage in passages):
        return "the row has no contexts" if no_contexts else "there are no contexts with any text"
    return None


def _kind(value: Any) -> str:
    """Return what a JSON value is, in words, without its text."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    kinds = {bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list", dict: "an object"}
    return "null" if value is None else kinds.get(type(value), f"a {type(value).__name__}")
