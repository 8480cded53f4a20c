"""Idle: what asserts nothing, and what sounds like it and does."""

import pytest

from groundwire.idle import NOTHING_SAID, ONLY_ABSTAINS, ONLY_ASKED, ONLY_CHATS, ONLY_NAMES, why_idle


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("Yes.", NOTHING_SAID),
        ("Not really.", NOTHING_SAID),
        ("1.", NOTHING_SAID),
        ("(12)", NOTHING_SAID),
        ("Thank you!", NOTHING_SAID),
        ("Where is the red house?", ONLY_ASKED),
        ("I don't have enough information to answer.", ONLY_ABSTAINS),
        ("Unfortunately, I am unable to answer this question.", ONLY_ABSTAINS),
        ("I'm sorry, but I couldn't find that in the documents.", ONLY_ABSTAINS),
        ("As an AI language model, I cannot give medical advice.", ONLY_ABSTAINS),
        ("There is not enough information to say.", ONLY_ABSTAINS),
        ("I love that one!", ONLY_CHATS),
        ("That's so cool!", ONLY_CHATS),
        ("I have never been there, but I want to go.", ONLY_CHATS),
        ("Great question!", ONLY_CHATS),
        ("I hope this helps clarify things.", ONLY_CHATS),
    ],
)
def test_what_asserts_nothing(sentence, why):
    found = why_idle(sentence, last=True)
    assert found == why or {found, why} == {NOTHING_SAID, ONLY_CHATS}


@pytest.mark.parametrize(
    "sentence",
    [
        "1998.",
        "I think it opened in 1998.",
        "I love that it was filmed in Rome.",
        "I'm not sure, but it opened in 1998.",
        "There is no data because the buoy was torn loose.",
        "She burnt the endings after a row with the director, and I can't say I blame her.",
        "You can return it at any shop.",
        "We ship within three days.",
        "He loved it.",
        "They never met again.",
        "It is red.",
        "The sky is blue.",
    ],
)
def test_what_asserts_something(sentence):
    assert why_idle(sentence, last=True) is None


def test_a_heading_is_idle_when_something_follows():
    assert why_idle("## Overview", last=False) == ONLY_NAMES
    assert why_idle("## Overview", last=True) is None


def test_what_a_speaker_says_of_themselves_is_checked_against_somebody_who_speaks():
    assert why_idle("I have a dog.", last=True, contexts=["The dog is called Rex."]) == ONLY_CHATS
    assert why_idle("I have a dog.", last=True, contexts=["My dog is called Rex."]) is None
    assert why_idle("That's so cool!", last=True, contexts=["My dog is called Rex."]) == ONLY_CHATS
