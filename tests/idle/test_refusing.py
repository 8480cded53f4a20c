"""Refusing: what says only that the speaker, or the texts, cannot tell; and what says so of the world."""

import pytest

from groundwire.idle import ONLY_ABSTAINS, declines, why_idle
from groundwire.idle.refusing import refuses

ASKED = "Who built the bridge?"


@pytest.mark.parametrize(
    "sentence",
    [
        "I don't know.",
        "I do not know.",
        "I'm not sure.",
        "It isn't mentioned in the text.",
        "The context does not provide this information.",
        "The answer is not in the passage.",
        "Cannot be determined from the passage.",
        "The question cannot be answered from the given text",
        "The passage provides no information about the cost.",
        "No information is given about the architect.",
        "The text makes no mention of a king.",
        "It is unclear from the text who won.",
        "It is unknown from the text.",
        "The document is silent on fees.",
        "Based on the passage, it is unclear who paid.",
        "According to the context, the length is not stated.",
        "The passage does not say who paid for it.",
        "There is no information on its length.",
        "The text does not say.",
        "Not mentioned in the passage.",
        "Not in the passage",
        "No answer in the passage",
        "The provided context does not contain enough information to answer the question.",
        "The article does not mention when it opened.",
        "This information is not provided in the text.",
        "This cannot be determined from the given passage.",
        "It cannot be determined from the passage who won.",
        "The answer cannot be found in the passage.",
        "I'm unsure.",
        "The passage does not contain an answer to this question.",
        "The answer is not given.",
        "The question can't be answered based on the passage.",
        "The sources do not mention when they were born.",
        "The documents don't say how long you have with MyDeposits.",
        "The passage doesn't specify the length of the bridge.",
        "The length of the bridge is not mentioned in the passage.",
        "The text says nothing about costs.",
        "No relevant information was found in the documents.",
        "It's not clear from the context whether she left.",
        "From the passage, it is not possible to determine the year.",
        "There is no mention of fees in the document.",
        "The passage provides insufficient information.",
    ],
)
def test_what_speaks_of_the_texts_or_the_speaker_abstains(sentence):
    assert why_idle(sentence, last=True) == ONLY_ABSTAINS
    assert why_idle(sentence, last=False) == ONLY_ABSTAINS
    assert declines(sentence, ASKED)


@pytest.mark.parametrize(
    "answer",
    [
        "Unknown",
        "Unknown.",
        "N/A",
        "unanswerable",
        "Unanswerable.",
        "No answer",
        "Not mentioned.",
        "It is not stated.",
        "Cannot be determined.",
        "Not specified",
        "No information",
        "Not enough information.",
        "Insufficient information",
        "not stated",
        "It is unknown.",
        "It is not known.",
        "no idea",
        "Don't know",
        "Not given",
        "**Unknown**",
        "unclear",
    ],
)
def test_a_few_words_decline_only_where_nothing_else_is_said(answer):
    assert declines(answer, ASKED)
    assert declines(answer)
    assert not refuses(answer)


@pytest.mark.parametrize(
    "sentence",
    [
        "The cause is unknown.",
        "The price of a bond cannot be determined with this information alone.",
        "It is unclear why the bridge fell.",
        "The museum does not provide information desks.",
        "The company gave no answer.",
        "The document does not cover flood damage.",
        "The plan does not include support.",
        "There is no data cap on this plan.",
        "No data are available on use in children.",
        "The author is not known.",
        "It is not known who built it.",
        "The builder is not named.",
        "The answer was not given by the company.",
        "No details were given about the victims by the police.",
        "Lead was not found in the source.",
        "The price is not included.",
        "Na",
        "None",
        "Not included",
        "Not available",
        "The answer is 12.",
        "The question is free.",
        "The source is a spring.",
        "It is not available.",
        "The drug is not given with milk.",
        "The text is long.",
    ],
)
def test_what_says_something_of_the_world_does_not(sentence):
    assert not declines(sentence, ASKED)
    assert not refuses(sentence)


@pytest.mark.parametrize(
    ("answer", "question", "declined"),
    [
        ("Not mentioned.", "Does the text mention fees?", False),
        ("Not mentioned.", "What are the fees?", True),
        ("Unknown", "Is the cause known?", False),
        ("Unknown", "Is it red?", True),
        ("The document does not mention termination.", "Does the contract mention termination?", False),
        ("The document does not mention termination.", "Is termination allowed?", True),
        ("Not stated", "Does the law state it?", False),
        ("I don't know.", "Is the cause known?", True),
    ],
)
def test_that_something_is_not_known_answers_whether_it_is(answer, question, declined):
    assert declines(answer, question) is declined


@pytest.mark.parametrize("sentence", ["a " * 10**6, "the passage " * 10**5, "x" * 150 + " is not" * 20, ""])
def test_refusals_are_told_in_no_time(sentence):
    assert not declines(sentence, ASKED)


@pytest.mark.parametrize("what", ["parking is not available", "breakfast is not provided", "the author is not named"])
def test_behind_according_to_the_document_a_thing_may_be_denied(what: str) -> None:
    assert not refuses(f"According to the document, {what}.")
    assert refuses("According to the document, the author is not mentioned.")


@pytest.mark.parametrize(
    ("answer", "question"),
    [
        ("No data.", "What data does the app collect?"),
        ("There is no evidence.", "Is there evidence that it works?"),
        ("Insufficient evidence.", "Why was the case dismissed?"),
    ],
)
def test_what_is_lacking_may_be_the_answer(answer: str, question: str) -> None:
    assert not declines(answer, question)
