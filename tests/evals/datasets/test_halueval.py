from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.errors import InputError
from groundwire.evals.datasets import open as read
from groundwire.types import Label

Written = Callable[..., Path]
QA = {
    "knowledge": "Oberoi has a head office in Delhi.",
    "question": "Where is its office?",
    "right_answer": "Delhi",
    "hallucinated_answer": "In Mumbai.",
}
DIALOGUE = {
    "knowledge": "Iron Man stars Downey.",
    "dialogue_history": "[Human]: Do you like Iron Man",
    "right_response": "Yes, with Downey.",
    "hallucinated_response": "Yes, with Cruise.",
}
SUMMARY = {"document": "Rain fell in Bonn.", "right_summary": "Rain in Bonn.", "hallucinated_summary": "Snow in Bonn."}


@pytest.mark.parametrize(
    ("name", "file", "row", "question", "context"),
    [
        ("halueval:qa", "qa_data.json", QA, QA["question"], QA["knowledge"]),
        ("halueval:dialogue", "dialogue_data.json", DIALOGUE, DIALOGUE["dialogue_history"], DIALOGUE["knowledge"]),
        ("halueval:summarization", "summarization_data.json", SUMMARY, None, SUMMARY["document"]),
    ],
)
def test_every_row_is_a_right_and_a_made_up_text(
    written: Written, name: str, file: str, row: dict[str, str], question: str | None, context: str
) -> None:
    # Published as .json, they hold one object a line.
    path = written(file.replace(".json", ".jsonl"), [row, row]).rename(written(file, ""))
    cases = list(read(name, path.parent))
    assert [case.label for case in cases] == [Label.SUPPORTED, Label.NOT_ENOUGH_INFO] * 2
    right, made_up = cases[:2]
    assert {right.answer, made_up.answer} <= set(row.values())
    assert right.group == made_up.group != cases[2].group
    assert right.id != made_up.id
    assert right.question == question
    assert [passage.text for passage in made_up.contexts] == [context]


def test_general_has_no_contexts_and_spans_by_their_text(written: Written) -> None:
    rows = [
        {
            "ID": "1",
            "user_query": "List words.",
            "chatgpt_response": "a, an",
            "hallucination": "no",
            "hallucination_spans": [],
        },
        {
            "ID": "2",
            "user_query": "Homophones?",
            "chatgpt_response": "to and here. here and hear.",
            "hallucination": "yes",
            "hallucination_spans": ["to and here", "not in it"],
        },
        {"ID": "3", "user_query": "q", "chatgpt_response": "r", "hallucination_label": "yes"},
    ]
    cases = list(read("halueval:general", written("general_data.jsonl", rows)))
    assert [case.label for case in cases] == [Label.SUPPORTED, Label.NOT_ENOUGH_INFO, Label.NOT_ENOUGH_INFO]
    assert [span.of(cases[1].answer) for span in cases[1].spans] == ["to and here"]
    assert cases[0].reason == "the data set has no contexts"


def test_the_file_of_another_part_is_refused(written: Written) -> None:
    path = written("qa_data.jsonl", [QA])
    with pytest.raises(
        InputError, match="found the columns knowledge, question, right_answer, hallucinated_answer; wanted"
    ):
        list(read("halueval:dialogue", path))
