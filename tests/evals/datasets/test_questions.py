from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.errors import InputError
from groundwire.evals.datasets import open as read
from groundwire.types import Label

Written = Callable[..., Path]
ROW = {
    "query_id": 19699,
    "query": "what is cds",
    "query_type": "DESCRIPTION",
    "passages": [
        {"is_selected": 0, "passage_text": "CDs are discs.", "url": "u"},
        {"is_selected": 1, "passage_text": "CDS is a swap.", "url": "u"},
    ],
    "answers": ["A swap.", "A swap.", "A kind of swap."],
    "wellFormedAnswers": "[]",
}
NONE = {**ROW, "query_id": 2, "answers": ["No Answer Present."]}


def by_column(rows: list[dict[str, object]]) -> dict[str, dict[str, object]]:
    return {name: {str(n): row[name] for n, row in enumerate(rows)} for name in rows[0]}


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("dev_v2.1.json", by_column([ROW, NONE])),
        ("dev_v2.1.jsonl", [ROW, NONE]),
        (
            "dev_v2.1.jsonl",
            [{**ROW, "passages": {"is_selected": [0, 1], "passage_text": ["CDs are discs.", "CDS is a swap."]}}],
        ),
    ],
)
def test_msmarco_answers_are_supported_by_its_passages(written: Written, name: str, rows: object) -> None:
    cases = list(read("msmarco-qna", written(name, rows)))
    assert [(case.id, case.answer) for case in cases] == [("19699-0", "A swap."), ("19699-1", "A kind of swap.")]
    assert {case.label for case in cases} == {Label.SUPPORTED}
    assert [passage.text for passage in cases[0].contexts] == ["CDs are discs.", "CDS is a swap."]
    assert cases[0].question == "what is cds"
    assert [(place.source, place.start, place.end) for place in cases[0].evidence] == [("1", 0, 14)]
    assert cases[0].slice == "DESCRIPTION"


def test_truthfulqa_is_a_question_and_each_of_its_answers(written: Written) -> None:
    row = {
        "Type": "Adversarial",
        "Category": "Misconceptions",
        "Question": "What happens if you eat seeds?",
        "Best Answer": "They pass through you",
        "Correct Answers": "Nothing happens; They pass through you",
        "Incorrect Answers": "You grow melons; You die; ",
        "Source": "https://example.org",
    }
    cases = list(read("truthfulqa", written("TruthfulQA.csv", [row, row])))
    assert [(case.answer, case.label is Label.SUPPORTED) for case in cases[:4]] == [
        ("Nothing happens", True),
        ("They pass through you", True),
        ("You grow melons", False),
        ("You die", False),
    ]
    assert len(cases) == 8
    assert len({case.id for case in cases}) == 8
    assert cases[0].group == cases[3].group != cases[4].group
    assert cases[0].reason == "the data set has no contexts"
    assert cases[0].slice == "Adversarial"


HOTPOT = {
    "_id": "5a8b57f25542995d1e6f1371",
    "question": "Were they of one nationality?",
    "answer": "yes",
    "supporting_facts": [["Ed Wood", 0]],
    "context": [["Ed Wood", ["Wood was American.", " He made films."]], ["Scott", ["Scott is American."]]],
    "type": "comparison",
    "level": "hard",
}


def test_hotpotqa_stands_over_its_articles(written: Written) -> None:
    folder = written("hotpot_dev_distractor_v1.json", [HOTPOT]).parent
    (case,) = read("hotpotqa", folder)
    assert [(p.title, p.text) for p in case.contexts] == [
        ("Ed Wood", "Wood was American. He made films."),
        ("Scott", "Scott is American."),
    ]
    assert (case.id, case.label, case.slice) == (HOTPOT["_id"], Label.SUPPORTED, "comparison")


@pytest.mark.parametrize(
    "facts",
    [[["Ed Wood", 1], ["Scott", 0], ["Scott", 9]], {"title": ["Ed Wood", "Scott", "Scott"], "sent_id": [1, 0, 9]}],
)
def test_hotpotqa_supporting_facts_are_gold_evidence(written: Written, facts: object) -> None:
    (case,) = read("hotpotqa", written("rows.jsonl", [{**HOTPOT, "supporting_facts": facts}]))
    texts = {passage.id: passage.text for passage in case.contexts}
    assert [place.of(texts[place.source]) for place in case.evidence] == [" He made films.", "Scott is American."]


def test_hotpotqa_takes_made_up_answers_of_halueval(written: Written) -> None:
    halueval = {
        "knowledge": "k",
        "question": HOTPOT["question"],
        "right_answer": "yes",
        "hallucinated_answer": "No, Greek.",
    }
    folder = written("qa_data.jsonl", [halueval]).parent
    written("hotpot_train_v1.1.json", [HOTPOT, {**HOTPOT, "_id": "2", "question": "And who?"}])
    right, made_up, other = read("hotpotqa", folder, split="train")
    assert (made_up.answer, made_up.label, made_up.contexts) == ("No, Greek.", Label.NOT_ENOUGH_INFO, right.contexts)
    assert right.group == made_up.group != other.group


def test_columns_of_the_hub_are_the_same(written: Written) -> None:
    row = {**HOTPOT, "id": "1", "context": {"title": ["Ed Wood"], "sentences": [["Wood was American."]]}}
    del row["_id"]
    (case,) = read("hotpotqa", written("rows.jsonl", [row]))
    assert [(p.title, p.text) for p in case.contexts] == [("Ed Wood", "Wood was American.")]


@pytest.mark.parametrize("name", ["msmarco-qna", "truthfulqa", "hotpotqa"])
def test_other_columns_are_refused(written: Written, name: str) -> None:
    with pytest.raises(InputError, match=f"no row of {name}: found the columns a, b; wanted "):
        list(read(name, written("rows.jsonl", [{"a": 1, "b": 2}])))
