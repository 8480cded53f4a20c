"""Cases from data: the names that users of this field already write, read into one noun.

Accepted are the columns of ragas, DeepEval, MiniCheck, HaluBench, HaluEval (general), TRUE, LLM-AggreFact, FaithBench
(without its annotations), of prompt/completion files and of Vertex check-grounding, in snake and camel case. Where a row
has several names for one field, the first in the tables below counts. JSONL is read line by line; a file whose first
line is no complete object is held in memory, for it may be one JSON value. There is no limit on the size or number of
rows, contexts or characters, other than that one row fits in memory.

Left out: opening files (`groundwire.cli.files`), CSV, and data sets whose rows hold several answers (HaluEval's other
parts). HaluEval's general part brings no contexts: they are to be added.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
) + _names("chatgpt_response", "summary")
CONTEXTS = _names(
    "contexts", "retrieved_contexts", "retrieval_context", "facts", "docs", "doc", "passages", "passage", "documents"
) + _names("document", "knowledge", "grounding", "context")
SUMMARISED = (*CONTEXTS, "source")
"""The names of the context of a summary; elsewhere a `source` is where a row is from."""
TEXT = _names("text", "fact_text", "content", "page_content")
"""The names of the text of a context that is an object."""
LABEL = ("label", "label3", "hallucination")
WANTED = (ANSWER, SUMMARISED, LABEL)
"""The columns that an evaluation wants of its rows, each under any of its names."""
UNNAMED = ("the row has no answer", "the row has no contexts")
"""Why a row that lacks a column under every name cannot be checked."""
_SHOWN = 20
"""Columns of a row that an error names."""

LABELS: Mapping[str, Label] = {
    **dict.fromkeys(("1", "true", "yes", "pass", "supported", "supports", "entailment", "grounded"), Label.SUPPORTED),
    **dict.fromkeys(("contradicted", "refuted", "refutes", "contradiction"), Label.CONTRADICTED),
    **dict.fromkeys(("0", "false", "no", "fail", "not_supported", "not_grounded"), Label.NOT_ENOUGH_INFO),
    **dict.fromkeys(("not_enough_info", "nei", "neutral", "unsupported"), Label.NOT_ENOUGH_INFO),
}
"""Gold labels by their spelling (lower case, blanks and dashes as underscores). A plain 0 says only that the answer is
not supported; it is read as not enough info."""


BATCH_ROWS = 64
BATCH_CHARACTERS = 2_000_000
"""A batch ends at the row that reaches either, so that memory does not depend on how long a file is."""

_ROW = 'a row is {"answer": "…", "contexts": ["…"]}'
_CONTEXT = "a context is a string or {id, text, title, uri, metadata}"
_Line = tuple[int, bytes | str]
"""A line and its number, counted from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowError:
    """A row that could not be read. `line` counts from 1; in a JSON array it counts the items."""

    line: int
    message: str
    hint: str = _ROW
    unit: str = "line"

    def __str__(self) -> str:
        return f"{self.unit} {self.line}: {self.message} (hint: {self.hint})"


def read_case(row: Mapping[str, Any], *, fallback_id: str, gold: bool = False) -> Case:
    """Read one row. Raises InputError, naming the field, where a value has the wrong type.

    What only an evaluation needs (label, spans, evidence, group, slice) is read when `gold` asks for it, else not looked at.

    A row whose answer or contexts are missing or hold no text becomes a case with a `reason`, which is not checkable.
    Contexts without an id are named by their position, counted from 0.
    """
    question, answer = _first(row, QUESTION), _first(row, ANSWER)
    contexts = _first(row, SUMMARISED if answer and answer[0] == "summary" else CONTEXTS)
    text = _answer(*answer) if answer else ""
    passages = _passages(*contexts) if contexts else ()
    return Case(
        id=_id(row.get("id"), "id") or fallback_id,
        question=_text(*question) if question else None,
        answer=text,
        contexts=passages,
        label=_label(row) if gold else None,
        spans=_spans(row.get("spans")) if gold else (),
        group=_id(row.get("group"), "group") if gold else None,
        evidence=_evidence(row.get("evidence"), passages) if gold else (),
        slice=_id(row.get("slice"), "slice") if gold else None,
        reason=_reason(text, passages, answer is None, contexts is None),
    )


