"""Sentences: every sentence is a claim with its exact place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.claims import SentenceClaims
from groundwire.idle import ONLY_CHATS
from groundwire.types import Case

from .reading import case, texts


def test_a_sentence_is_its_own_words_and_a_bare_answer_says_where_they_are():
    [[sentence]] = SentenceClaims().split([case("Ann won in 1997 by a mile.", "who won")])
    assert sentence.own is None
    [[bare]] = SentenceClaims().split([case("Ann", "who is Ann")])
    assert (bare.own.of(bare.text), bare.own.start) == ("Ann", bare.text.rindex("Ann"))


def test_sentences_are_claims_with_their_place():
    answer = "Ann won in 1997. Bob came second."
    [claims] = SentenceClaims().split([case(answer, "who won")])
    assert [c.text for c in claims] == ["Ann won in 1997.", "Bob came second."]
    assert [c.span.of(answer) for c in claims] == [c.text for c in claims]
    assert [c.id for c in claims] == ["c#0", "c#1"]


@given(st.text(max_size=200))
def test_spans_are_in_order_and_inside_the_answer(answer):
    [claims] = SentenceClaims().split([case(answer)])
    ends = [0]
    for claim in claims:
        assert ends[-1] <= claim.span.start < claim.span.end <= len(answer)
        ends.append(claim.span.end)


@pytest.mark.parametrize("sentence", ["Yes, it is.", "Who won?", "Do you like it?", "No.", "---"])
def test_what_asserts_nothing_is_idle(sentence):
    [claims] = SentenceClaims().split([case(f"{sentence}\n\nAnn won in 1997.")])
    assert claims[0].idle
    assert claims[1].idle is None


@pytest.mark.parametrize("sentence", ["Ann won in 1997, didn't she?", "Did you know that Ann won?", "Ann won."])
def test_what_asserts_something_is_checked_even_when_it_asks(sentence):
    [[claim]] = SentenceClaims().split([case(sentence)])
    assert claim.idle is None


def test_a_sentence_too_long_to_leave_room_for_evidence_is_cut_into_claims():
    answer = " ".join(f"word{i}" for i in range(400))
    [claims] = SentenceClaims().split([case(answer)])
    assert [len(c.text.split()) for c in claims] == [150, 150, 100]
    assert " ".join(c.span.of(answer) for c in claims) == answer


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("**Ann** won in 1932 [1].", "Ann won in 1932 ."),
        ("Ann won the [race](https://a.b/race) in Rome.[2][3]", "Ann won the race in Rome."),
        ("A * B is the **product** [1]", "A * B is the product"),
    ],
)
def test_markup_is_not_read_and_the_span_is_as_written(marked, plain):
    [[claim]] = SentenceClaims().split([case(marked)])
    assert " ".join(claim.text.split()) == plain
    assert claim.span.of(marked) == marked


@pytest.mark.parametrize(
    "answer",
    ["According to passage 2, Ann won in 1932.", "However, Ann won in 1932, as stated in the [document](https://a.b)."],
)
def test_frames_are_not_read_and_the_span_is_as_written(answer):
    [[claim]] = SentenceClaims().split([case(answer)])
    assert " ".join(claim.text.split()).rstrip(" .") == "Ann won in 1932"
    assert claim.span.of(answer) == answer


@pytest.mark.parametrize(
    "sentence",
    [
        "Hello!",
        "Hi there!",
        "Great question!",
        "I hope this helps.",
        "Hope that helps!",
        "Let me know if you have any other questions.",
        "Feel free to ask if you need anything else!",
        "Thank you for asking.",
        "Sure, I would be happy to help.",
    ],
)
def test_courtesy_asserts_nothing(sentence: str) -> None:
    case = Case(id="0", answer=f"The bridge was opened in 1932. {sentence}", contexts=())
    claims = SentenceClaims().split([case])[0]
    assert [claim.idle is None for claim in claims] == [True, False]


@pytest.mark.parametrize(
    "sentence",
    [
        "Help is free.",
        "The question is free.",
        "Happy people help others.",
        "You need a permit.",
        "We hope to open in June.",
    ],
)
def test_a_sentence_with_words_of_courtesy_that_says_something_is_checked(sentence: str) -> None:
    case = Case(id="0", answer=f"The bridge was opened in 1932. {sentence}", contexts=())
    assert SentenceClaims().split([case])[0][1].idle is None


def test_an_answer_that_is_taken_for_chatter_alone_is_checked_unless_it_surely_is():
    assert texts("I hope it rains. The bridge was opened in 1932.") == [
        ("I hope it rains.", ONLY_CHATS),
        ("The bridge was opened in 1932.", None),
    ]
    assert texts("I hope it rains.") == [("I hope it rains.", None)]
    assert texts("That's so cool, I love it!") == [("That's so cool, I love it!", ONLY_CHATS)]


@pytest.mark.parametrize(
    ("answer", "checked"),
    [
        ("Absolutely. It is.", ["Absolutely."]),
        ("Correct. Indeed.", ["Correct.", "Indeed."]),
        ("Indeed. The bridge was opened in 1932.", ["The bridge was opened in 1932."]),
        ("Yes. Sure.", []),
    ],
)
def test_a_yes_by_another_word_is_checked_where_nothing_else_would_be(answer, checked):
    assert [text for text, idle in texts(answer) if idle is None] == checked
