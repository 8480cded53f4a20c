import json

import pytest

from groundwire.compare import Said
from groundwire.errors import InputError
from groundwire.evals.papers.huo2023 import people
from groundwire.evals.papers.huo2023.answering import GIVEN, Answered
from groundwire.evals.papers.huo2023.judging import Judged
from groundwire.evals.papers.huo2023.published import CORRECT, PASSAGE, PREFERRED, STACKS

ANSWERS = [Answered(query=str(n), question=f"q{n}?", text=f"a{n}", source=GIVEN) for n in range(60)]


def views(reading: str | None = "read") -> dict[str, list[Judged]]:
    def judged(said: Said) -> Judged:
        return Judged(said=said, passage="p", evidence="text", reading=reading)

    yes, no = [judged(Said.YES)] * 60, [judged(Said.NO)] * 20 + [judged(Said.YES)] * 40
    return dict(zip(STACKS, (yes, no, yes), strict=True))


def row(item: str, annotator: str, judgement: str) -> str:
    return json.dumps({"item": item, "annotator": annotator, "judgement": judgement})


def test_items_are_drawn_by_cell_and_the_same_every_time() -> None:
    drawn = people.items(ANSWERS, views(), seed=0)
    tasks = [item["task"] for item in drawn]
    assert {task: tasks.count(task) for task in dict.fromkeys(tasks)} == {
        "label": 60,
        "preference": 20,
        "passage": 20,
        "reader": 20,
        "flip": 10,
    }
    assert drawn == people.items(ANSWERS, views(), seed=0) != people.items(ANSWERS, views(), seed=1)
    assert len({item["item"] for item in drawn}) == len(drawn)


def test_nothing_is_preferred_to_an_answer_that_no_reader_gave() -> None:
    tasks = {item["task"] for item in people.items(ANSWERS, views(reading=None), seed=0)}
    assert PREFERRED.task not in tasks
    assert CORRECT.task in tasks


def test_the_last_word_of_each_and_the_most_of_all_count() -> None:
    lines = [row("i", "a", "correct"), row("i", "a", "Incorrect"), row("i", "b", "incorrect"), row("i", "c", "correct")]
    assert people.read(lines, "f") == {"i": "incorrect"}
    assert people.read([row("i", "a", "correct"), row("i", "b", "incorrect"), ""], "f") == {}


def test_what_was_adjudicated_decides() -> None:
    decided = json.dumps({"item": "i", "annotator": "c", "judgement": "correct", "adjudicated": True})
    assert people.read([row("i", "a", "incorrect"), decided, row("i", "b", "incorrect")], "f") == {"i": "correct"}


def test_judgements_are_counted_in_their_row_and_unsure_in_none() -> None:
    drawn = people.items(ANSWERS, views(), seed=0)
    of_passage = [item["item"] for item in drawn if item["task"] == PASSAGE.task]
    judged = {of_passage[0]: "poor", of_passage[1]: "unsure", of_passage[-1]: "bm25 better"}
    assert people.counts(PASSAGE, drawn, judged) == {"agree": ["poor"], "disagree": ["bm25 better"]}


@pytest.mark.parametrize(
    "line", ["no", "[]", '{"item": "i", "annotator": "a"}', '{"item": 1, "annotator": "a", "judgement": "x"}']
)
def test_a_row_that_is_no_judgement_is_named(line: str) -> None:
    with pytest.raises(InputError, match="f: line 1"):
        people.read([line], "f")
