"""RAGTruth (Niu et al. 2024, arXiv 2401.00396): answers of language models with the spans that their source does not back.

The source of a question is its passages, one context each; of a summary the article; of a data-to-text answer the record,
as JSON. The sources (some three thousand) are held in memory, the answers are not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from groundwire.errors import InputError
from groundwire.evals.datasets.fields import case, objects, own_id, passages, text, wanted
from groundwire.evals.datasets.place import Place
from groundwire.evals.datasets.records import Record, records
from groundwire.types import Case, Label, Passage

SOURCES = "source_info.jsonl"
Source = tuple[str | None, tuple[Passage, ...], Any]
"""A question, its contexts, and the task: QA, Summary or Data2txt."""
_HEAD = re.compile(r"(?:\A|\n)\s*+passage \d++:")


def rows(place: Place) -> Iterator[Case]:
    """Yield the answers; one with any span is not supported, contradicted where a span is a conflict with its source.

    Raises InputError without the sources beside the answers, and for an answer whose source is not among them.
    """
    sources = _sources(place)
    for record in place.records():
        wanted(record, place.name, ("id", "source_id", "response", "labels", "split"))
        if place.split not in (None, record.values["split"]):
            continue
        source = own_id(record, "source_id", "")
        if source not in sources:
            raise record.wrong(f"its source {source!r} is not in {SOURCES}", "take both files from one release")
        question, contexts, task = sources[source]
        answer, marks = text(record, "response"), objects(record, "labels")
        yield case(
            own_id(record, "id", place.name),
            answer,
            contexts,
            _label(marks),
            question=question,
            marked=[_bounds(record, mark, answer) for mark in marks],
            group=source,
            part=task,
        )


def _label(marks: list[Mapping[str, Any]]) -> Label:
    if not marks:
        return Label.SUPPORTED
    conflict = any("conflict" in str(mark.get("label_type", "")).lower() for mark in marks)
    return Label.CONTRADICTED if conflict else Label.NOT_ENOUGH_INFO


def _bounds(record: Record, mark: Mapping[str, Any], answer: str) -> tuple[int, int]:
    """Return a span's place; where its text stands elsewhere, and once, there."""
    start, end = mark.get("start"), mark.get("end")
    if type(start) is not int or type(end) is not int:
        raise record.wrong("every label must have start and end, both integers")
    said = mark.get("text")
    if isinstance(said, str) and said and answer[start:end] != said and answer.count(said) == 1:
        start = answer.index(said)
        end = start + len(said)
    return start, end


def _sources(place: Place) -> dict[str, Source]:
    files = place.beside(SOURCES)
    if not files:
        raise InputError(f"{place.folder} has no {SOURCES}", "RAGTruth's answers and their sources are two files")
    held: dict[str, Source] = {}
    for record in records(files[0]):
        wanted(record, f"{place.name}'s sources", ("source_id", "source_info"))
        held[own_id(record, "source_id", "")] = (*_source(record), record.values.get("task_type"))
    return held


def _source(record: Record) -> tuple[str | None, tuple[Passage, ...]]:
    source = record.values["source_info"]
    if isinstance(source, str):
        return None, passages([text(record, "source_info")])
    if not isinstance(source, Mapping):
        raise record.wrong("source_info must be a string or an object")
    if "passages" in source and "question" in source:
        parts = [part.strip() for part in _HEAD.split(text(record, "passages", source))]
        return text(record, "question", source), passages(part for part in parts if part)
    return None, passages([json.dumps(source, ensure_ascii=False)])
