"""Data sets of questions with answers: MS MARCO QnA, TruthfulQA, HotpotQA (with HaluEval's made-up answers beside it).

Left out: made-up answers to MS MARCO's questions, of which none are published.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from groundwire.evals.datasets.fields import case, own_id, passages, text, texts, wanted
from groundwire.evals.datasets.place import Place
from groundwire.evals.datasets.records import Record, records
from groundwire.types import Case, Label

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
            shown = [(n, 0, len(contexts[n].text)) for n in _selected(record) if n < len(contexts)]
            answers = dict.fromkeys(texts(record, "answers", record.values["answers"]))
            for n, answer in enumerate(each for each in answers if each.strip() and each != NO_ANSWER):
                yield case(
                    f"{id_}-{n}",
                    answer,
                    contexts,
                    Label.SUPPORTED,
                    question=text(record, "query"),
                    shown=shown,
                    group=id_,
                    part=record.values.get("query_type"),
                )


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


def _selected(record: Record) -> list[int]:
    """Return the positions of the passages that the answer was written from; none where the file does not say."""
    given = record.values["passages"]
    if isinstance(given, Mapping):
        marks = given.get("is_selected")
        marks = marks if isinstance(marks, list) else []
    else:
        marks = [each.get("is_selected") for each in given]
    return [n for n, mark in enumerate(marks) if mark == 1]


def truthfulqa(place: Place) -> Iterator[Case]:
    """Yield each correct and each incorrect answer to each question; answers are parted by semicolons."""
    for record in place.records():
        wanted(record, place.name, _CSV)
        id_ = f"{place.name}-{record.number}"
        n = 0
        for column, gold in (("Correct Answers", Label.SUPPORTED), ("Incorrect Answers", Label.NOT_ENOUGH_INFO)):
            for answer in filter(None, (part.strip() for part in text(record, column).split(";"))):
                asked, part = text(record, "Question"), record.values.get("Type")
                yield case(f"{id_}-{n}", answer, (), gold, question=asked, group=id_, part=part)
                n += 1


def hotpotqa(place: Place) -> Iterator[Case]:
    """Yield the answer to each question over its ten articles, and HaluEval's made-up answer where there is one."""
    made_up = _made_up(place)
    for record in place.records():
        wanted(record, place.name, ("_id", "question", "answer", "context"), ("id", "question", "answer", "context"))
        id_ = own_id(record, "_id" if "_id" in record.values else "id", place.name)
        question, articles = text(record, "question"), _articles(record)
        contexts = passages((title, "".join(sentences)) for title, sentences in articles)
        answers = [("", text(record, "answer"), Label.SUPPORTED)]
        if question in made_up:
            answers.append(("-hallucinated", made_up[question], Label.NOT_ENOUGH_INFO))
        shown, part = _supporting(record, articles), record.values.get("type")
        for end, answer, gold in answers:
            yield case(f"{id_}{end}", answer, contexts, gold, question=question, shown=shown, group=id_, part=part)


def _articles(record: Record) -> list[tuple[str, list[str]]]:
    """Return each article's title and sentences: [title, sentences] as published, or the hub's object of lists."""
    given = _pairs(record.values["context"], "title", "sentences")
    if given is None:
        raise record.wrong("context must be a list of [title, sentences]")
    return [(str(title), texts(record, "context", sentences)) for title, sentences in given]


def _supporting(record: Record, articles: Sequence[tuple[str, list[str]]]) -> list[tuple[int, int, int]]:
    """Return the places of the supporting facts, [title, sentence]. Some number a sentence that is not there: none."""
    facts = _pairs(record.values.get("supporting_facts"), "title", "sent_id") or []
    places = []
    for position, (title, sentences) in enumerate(articles):
        at = 0
        for n, sentence in enumerate(sentences):
            if (title, n) in facts:
                places.append((position, at, at + len(sentence)))
            at += len(sentence)
    return places


def _pairs(given: Any, one: str, other: str) -> list[tuple[Any, Any]] | None:
    """Return a list of pairs, or an object of two lists as one; None for anything else."""
    if isinstance(given, Mapping):
        given = list(zip(given.get(one) or (), given.get(other) or (), strict=False))
    if not isinstance(given, list) or not all(isinstance(each, (list, tuple)) and len(each) == 2 for each in given):
        return None
    return [(first, second) for first, second in given]


def _made_up(place: Place) -> dict[str, str]:
    """Return HaluEval's made-up answers by their questions, ten thousand at most, where its file is beside."""
    answers: dict[str, str] = {}
    for file in place.beside(*MADE_UP):
        for record in records(file):
            wanted(record, "halueval:qa", ("question", "hallucinated_answer"))
            answers[text(record, "question")] = text(record, "hallucinated_answer")
    return answers
