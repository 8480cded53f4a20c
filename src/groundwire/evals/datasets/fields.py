"""Fields of a published row: asked for by name, with one clear error where a row has other columns, and cases of them.

Left out: reading files (`records.py`), and what each data set calls its fields (one file a family).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from groundwire.cases import LABELS
from groundwire.corpus.opening import mended
from groundwire.errors import InputError
from groundwire.evals.datasets.records import Record, columns_found
from groundwire.types import Case, Label, Passage, Span

Place = tuple[int, int, int]
"""A context's position, and where in it: start, end."""
_CUT = 12
"""Characters of a digest that stands for a text; 48 bits, of a data set's few thousand sources."""


def has(record: Record, *columns: str) -> bool:
    """Say whether a row has all of these columns."""
    return all(column in record.values for column in columns)


def wanted(record: Record, name: str, *forms: Sequence[str]) -> None:
    """Raise InputError, listing the columns found and wanted, where a row has none of these forms whole."""
    if not any(has(record, *form) for form in forms):
        named = " or ".join(", ".join(form) for form in forms)
        raise record.wrong(
            f"no row of {name}: found the columns {columns_found(record.values)}; wanted {named}",
            f"groundwire data info {name}",
        )


def text(record: Record, column: str, values: Mapping[str, Any] | None = None) -> str:
    """Return a field that is a text, also when it holds none. Raises InputError for anything but a string."""
    value = (record.values if values is None else values).get(column)
    if not isinstance(value, str):
        raise record.wrong(f"{column} must be a string, not {_kind(value)}")
    return mended(value)


def texts(record: Record, column: str, value: Any) -> list[str]:
    """Return a value that is a list of texts. Raises InputError, naming the column, for anything else."""
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise record.wrong(f"{column} must be a list of strings, not {_kind(value)}")
    return [mended(item) for item in value]


def objects(record: Record, column: str) -> list[Mapping[str, Any]]:
    """Return a field that is a list of objects. Raises InputError for anything else."""
    value = record.values.get(column)
    if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
        raise record.wrong(f"{column} must be a list of objects, not {_kind(value)}")
    return value


def word(record: Record, column: str, among: Mapping[str, Label]) -> Label:
    """Return the label that a field's word stands for, whatever its case. Raises InputError, listing the words."""
    value = record.values.get(column)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    key = str(value).strip().lower()
    if key not in among:
        raise record.wrong(f"{column} is {value!r}", f"wanted {', '.join(dict.fromkeys(among))}")
    return among[key]


def label(record: Record, column: str) -> Label:
    """Return the label of a field in any of the spellings of `groundwire.cases`. Raises InputError."""
    value = record.values.get(column)
    if isinstance(value, str) and value.strip().endswith(".0"):  # a column of 0 and 1 that was once written as floats
        value = value.strip()[:-2]
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    key = str(int(value) if isinstance(value, bool) else value).strip().lower().replace(" ", "_").replace("-", "_")
    if key not in LABELS:
        raise record.wrong(f"{column} is {value!r}", "wanted 1 or 0, PASS or FAIL, SUPPORTS, REFUTES …")
    return LABELS[key]


def supported(yes: bool) -> Label:
    """Return the label of a row that says only whether its answer is supported."""
    return Label.SUPPORTED if yes else Label.NOT_ENOUGH_INFO


def digest(*parts: str) -> str:
    """Return a short name of texts, which is the same wherever they are."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:_CUT]


def passages(items: Iterable[str | tuple[str | None, str]]) -> tuple[Passage, ...]:
    """Return texts, or (title, text) pairs, as contexts that are named by their position, counted from 0."""
    pairs = [(None, item) if isinstance(item, str) else item for item in items]
    return tuple(Passage(id=str(n), text=body, title=title) for n, (title, body) in enumerate(pairs))


def spans(places: Iterable[tuple[int, int]], answer: str) -> tuple[Span, ...]:
    """Return places of an answer as spans in their order, within the answer, each once; those that touch stay apart."""
    inside = {(max(0, start), min(end, len(answer))) for start, end in places}
    return tuple(Span(source="answer", start=start, end=end) for start, end in sorted(inside) if start < end)


def evidence(places: Iterable[Place], contexts: Sequence[Passage]) -> tuple[Span, ...]:
    """Return places of contexts as gold evidence in their order, each once; what lies in no context is left out."""
    inside = {(n, max(0, start), min(end, len(contexts[n].text))) for n, start, end in places if 0 <= n < len(contexts)}
    return tuple(Span(source=contexts[n].id, start=start, end=end) for n, start, end in sorted(inside) if start < end)


def found(answer: str, parts: Iterable[str]) -> list[tuple[int, int]]:
    """Return where each part first stands in an answer, each looked for behind the one before it and else anywhere."""
    places: list[tuple[int, int]] = []
    at = 0
    for part in parts:
        start = answer.find(part, at) if part else -1
        start = answer.find(part) if part and start < 0 else start
        if start >= 0:
            places.append((start, start + len(part)))
            at = start + len(part)
    return places


def case(
    id_: str,
    answer: str,
    contexts: tuple[Passage, ...],
    gold: Label,
    *,
    question: str | None = None,
    marked: Iterable[tuple[int, int]] = (),
    shown: Iterable[Place] = (),
    group: str | None = None,
    part: Any = None,
) -> Case:
    """Return a labelled case. Without an answer or any context it has a `reason` and cannot be checked.

    `marked` are the places of the answer that nothing backs; a supported answer has none. `shown` are the gold places of
    the contexts, as (context, start, end); `part` is the part of the set that it is reported with, where that is a text.
    """
    reason = None
    if not answer.strip():
        reason = "the answer is empty"
    elif not any(passage.text.strip() for passage in contexts):
        reason = "the data set has no contexts" if not contexts else "there are no contexts with any text"
    return Case(
        id=id_,
        question=question,
        answer=answer,
        contexts=contexts,
        label=gold,
        spans=() if gold is Label.SUPPORTED else spans(marked, answer),
        group=group,
        reason=reason,
        evidence=evidence(shown, contexts),
        slice=mended(part) if isinstance(part, str) and part.strip() else None,
    )


def own_id(record: Record, column: str, name: str) -> str:
    """Return the row's own id, or one made of the data set's name and the row's number where it has none."""
    value = record.values.get(column)
    if isinstance(value, (str, int)) and not isinstance(value, bool) and str(value).strip():
        return mended(str(value))
    return f"{name}-{record.number}"


def no_split(name: str, split: str | None, known: Sequence[str]) -> InputError:
    """Return the error for a split that a data set does not have."""
    return InputError(f"{name} has no split {split!r}", f"known: {', '.join(known)}" if known else "leave --split out")


def _kind(value: Any) -> str:
    kinds = {bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list", dict: "an object"}
    return "null" if value is None else kinds.get(type(value), type(value).__name__)