def case_of(n: int, case: Case | Mapping[str, Any]) -> Case:
    """Return item n of a list as a case: a mapping is read as a row. Raises InputError, naming the item."""
    if isinstance(case, Case):
        return case
    if not isinstance(case, Mapping):
        raise InputError(f"case {n} must be a Case or a mapping, not {type(case).__name__}")
    try:
        return read_case(case, fallback_id=str(n))
    except InputError as error:
        raise InputError(f"case {n}: {error.message}", error.hint) from error


def passages_of(value: Any) -> tuple[Passage, ...]:
    """Return passages that were given as contexts are: texts or objects, in a list or one alone. Raises InputError."""
    return _passages("passages", value)


def iter_cases(
    lines: Iterable[bytes | str], *, gold: bool = False, labelled: bool = False
) -> Iterator[Case | RowError]:
    """Read rows from the lines of a JSONL file, or of a file that is one JSON array or object.

    A line that cannot be read yields a RowError and the rest goes on. Ids default to the line's or item's number. `gold`
    is that of `read_case`; `labelled` raises InputError, listing the columns found and wanted, where the first row has no
    column, not even an empty one, for the answer, the contexts or the label.
    """
    how = _How(gold, labelled)
    numbered = ((n, line) for n, line in enumerate(lines, 1) if line.strip())
    head = next(numbered, None)
    if head is None:
        return
    rest = chain([head], numbered)
    if _opening(head[1]) in ("[", "{") and not _is_object(head[1]):
        yield from _document(list(rest), how)
    else:
        for n, line in rest:
            yield _row(n, line, how)


def batches(
    cases: Iterable[Case], *, rows: int = BATCH_ROWS, characters: int = BATCH_CHARACTERS
) -> Iterator[list[Case]]:
    """Yield the cases in lists that end at the case which reaches `rows` cases or `characters` characters."""
    batch: list[Case] = []
    size = 0
    for case in cases:
        batch.append(case)
        size += len(case.answer) + sum(len(passage.text) for passage in case.contexts)
        if len(batch) == rows or size >= characters:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _opening(line: bytes | str) -> str:
    try:
        return _decoded(line).lstrip()[:1]
    except UnicodeDecodeError:
        return ""


def _is_object(line: bytes | str) -> bool:
    try:
        return isinstance(_value([(1, line)]), dict)
    except _JSONError:
        return False


def _decoded(line: bytes | str) -> str:
    text = line.decode("utf-8") if isinstance(line, bytes) else line
    return text.removeprefix("\ufeff")


@dataclass(slots=True)
class _How:
    """How rows are read; `labelled` asks for the columns of the next row."""

    gold: bool
    labelled: bool

    def columns(self, row: Mapping[str, Any]) -> None:
        """Raise InputError, once at most, for a row that lacks a column of an evaluation under every name."""
        asked, self.labelled = self.labelled, False
        lacking = [names for names in WANTED if not any(name in row for name in names)]
        if asked and lacking:
            found = ", ".join(list(row)[:_SHOWN]) + (", …" if len(row) > _SHOWN else "") or "none"
            spelled = ([name for name in names if name.islower()] for names in lacking)
            told = "; ".join(f"{first} (or {', '.join(others)})" for first, *others in spelled)
            hint = "name them so; groundwire data list has the sets that are read as published"
            raise InputError(f"found the columns {found}; wanted {told}", hint)


def _document(lines: list[_Line], how: _How) -> Iterator[Case | RowError]:
    """Read a file that is one JSON value; where it is none but some of its lines are rows, read it line by line."""
    try:
        value = _value(lines)
    except _JSONError as error:
        if any(_is_object(line) for _, line in lines):
            yield from (_row(n, line, how) for n, line in lines)
        else:
            yield error.row()
        return
    if isinstance(value, list):
        for n, row in enumerate(value, 1):
            yield _case(n, row, how, "item")
    else:
        yield _case(lines[0][0], value, how)


