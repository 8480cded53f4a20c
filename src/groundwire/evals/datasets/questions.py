"""Data sets of questions with answers: MS MARCO QnA, TruthfulQA, HotpotQA (with HaluEval's made-up answers beside it).

Left out: made-up answers to MS MARCO's questions, of which none are published.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from groundwire.evals.datasets.fields import case, own_id, passages, text, texts, wanted
from groundwire.evals.datasets.place import Place
from groundwire.evals.datasets.records import Record, records
from groundwire.types import Case, Label, Passage

NO_ANSWER = "No Answer Present."
MADE_UP = ("qa_data.json", "qa_data.jsonl")
_ASKED = ("query_id", "query", "passages", "answers")
_CSV = ("Question", "Correct Answers", "Incorrect Answers")


def msmarco(place: Place) -> Iterator[Case]:
    """Yield each answer to each question over its ten passages. The published file, one object of columns, is held."""
    for outer in place.records():
        wanted(outer, place.name, _ASKED)
        for record in _by_row(outer) if isinstance(outer.values["query"], Mapping) else (outer,):
            id_ = own_id(record, "query_id", place.name)
            contexts = passages(_passages(record))
            answers = dict.fromkeys(texts(record, "answers", record.values["answers"]))
            for n, answer in enumerate(each for each in answers if each.strip() and each != NO_ANSWER):
                question = text(record, "query")
                yield case(f"{id_}-{n}", answer, contexts, Label.SUPPORTED, question=question, group=id_)


def _by_row(outer: Record) -> Iterator[Record]:
    """Yield the rows of a file that is an object of columns, each an object from a row's number to its value."""
    columns = {name: column for name, column in outer.values.items() if isinstance(column, Mapping)}
    for number, key in enumerate(columns["query"], 1):
        values = {name: column.get(key) for name, column in columns.items()}
        yield Record(outer.title, number, f"row {key}", values)


def _passages(record: Record) -> list[str]:
    """Return the passages: a list of objects (the published form) or an object of lists (the hub's)."""
    given = record.values["passages"]
    if isinstance(given, Mapping):
        return texts(record, "passages.passage_text", given.get("passage_text"))
    if not isinstance(given, list) or not all(isinstance(each, Mapping) for each in given):
        raise record.wrong("passages must be a list of objects with passage_text")
    return [text(record, "passage_text", each) for each in given]


def truthfulqa(place: Place) -> Iterator[Case]:
    """Yield each correct and each incorrect answer to each question; answers are parted by semicolons."""
    for record in place.records():
        wanted(record, place.name, _CSV)
        id_ = f"{place.name}-{record.number}"
        n = 0
        for column, gold in (("Correct Answers", Label.SUPPORTED), ("Incorrect Answers", Label.NOT_ENOUGH_INFO)):
            for answer in filter(None, (part.strip() for part in text(record, column).split(";"))):
                yield case(f"{id_}-{n}", answer, (), gold, question=text(record, "Question"), group=id_)
                n += 1


def hotpotqa(place: Place) -> Iterator[Case]:
    """Yield the answer to each question over its ten articles, and HaluEval's made-up answer where there is one."""
    made_up = _made_up(place)
    for record in place.records():
        wanted(record, place.name, ("_id", "question", "answer", "context"), ("id", "question", "answer", "context"))
        id_ = own_id(record, "_id" if "_id" in record.values else "id", place.name)
        question, contexts = text(record, "question"), _articles(record)
        yield case(id_, text(record, "answer"), contexts, Label.SUPPORTED, question=question, group=id_)
        if question in made_up:
            answer = made_up[question]
            yield case(f"{id_}-hallucinated", answer, contexts, Label.NOT_ENOUGH_INFO, question=question, group=id_)


def _articles(record: Record) -> tuple[Passage, ...]:
    """Return the articles: a list of [title, sentences] (the published form) or an object of lists (the hub's)."""
    given: Any = record.values["context"]
    if isinstance(given, Mapping):
        given = list(zip(given.get("title") or (), given.get("sentences") or (), strict=False))
    if not isinstance(given, list) or not all(isinstance(each, (list, tuple)) and len(each) == 2 for each in given):
        raise record.wrong("context must be a list of [title, sentences]")
    return passages((str(title), "".join(texts(record, "context", sentences))) for title, sentences in given)


def _made_up(place: Place) -> dict[str, str]:
    """Return HaluEval's made-up answers by their questions, ten thousand at most, where its file is beside."""
    answers: dict[str, str] = {}
    for file in place.beside(*MADE_UP):
        for record in records(file):
            wanted(record, "halueval:qa", ("question", "hallucinated_answer"))
            answers[text(record, "question")] = text(record, "hallucinated_answer")
    return answers
