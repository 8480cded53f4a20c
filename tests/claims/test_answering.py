"""Answering: what says nothing without its question is read with it."""

import pytest

from groundwire.claims import SentenceClaims
from groundwire.idle import NOTHING_SAID, ONLY_ABSTAINS, ONLY_POINTS
from groundwire.types import Case

from .reading import case, texts

KEEP = "Store it below 25 degrees."


@pytest.mark.parametrize("answer", ["111", "111.", "No.", "in 1997", "Elly Tran Ha", "about 20 to 40 minutes"])
def test_a_bare_answer_becomes_the_claim_prompt(answer):
    [[claim]] = SentenceClaims().split([case(answer, "which one is it")])
    assert claim.text == f"The answer to question which one is it is {answer.removesuffix('.')}."
    assert claim.idle is None
    assert claim.span.of(answer) == answer


@pytest.mark.parametrize(
    "answer", ["The number is called 111.", "the number to call is one hundred and eleven at any time"]
)
def test_a_sentence_is_not_bare(answer):
    [[claim]] = SentenceClaims().split([case(answer, "which one is it")])
    assert claim.text == answer


@pytest.mark.parametrize(
    "answer", ["The answer is 111.", "So the correct answer is **111**.", "The final answer is: 111"]
)
def test_an_announced_answer_is_put_in_the_claim_prompt(answer):
    [[claim]] = SentenceClaims().split([case(answer, "How many species are there?")])
    read = " ".join(claim.text.replace(" .", ".").split())
    assert read.replace(" .", ".") == "The answer to question How many species are there? is 111."
    assert claim.own.of(claim.text).rstrip(" .") == "111"


def test_an_announced_sentence_needs_no_prompt():
    answer = "The answer is that Ann won the race in Rome and left in 1932."
    [[claim]] = SentenceClaims().split([case(answer, "Who won?")])
    assert claim.text == answer


def test_a_bare_answer_in_bold_is_put_in_the_claim_prompt_without_its_markup():
    answer = "**111** [1]"
    [[claim]] = SentenceClaims().split([case(answer, "How many species are there?")])
    assert claim.text == "The answer to question How many species are there? is 111."
    assert claim.span.of(answer) == claim.own.of(claim.text) == "111"


@pytest.mark.parametrize("answer", ["Yes, you can do that here.", "No.", "No, it is not."])
def test_a_yes_or_no_that_leans_on_its_question_is_read_with_it(answer):
    case = Case(id="0", question="Can I smoke in the lobby?", answer=answer, contexts=())
    [claim] = SentenceClaims().split([case])[0]
    assert claim.idle is None
    assert claim.text.startswith("The answer to question Can I smoke in the lobby? is")


@pytest.mark.parametrize("first", ["Yes.", "No.", "Yes, you can.", "Absolutely!"])
def test_a_first_yes_or_no_is_read_with_its_question(first: str) -> None:
    question = "Can I give the syrup to children under 12?"
    read = texts(f"{first} {KEEP}", question)
    said = first.removesuffix(", you can.").removesuffix(".")
    assert read == [(f"The answer to question {question} is {said}.", None), (KEEP, None)]


@pytest.mark.parametrize("question", [None, "Do you like jazz?", "Tell me about it.", "How is it stored?"])
def test_elsewhere_it_says_nothing(question: str | None) -> None:
    assert texts(f"Yes. {KEEP}", question)[0] == ("Yes.", NOTHING_SAID)


def test_a_first_bare_answer_is_read_with_its_question() -> None:
    question = "What is the capital of Australia?"
    for answer in ("Sydney. It is the largest city.", "Sydney\n\nIt is the largest city.", "- Sydney\n- Perth"):
        assert texts(answer, question)[0] == (f"The answer to question {question} is Sydney.", None)
    assert texts("Sydney. It is the largest city.")[0] == ("Sydney.", None)


def test_its_place_is_as_written() -> None:
    case = Case(id="0", question="Is it open?", answer=f" **Yes.** {KEEP}", contexts=())
    [first, _] = SentenceClaims().split([case])[0]
    assert case.answer[first.span.start : first.span.end] == "Yes."
    assert first.own is not None
    assert first.text[first.own.start : first.own.end] == "Yes."


def test_that_a_text_does_not_mention_it_is_checked_where_it_is_asked() -> None:
    answer = "The document does not mention termination."
    assert texts(answer, "Does the contract mention termination?")[-1][1] is None
    assert texts(answer, "How is it terminated?") == [(answer, ONLY_ABSTAINS)]
    assert texts("It is long. I don't know.", "Does the contract mention termination?")[-1][1] == ONLY_ABSTAINS


WHO = "Who wrote The Pale Ferry?"


def asked(said: str, question: str = WHO) -> tuple[str, str | None]:
    return f"The answer to question {question} is {said}.", None


