"""Asking: what only asks, what tells in the form of a question."""

import pytest

from groundwire.idle import ONLY_ASKED, asks, is_polar, is_question, why_idle


@pytest.mark.parametrize(
    "question",
    [
        "Who's your favourite diver?",
        "What's the best one?",
        "Isn't that amazing?",
        "Aren't they cute?",
        "Haven't you tried one?",
        "By the way, have you been to Japan?",
        "Oh, which one did you get?",
        "So, do you like it?",
        "Ever been there?",
        "Got any plans?",
        "And you?",
        "Anything else?",
        "### How much does it cost?",
        "💰 How much does it cost?",
        "- How much?",
        "1. How does it work?",
        "**Who won?**",
        "Where's your bike?",
        "Do you know when it opened?",
        "Do you know Ann?",
        "Do you know it well?",
        "Haven't you been to Japan?",
        "What’s that?",
        "Do you know if it was closed?",
        "Do you know anyone who was there?",
        "Don't you like it?",
        "And what is it?",
        "Well, how did it go?",
        "Isn't it great?",
        "Can't you see it?",
        "Why isn't Paris the capital?",
    ],
)
def test_what_asks(question):
    assert asks(question)
    assert why_idle(question, last=False) is not None


@pytest.mark.parametrize(
    "sentence",
    [
        "Isn't Paris the capital of France?",
        "Didn't Ann win in 1990?",
        "Do you know they've been largest since 1999?",
        "Did you know that Ann won?",
        "Ann won in 1997, didn't she?",
        "Isn't it the capital of France?",
        "Wasn't he born in 1990?",
        "Do you know the bridge was closed in 1990?",
        "Do you know that it is red?",
        "Haven't you heard that the shop closed?",
        "Oh, did you know it was closed in 1990?",
        "Care homes were closed, weren't they?",
        "Paris?",
        "Well, Ann won, didn't she?",
        "?",
        "",
        "So you won.",
        "Didn't you know it was built in 1990?",
    ],
)
def test_what_tells_or_does_not_ask(sentence):
    assert not asks(sentence)


def test_what_a_question_implies_is_checked():
    assert why_idle("Isn't Paris the capital of France?", last=True) is None
    assert why_idle("Do you know they've been the largest since 1999?", last=True) is None
    assert why_idle("Haven't you been to Japan?", last=True) == ONLY_ASKED


@pytest.mark.parametrize("sentence", ["?" * 10**6, "so, " * 10**5 + "?", "Do you know " + "the " * 10**5 + "?"])
def test_questions_are_told_in_no_time(sentence):
    asks(sentence)


@pytest.mark.parametrize(
    ("question", "polar"),
    [
        ("Is it open on Mondays?", True),
        ("Can I give it to children?", True),
        ("Do you like jazz?", False),
        ("What is it?", False),
        ("Is it open", False),
        ("?", False),
    ],
)
def test_a_question_for_a_yes_or_a_no(question, polar):
    assert is_polar(question) is polar


@pytest.mark.parametrize("question", ["Isn't Paris the capital of France?", "What's the capital?", "So, is it open?"])
def test_what_a_user_asks_is_a_question_whatever_it_implies(question):
    assert is_question(question)


@pytest.mark.parametrize("text", ["Ann won, didn't she?", "Paris", "?", ""])
def test_what_is_no_question(text):
    assert not is_question(text)
