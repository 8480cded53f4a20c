"""Rows of our own form, in and out: what `groundwire data convert` writes, any name of which reads it again.

    {"id", "question", "answer", "contexts", "label", "label3", "spans", "evidence", "group", "slice"}

`label` is 1 (supported) or 0; `label3` refutes where the evidence contradicts. A context is its text, or an object where
it has a title. What is not there is left out. Reading takes every alias of `groundwire.cases`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from groundwire.cases import read_case
from groundwire.errors import InputError
from groundwire.evals.datasets.fields import has, wanted
from groundwire.evals.datasets.place import Place
from groundwire.evals.datasets.records import Record
from groundwire.types import Case, Label, Passage

_LABELS = ("label", "label3", "hallucination")


def is_row(record: Record) -> bool:
    """Say whether this is a row of our own form and of no data set's."""
    return has(record, "answer", "contexts")


def rows(place: Place) -> Iterator[Case]:
    """Yield the cases of rows in our own form. Raises InputError that names the line, also for a row without a label."""
    for record in place.records():
        if not any(record.values.get(name) is not None for name in _LABELS):
            wanted(record, "rows", ("answer", "contexts", "label"))
            raise record.wrong("the row has no label", "label is 1 (supported) or 0")
        try:
            yield read_case(record.values, fallback_id=str(record.number), gold=True)
        except InputError as error:
            raise record.wrong(error.message, error.hint) from error


def row(case: Case) -> dict[str, Any]:
    """Return a labelled case as a row that `rows` reads as the same case."""
    written: dict[str, Any] = {"id": case.id, "question": case.question, "answer": case.answer}
    written["contexts"] = [_context(n, passage) for n, passage in enumerate(case.contexts)]
    if case.label is not None:
        written["label"] = int(case.label is Label.SUPPORTED)
        written["label3"] = "refutes" if case.label is Label.CONTRADICTED else None
    written["spans"] = [[span.start, span.end] for span in case.spans] or None
    positions = {passage.id: n for n, passage in reversed(list(enumerate(case.contexts)))}
    places = [(positions[place.source], place.start, place.end) for place in case.evidence if place.source in positions]
    written["evidence"] = [{"context": n, "start": start, "end": end} for n, start, end in places] or None
    written["group"], written["slice"] = case.group, case.slice
    return {name: value for name, value in written.items() if value is not None}


def _context(n: int, passage: Passage) -> str | dict[str, Any]:
    if passage.title is None and not passage.meta and passage.id == str(n):
        return passage.text
    full = {"id": passage.id, "text": passage.text, "title": passage.title, "metadata": dict(passage.meta) or None}
    return {name: value for name, value in full.items() if value is not None}
