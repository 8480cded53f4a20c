"""Chatter: the regression's marks, and what the shipped one is worth."""

import json
from importlib.resources import files

import pytest

from groundwire.idle.chatter import ASIDE, LONGEST, Chatter, by_word, clauses, marks, shipped

KINDS = {"it": 0, "is": 0, "cool": 1, "very": 1, "he": 0, "died": 2, "young": 1, "though": 0}


def test_the_marks_of_a_sentence():
    assert marks("I met Ann twice!", {"met": 7, "twice": 2, "ann": 7}) == {
        *("i", "met", "ann", "twice", "i met", "met ann", "ann twice"),
        *("^i", "^i met", "^i met ann", "%7", "%2", "twice$", "@1", "=1", "!"),
    }


def test_a_quantity_is_marked():
    assert "#" in marks("It opened in 1998.", {})
    assert "#" not in marks("It opened late.", {})


def test_a_kind_is_a_line_of_words():
    assert by_word(["cat dog", "", "red"]) == {"cat": 0, "dog": 0, "red": 2}


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("It is cool.", []),
        ("Well, it is cool.", []),
        ("It is very cool, he died young.", ["It is very cool", "he died young."]),
        ("I like it so much because he died young", ["I like it", "he died young"]),
        ("It is 1,000 years old.", []),
        ("I love it here - he died of a cold... too bad", ["I love it here", "he died of a cold"]),
    ],
)
def test_the_clauses_of_a_sentence(sentence, found):
    assert clauses(sentence) == found


@pytest.mark.parametrize("text", ["", " ", "!", "\0", "😀", "a" * 10**6])
def test_nothing_odd_is_chatter(text):
    assert not shipped().is_chatter(text)


def test_the_log_odds_are_the_sum_of_the_weights():
    model = Chatter(weights={"cool": 2.0, "cool$": 0.5, "it": -1.0}, bias=-0.25, threshold=0.0, kinds=KINDS)
    assert model.logit("It is cool") == pytest.approx(1.25)
    assert model.is_chatter("It is cool")
    assert not model.is_chatter("It is " + "very " * LONGEST + "cool")


def test_the_clause_that_says_most_counts():
    model = Chatter(weights={"cool": 5.0, "died": -4.0}, bias=0.0, threshold=0.0, kinds=KINDS)
    assert model.logit("It is very cool, he died young") == pytest.approx(-4.0 + ASIDE)
    assert not model.is_chatter("It is very cool, he died young")
    assert model.is_chatter("It is very cool though, is it?")


def test_of_unknown_words_nothing_is_chatter():
    model = Chatter(weights={"cool": 5.0}, bias=0.0, threshold=0.0, kinds=KINDS)
    assert model.is_chatter("It is cool, Stromboli!")
    assert not model.is_chatter("Stromboli Etna cool Vesuvius!")


def test_what_the_shipped_one_is_worth():
    """Cross-validated by reply: few statements are taken for chatter, which counts more than finding all of it."""
    worth = json.loads(files("groundwire.idle").joinpath("chatter.json").read_text(encoding="utf-8"))["cross_validated"]
    assert worth["claims_lost"] <= 0.002
    assert worth["statements_lost"] <= 0.005
    assert worth["chatter_found"] >= 0.5
