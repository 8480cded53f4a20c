"""A first word that answers the question, lists of what a question asks for, and leads that say nothing."""

from __future__ import annotations

import pytest

from groundwire.claims import ONLY_LEADS, SentenceClaims
from groundwire.idle import NOTHING_SAID, ONLY_ABSTAINS, ONLY_CITES
from groundwire.types import Case, Passage

KEEP = "Store it below 25 degrees."


def claims(answer: str, question: str | None = None) -> list[tuple[str, str | None]]:
    """What is read of each claim, and why it is idle."""
    case = Case(id="0", question=question, answer=answer, contexts=(Passage(id="0", text="A text."),))
    return [(claim.text, claim.idle) for claim in SentenceClaims().split([case])[0]]


@pytest.mark.parametrize("first", ["Yes.", "No.", "Yes, you can.", "Absolutely!"])
def test_a_first_yes_or_no_is_read_with_its_question(first: str) -> None:
    question = "Can I give the syrup to children under 12?"
    read = claims(f"{first} {KEEP}", question)
    assert read == [(f"The answer to question {question} is {first.removesuffix('.')}.", None), (KEEP, None)]


@pytest.mark.parametrize("question", [None, "Do you like jazz?", "Tell me about it.", "How is it stored?"])
def test_elsewhere_it_says_nothing(question: str | None) -> None:
    assert claims(f"Yes. {KEEP}", question)[0] == ("Yes.", NOTHING_SAID)


def test_a_first_bare_answer_is_read_with_its_question() -> None:
    question = "What is the capital of Australia?"
    for answer in ("Sydney. It is the largest city.", "Sydney\n\nIt is the largest city.", "- Sydney\n- Perth"):
        assert claims(answer, question)[0] == (f"The answer to question {question} is Sydney.", None)
    assert claims("Sydney. It is the largest city.")[0] == ("Sydney.", None)


def test_its_place_is_as_written() -> None:
    case = Case(id="0", question="Is it open?", answer=f" **Yes.** {KEEP}", contexts=())
    [first, _] = SentenceClaims().split([case])[0]
    assert case.answer[first.span.start : first.span.end] == "**Yes.**"
    assert first.own is not None
    assert first.text[first.own.start : first.own.end] == "Yes."


def test_a_list_of_what_is_asked_for_is_no_list_of_sources() -> None:
    answer = "It uses two.\n\nSources:\n- Solar energy\n- Wind energy"
    assert [idle for _, idle in claims(answer, "What are its energy sources?")] == [None, ONLY_LEADS, None, None]
    assert [idle for _, idle in claims(answer, "What does it use?")] == [None, ONLY_CITES, ONLY_CITES, ONLY_CITES]


def test_what_states_something_is_no_source() -> None:
    read = claims("It uses two.\n\nSources:\n- Annual report 2023\n- Solar: 40%")
    assert [idle for _, idle in read] == [None, ONLY_CITES, ONLY_CITES, None]


def test_a_lead_that_only_announces_is_not_read_along() -> None:
    items = "1. The engine failed.\n2. All were rescued."
    assert claims(f"The main points of the article are as follows:\n{items}")[1:] == [
        ("The engine failed.", None),
        ("All were rescued.", None),
    ]
    assert claims(f"These things are not true:\n{items}")[1][0].startswith("These things are not true: ")


def test_that_a_text_does_not_mention_it_is_checked_where_it_is_asked() -> None:
    answer = "The document does not mention termination."
    assert claims(answer, "Does the contract mention termination?")[-1][1] is None
    assert claims(answer, "How is it terminated?") == [(answer, ONLY_ABSTAINS)]
    assert claims("It is long. I don't know.", "Does the contract mention termination?")[-1][1] == ONLY_ABSTAINS
