"""The claim prompt is literal, declaratives hold, wrong answers are of the right kind and never right."""

from random import Random
from typing import Any

import pytest

from groundwire.training.claims import AnswerBook, claim_prompt, declarative, kind, qa_claims, relevance_pairs, rivals
from groundwire.training.sample import NEI, REFUTES, SUPPORTS, UNKNOWN

CONTEXT = "Carl Weber founded Brightwater in 1932. Ada Byron led the council until 1950 and paid 480 workers."


def row(question: str, answer: str, context: str = CONTEXT, number: int = 0) -> dict[str, Any]:
    return {"id": f"r{number}", "dataset": "xquad-en", "question": question, "answers": [answer], "context": context}


def test_claim_prompt_is_literal() -> None:
    assert claim_prompt("who won", "Bob.") == "The answer to question who won is Bob."
    assert claim_prompt("Who won?", "Bob") == "The answer to question Who won? is Bob."


@pytest.mark.parametrize(
    ("question", "answer", "statement"),
    [
        ("Who founded Brightwater?", "Carl Weber", "Carl Weber founded Brightwater."),
        ("What is the capital of Portugal?", "Lisbon", "The capital of Portugal is Lisbon."),
        ("When did Carl Weber leave the town?", "1950", "Carl Weber left the town in 1950."),
        ("Where did Ada Byron die?", "Lisbon", "Ada Byron died in Lisbon."),
        ("When was the bridge opened?", "March 5, 1932", "The bridge was opened on March 5, 1932."),
        ("What did the council build?", "a bridge", "The council built a bridge."),
        ("Which team won the cup?", "the Reds", "The Reds won the cup."),
        ("Why did it rain?", "clouds", None),
    ],
)
def test_declaratives(question: str, answer: str, statement: str | None) -> None:
    made = declarative(question, answer)
    assert (made.text if made else None) == statement
    if made:
        (start, end), *_ = made.spans
        assert answer.lower() in made.text[start:end].lower()


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("1932", "date"),
        ("5 March", "date"),
        ("480", "number"),
        ("three", "number"),
        ("Ada Byron", "name"),
        ("a red fox", "phrase"),
    ],
)
def test_kinds(answer: str, expected: str) -> None:
    assert kind(answer) == expected


def test_rivals_are_of_the_same_kind_and_share_no_word() -> None:
    assert rivals("1932", CONTEXT) == ["1950"]
    assert rivals("Carl Weber", CONTEXT) == ["Brightwater", "Ada Byron"]


def test_wrong_answers_are_not_right() -> None:
    rows = [row("who", "Ada Byron"), row("who", "Ada"), row("who", "Tom Marsh")]
    book = AnswerBook(rows)
    for seed in range(50):
        wrong = book.wrong(rows[0], Random(seed))
        assert wrong is not None
        assert "ada" not in wrong[0].lower()


def test_qa_claims_give_both_classes() -> None:
    rows = [row("Who founded Brightwater?", "Carl Weber"), row("is it big?", "yes"), row("why?", "CANNOTANSWER")]
    made = list(qa_claims(rows, Random(1)))
    assert [s.label for s in made][:1] == [SUPPORTS]
    assert {s.label for s in made if s.operator == "yes_no"} == {SUPPORTS, REFUTES}
    assert [s.label for s in made if s.operator == "unanswerable"] == [NEI]
    assert all(s.spans for s in made if s.label != SUPPORTS)


def test_relevance_masks_entailment() -> None:
    rows = [row("Who founded it?", "Carl Weber"), row("what sang", "a bird", "A bird sang in the tall tree.", 1)]
    made = [s for seed in range(10) for s in relevance_pairs(rows, Random(seed))]
    assert {s.relevance for s in made} == {0, 1}
    assert {s.label for s in made} == {UNKNOWN}