def _row(n: int, line: bytes | str, how: _How) -> Case | RowError:
    try:
        return _case(n, _value([(n, line)]), how)
    except _JSONError as error:
        return error.row()


def _case(n: int, row: Any, how: _How, unit: str = "line") -> Case | RowError:
    if not isinstance(row, Mapping):
        return RowError(line=n, unit=unit, message=f"a row is a JSON object, not {_kind(row)}")
    how.columns(row)
    try:
        return read_case(row, fallback_id=str(n), gold=how.gold)
    except InputError as error:
        return RowError(line=n, unit=unit, message=error.message, hint=error.hint or _ROW)


class _JSONError(ValueError):
    def __init__(self, message: str, hint: str, line: int = 1) -> None:
        super().__init__(message)
        self.hint = hint
        self.line = line

    def row(self) -> RowError:
        return RowError(line=self.line, message=str(self), hint=self.hint)


def _value(lines: Sequence[_Line]) -> Any:
    """Parse numbered lines as one JSON value. Raises _JSONError, which names the line."""
    texts = []
    for n, line in lines:
        try:
            texts.append(_decoded(line))
        except UnicodeDecodeError as error:
            raise _JSONError(f"not UTF-8 text (byte {error.start + 1} of the line)", "save it as UTF-8", n) from error
    try:
        return _parse("".join(texts))
    except _JSONError as error:
        error.line = lines[min(error.line, len(lines)) - 1][0]
        raise


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        hint = "write one JSON object a line, or one JSON array"
        raise _JSONError(f"not JSON: {error.msg} at column {error.colno}", hint, error.lineno) from error
    except RecursionError as error:
        raise _JSONError("not JSON that can be read: nested too deeply", "a row needs few levels") from error
    except ValueError as error:  # an integer of more digits than Python converts
        message = "not JSON that can be read: a number has too many digits"
        raise _JSONError(message, "write it as a string") from error


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
        raise InputError(f"{field} must be a string or an object with a text, not {_kind(item)}", _CONTEXT)
    text = _first(item, TEXT)
    if text is None:
        raise InputError(f"{field} has no text", _CONTEXT)
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
    """Return the gold label: that of the three-way `label3` where it says more than `label`.

    A row without either may say `hallucination` yes or no, as HaluEval's do: yes is not supported.
    """
    two, three = _one_label("label", row.get("label")), _one_label("label3", row.get("label3"))
    if not two and not three:
        said = _one_label("hallucination", row.get("hallucination"))
        return said and (Label.NOT_ENOUGH_INFO if said is Label.SUPPORTED else Label.SUPPORTED)
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


def _evidence(value: Any, passages: Sequence[Passage]) -> tuple[Span, ...]:
    """Read gold evidence: objects with the context's position, counted from 0, start and end."""
    if not isinstance(value, list):
        return ()  # a column of this name that means something else
    found = []
    for n, item in enumerate(value):
        if not isinstance(item, Mapping) or "context" not in item:
            return ()
        span, context = _span(f"evidence[{n}]", item), item["context"]
        if type(context) is not int or not 0 <= context < len(passages):
            raise InputError(f"evidence[{n}].context must be the position of a context, counted from 0")
        found.append(replace(span, source=passages[context].id))
    return tuple(found)


def _reason(answer: str, passages: tuple[Passage, ...], no_answer: bool, no_contexts: bool) -> str | None:
    if not answer.strip():
        return UNNAMED[0] if no_answer else "the answer is empty"
    if not any(passage.text.strip() for passage in passages):
        return UNNAMED[1] if no_contexts else "there are no contexts with any text"
    return None


def _kind(value: Any) -> str:
    """Return what a JSON value is, in words, without its text."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    kinds = {bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list", dict: "an object"}
    return "null" if value is None else kinds.get(type(value), f"a {type(value).__name__}")
