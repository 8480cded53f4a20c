"""Files of retrieval experiments: TREC runs and judgements in and out, BEIR's judgements, and queries.

    run         query Q0 passage rank score tag         the order is that of the scores, as trec_eval reads it
    judgements  query 0 passage grade                   or BEIR's query-id, corpus-id, score with its head line
    queries     {"_id": …, "text": …} a line (BEIR)     or id, tab, text

Left out: opening files (they are given as lines), metrics (`ranking`), and passages.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TextIO

from groundwire.errors import InputError
from groundwire.types import Hit

Run = dict[str, list[tuple[str, float]]]
"""Of each query, (passage, score), best first."""
Judgements = dict[str, dict[str, int]]
"""Of each query, the grade of every judged passage; more than 0 is relevant."""

ROUNDED, STEP = 4, 1e-6
"""Decimals of a score that ties are told by, and how far a tied one is moved down."""

_IDS = ("_id", "id", "qid", "query_id")
_TEXTS = ("text", "query", "question")


def write_run(out: TextIO, query: str, hits: Sequence[Hit], *, tag: str, adjusted: bool = True) -> None:
    """Write one query's hits, best first. Blanks in ids and in the tag become underscores, for they part the columns.

    `adjusted` writes scores that keep the order wherever the file is read (see `untied`); otherwise they are written in
    full, and trec_eval puts equal ones in its own order.
    """
    scores = [hit.score for hit in hits]
    written = [f"{score:.6f}" for score in untied(scores)] if adjusted else [repr(score) for score in scores]
    name, run = _column(query), _column(tag)
    for rank, (hit, score) in enumerate(zip(hits, written, strict=True), 1):
        out.write(f"{name} Q0 {_column(hit.passage.id)} {rank} {score} {run}\n")


def untied(scores: Iterable[float]) -> list[float]:
    """Return falling scores, rounded to 1e-4 and each tied one 1e-6 lower than the one before it.

    This is the field's adjuster of ties (Lucene's toolkits write their runs so). Where more than a hundred are tied it goes
    on below, so that what it returns always falls.
    """
    adjusted: list[float] = []
    for score in scores:
        rounded = round(score, ROUNDED)
        last = adjusted[-1] if adjusted else math.inf
        adjusted.append(rounded if rounded < last - STEP / 2 else last - STEP)
    return adjusted


def read_run(lines: Iterable[str], path: str = "the run") -> Run:
    """Read a run; equal scores of a query stand by falling passage id, as trec_eval has them.

    Raises InputError, naming the line, for one without six columns or a score, or a passage that a query has twice.
    """
    scores: dict[str, dict[str, float]] = {}
    for number, line in _lines(lines):
        columns = line.split()
        if len(columns) != 6:
            raise _bad(path, number, f"a run has six columns, not {len(columns)}", "query Q0 passage rank score tag")
        query, _, passage, _, score, _ = columns
        of_query = scores.setdefault(query, {})
        if passage in of_query:
            raise _bad(path, number, f"query {query} has passage {passage} twice", "keep the better one")
        of_query[passage] = _score(path, number, score)
    return {
        query: sorted(found.items(), key=lambda item: (item[1], item[0]), reverse=True)
        for query, found in scores.items()
    }


def read_judgements(lines: Iterable[str], path: str = "the judgements") -> Judgements:
    """Read judgements of TREC (four columns) or BEIR (three; its head line may be there).

    Raises InputError, naming the line, for other columns, a grade that is no whole number, or when there are none.
    """
    grades: Judgements = {}
    for number, line in _lines(lines):
        columns = line.split("\t") if line.count("\t") == 2 else line.split()
        if number == 1 and columns[0].strip().lower() in ("query-id", "query_id", "qid"):
            continue
        if len(columns) not in (3, 4):
            hint = "query 0 passage grade (TREC), or query-id, corpus-id, score with tabs (BEIR)"
            raise _bad(path, number, f"a judgement has four or three columns, not {len(columns)}", hint)
        query, passage, grade = (column.strip() for column in (columns[0], columns[-2], columns[-1]))
        try:
            grades.setdefault(query, {})[passage] = int(grade)
        except ValueError as error:
            raise _bad(path, number, f"a grade is a whole number, not {grade!r}", "0 is not relevant") from error
    if not grades:
        raise InputError(f"{path} holds no judgements", "query 0 passage grade a line")
    return grades


def write_judgements(out: TextIO, grades: Mapping[str, Mapping[str, int]]) -> None:
    """Write judgements as TREC files have them."""
    for query, of_query in grades.items():
        for passage, grade in of_query.items():
            out.write(f"{_column(query)} 0 {_column(passage)} {grade}\n")


def read_queries(lines: Iterable[str], path: str = "the queries") -> dict[str, str]:
    """Read queries by their id, in order: JSON objects (BEIR's `_id` and `text`, or near names), or id, tab, text.

    Raises InputError, naming the line, for one that is neither, has no text, or has an id that was there before; and when
    there are none.
    """
    queries: dict[str, str] = {}
    for number, line in _lines(lines):
        query, text = _from_json(path, number, line) if line.startswith("{") else _from_columns(path, number, line)
        if not text.strip():
            raise _bad(path, number, f"query {query} has no text", "leave it out, or write it")
        if query in queries:
            raise _bad(path, number, f"the id {query} was there before", "every query has an id of its own")
        queries[query] = text
    if not queries:
        raise InputError(f"{path} holds no queries", 'a query is {"_id": "1", "text": "…"} or 1, tab, text on a line')
    return queries


def _from_json(path: str, number: int, line: str) -> tuple[str, str]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        what = (
            f"{error.msg} at column {error.colno}" if isinstance(error, json.JSONDecodeError) else "nested too deeply"
        )
        raise _bad(path, number, f"not JSON: {what}", "one JSON object a line") from error
    query = next((row[name] for name in _IDS if row.get(name) is not None), number)
    text = next((row[name] for name in _TEXTS if row.get(name) is not None), None)
    if not isinstance(text, str) or not isinstance(query, (str, int)):
        raise _bad(path, number, "a query is an object with an id and a text", '{"_id": "1", "text": "…"}')
    return str(query), text


def _from_columns(path: str, number: int, line: str) -> tuple[str, str]:
    query, tab, text = line.partition("\t")
    if not tab or not query.strip():
        raise _bad(path, number, "neither a JSON object nor id, tab, text", '{"_id": "1", "text": "…"} or 1, tab, text')
    return query.strip(), text


def _lines(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, 1):
        stripped = line.removeprefix("\ufeff").rstrip("\r\n")
        if stripped.strip():
            yield number, stripped


def _score(path: str, number: int, text: str) -> float:
    try:
        score = float(text)
    except ValueError as error:
        raise _bad(path, number, f"a score is a number, not {text!r}", "query Q0 passage rank score tag") from error
    if math.isnan(score):
        raise _bad(path, number, "a score is a number, not nan", "query Q0 passage rank score tag")
    return score


def _column(text: str) -> str:
    return "_".join(text.split()) or "_"


def _bad(path: str, number: int, message: str, hint: str) -> InputError:
    return InputError(f"{path}: line {number}: {message}", hint)
