"""Idle: what asserts nothing, and what sounds like it and does."""

from pathlib import Path

import pytest

from groundwire.idle import (
    NOTHING_SAID,
    ONLY_ABSTAINS,
    ONLY_ASKED,
    ONLY_CHATS,
    ONLY_NAMES,
    Voices,
    why_idle,
)

REPLIES = Path(__file__).with_name("replies.txt")


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("Yes.", NOTHING_SAID),
        ("Not really.", NOTHING_SAID),
        ("Not entirely.", NOTHING_SAID),
        ("Thank you!", NOTHING_SAID),
        ("Where is the red house?", ONLY_ASKED),
        ("I don't have enough information to answer.", ONLY_ABSTAINS),
        ("Unfortunately, I am unable to answer this question.", ONLY_ABSTAINS),
        ("I'm sorry, but I couldn't find that in the documents.", ONLY_ABSTAINS),
        ("As an AI language model, I cannot give medical advice.", ONLY_ABSTAINS),
        ("There is not enough information to say.", ONLY_ABSTAINS),
        *(
            (reply, NOTHING_SAID)
            for reply in ("Indeed.", "Absolutely!", "nah", "True.", "Correct, yes.", "Yep, totally!")
        ),
        ("I love that one!", ONLY_CHATS),
        ("That's so cool!", ONLY_CHATS),
        ("I have never been there, but I want to go.", ONLY_CHATS),
        ("Great question!", NOTHING_SAID),
        ("I hope this helps clarify things.", ONLY_CHATS),
        ("CLICK HERE for all the latest rugby news .", ONLY_CHATS),
        ("Scroll down for video.", ONLY_CHATS),
        *((line, NOTHING_SAID) for line in ("Dear Mr. Ortega,", "Hi Anna,", "Hello team!", "Good morning Dr. Hale,")),
        *((line, NOTHING_SAID) for line in ("Best,\nTom", "Kind regards,\nAnna Berg", "Sincerely,", "Many thanks, Jo")),
        ("The passage does not mention pregnancy.", ONLY_ABSTAINS),
        ("The context doesn't contain any information about its price.", ONLY_ABSTAINS),
        ("Pregnancy is not mentioned in the passage.", ONLY_ABSTAINS),
    ],
)
def test_what_asserts_nothing(sentence, why):
    assert why_idle(sentence, last=True) == why


@pytest.mark.parametrize(
    "sentence",
    [
        "1998.",
        "42.",
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
        "I'm afraid the museum is closed on Mondays.",
        "As an AI company, Anthropic was founded in 2021.",
        "There is no data cap on this plan.",
        "Please give 30 days' notice before you leave.",
        "You're covered.",
        "We deliver!",
        "Kids eat free!",
        "I think it's illegal.",
        "The sky is blue.",
        *("They agreed.", "Both are true.", "Only one of them is true.", "It's on the right.", "It is correct."),
        *(
            "Exactly one.",
            "Correct it.",
            "He was right.",
            "You have the right to free assistance.",
            "We agreed to help.",
        ),
        *("Do not bring your dog", "Can damage your liver", "Were you born before 1960, you need no vaccine"),
        *("Click the gear icon.", "Subscribe to get the newsletter.", "Visit your doctor for more than a cold."),
        *("See section 4 for side effects.", "Click here to cancel your subscription.", "Register by 3 May."),
        *("The document does not cover flood damage.", "The plan does not include support."),
        *("Can you believe that they merged in 1943?", "Have you heard that the shop closed?"),
        *("Hello Kitty.", "Dear Prudence is a song.", "Best, the bridge is free.", "Best Western."),
        *("I've refunded you.", "I can get you a refund.", "My company makes shoes.", "I checked and it's fine."),
        *(
            "I fixed the bug.",
            "I have updated your address.",
            "I'd take it with food.",
            "You might feel tired for a few days.",
        ),
    ],
)
def test_what_asserts_something(sentence):
    assert why_idle(sentence, last=True) is None


@pytest.mark.parametrize(
    "sentence", ["No, I haven't.", "No, it is not.", "Yes, I have.", "No I don't.", "Yes, it won't."]
)
def test_a_yes_or_a_no_that_leans_on_a_question_says_nothing_alone(sentence):
    assert why_idle(sentence, last=False) == NOTHING_SAID


@pytest.mark.parametrize(
    "sentence", ["Yes, he won.", "No, he never met her.", "No, not in Rome.", "Yes, you can smoke."]
)
def test_a_yes_or_a_no_with_a_statement_is_checked(sentence):
    assert why_idle(sentence, last=False) is None


def test_a_heading_or_the_number_of_an_item_is_idle_when_something_follows():
    for text in ("## Overview", "1.", "(12)"):
        assert why_idle(text, last=False) == ONLY_NAMES
        assert why_idle(text, last=True) is None


@pytest.mark.parametrize(
    "text", ["Это бесплатно!", "무료입니다!", "C'est gratuit !", "a" * 10**6 + "!", "\0!", "😀!", "!"]
)
def test_what_is_not_known_or_not_english_is_no_chatter(text):
    assert why_idle(text, last=True) != ONLY_CHATS


def test_what_is_said_of_somebody_is_checked_where_the_contexts_do_so_too():
    told = Voices(["My old friends miss the school."])
    assert why_idle("I miss my old school.", last=True, voices=Voices(["The old school was sold."])) == ONLY_CHATS
    assert why_idle("I miss my old school.", last=True, voices=told) is None
    assert why_idle("That's so cool!", last=True, voices=told) == ONLY_CHATS


def test_replies_that_nothing_was_fitted_to():
    """521 sentences of chats, labelled by a second reader: F states something, O does not."""
    rows = [line.split(" ", 1) for line in REPLIES.read_text(encoding="utf-8").splitlines() if line]
    idle = {label: [why_idle(text, last=True) is not None for mark, text in rows if mark == label] for label in "FO"}
    assert (len(idle["F"]), len(idle["O"])) == (243, 278)
    assert sum(idle["F"]) / len(idle["F"]) <= 0.02
    assert sum(idle["O"]) / len(idle["O"]) >= 0.5


@pytest.mark.parametrize("head", ["| Plan | Price |\n|---|---|", "Plan | Price\n---|---", "Plan | Price\n:--- | ---:"])
def test_the_names_of_columns_are_idle_when_rows_follow(head):
    assert why_idle(head, last=False) == ONLY_NAMES
    assert why_idle(head, last=True) is None
    assert why_idle("| Alpha | $10 |", last=False) is None