@pytest.mark.parametrize(
    ("answer", "place"),
    [
        ("Let us see. It tells of a ferry. Answer: Karl Voss", "Karl Voss"),
        ("It tells of a ferry. So the answer is Karl Voss.", "Karl Voss."),
        ("The book tells of a ferry.\n\n**Karl Voss**", "Karl Voss"),
        ("The book tells of a ferry.\n\n#### Answer: Karl Voss", "Karl Voss"),
        ("Sure! Karl Voss.", "Karl Voss."),
        ("It was Karl Voss.", "Karl Voss."),
        ("That would be Karl Voss.", "Karl Voss."),
        ('"Karl Voss"', "Karl Voss"),
        ('["Karl Voss"]', "Karl Voss"),
        ("'Karl Voss'", "Karl Voss"),
        ("<answer>Karl Voss</answer>", "Karl Voss"),
    ],
)
def test_an_answer_behind_its_reasons_or_in_brackets_is_read_with_its_question(answer: str, place: str) -> None:
    one = case(answer, WHO)
    [claims] = SentenceClaims().split([one])
    assert [claim.text for claim in claims if not claim.idle][-1] == asked("Karl Voss")[0]
    assert claims[-1].span.of(answer) == place
    assert claims[-1].own is not None
    assert claims[-1].own.of(claims[-1].text).rstrip(".") == "Karl Voss"


@pytest.mark.parametrize(
    "answer",
    [
        "It tells of a ferry. Karl Voss wrote it.",
        "It tells of a ferry. He retired.",
        "The book was written by Karl Voss in 1953.",
    ],
)
def test_a_last_sentence_that_says_something_is_read_as_it_is(answer: str) -> None:
    assert not texts(answer, WHO)[-1][0].startswith("The answer")


@pytest.mark.parametrize("answer", ["It was published in 1953.", "He studied in Bern."])
def test_who_speaks_of_what_the_question_names_is_read_with_it(answer: str) -> None:
    for question in ("When was it published?", "Where did Emil Weiss study?"):
        assert texts(answer, question) == [asked(answer.rstrip("."), question)]
        assert texts(f"{answer} {KEEP}", question) == [asked(answer.rstrip("."), question), (KEEP, None)]
    assert texts(answer, "Tell me about it.") == [(answer, None)]
    assert texts("It is important to store it dry.", "How is it kept?") == [("It is important to store it dry.", None)]
    assert texts(answer) == [(answer, None)]


def test_brackets_that_are_a_part_of_the_answer_stay() -> None:
    assert texts("The Pale Ferry (1953)", WHO) == [asked("The Pale Ferry (1953)")]


def test_a_yes_is_cut_where_its_question_says_the_rest() -> None:
    question = "Does the reset keep the settings?"
    assert texts("Yes, it does.", question) == [asked("Yes", question)]
    [[claim]] = SentenceClaims().split([case("Yes, it does.", question)])
    assert claim.span.of("Yes, it does.") == "Yes, it does."
    assert texts("Yes, it keeps them.", question)[0][0] == "Yes, it keeps them."


def test_the_bare_items_of_a_list_without_a_lead_are_read_with_the_question() -> None:
    question = "Which cities are named?"
    assert texts("- Paris\n- Rome\n- Venue: Oslo", question) == [
        asked("Paris", question),
        asked("Rome", question),
        ("Venue: Oslo", None),
    ]
    assert texts("These are named:\n- Paris", question)[1] == ("These are named: Paris", None)


@pytest.mark.parametrize("answer", ["No, only some of them.", "Yes, all but one.", "No, after."])
def test_a_yes_or_no_keeps_what_it_is_bound_to(answer: str) -> None:
    question = "Do students get a discount?"
    assert texts(answer, question) == [asked(answer.rstrip("."), question)]


def test_items_are_no_answers_to_a_question_for_a_yes_or_no() -> None:
    assert texts("- Dogs stay out\n- Breakfast provided", "Are dogs allowed?")[1] == ("Breakfast provided", None)


@pytest.mark.parametrize("last", ["Runner-up: Bob", "Confidence: 0.9", "## Notes", "Bob lost"])
def test_a_last_line_with_a_label_or_a_verb_is_no_answer(last: str) -> None:
    assert texts(f"Ann won the race.\n{last}", "Who won?")[-1][0].endswith(last)
    assert "answer to" not in texts(f"Ann won the race.\n{last}", "Who won?")[-1][0]


def test_whom_to_turn_to_is_checked_where_it_is_asked() -> None:
    answer = "Consult your doctor. The dose is 200 mg."
    assert texts(answer, "What does the label advise?")[0][1] is None
    assert texts(answer, "What is the dose?")[0][1] == ONLY_POINTS


def test_a_hundred_thousand_brackets_take_no_longer_than_they_are_long() -> None:
    deep = "(" * 100_000 + "Ann" + ")" * 100_000
    [[claim]] = SentenceClaims().split([case(deep, WHO)])
    assert "Ann" in claim.text
