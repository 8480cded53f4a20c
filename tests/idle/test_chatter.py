"""Chatter: the regression's marks, and what the shipped one is worth."""

import json
from importlib.resources import files

import pytest

from groundwire.idle.chatter import LONGEST, Chatter, marks, shipped


def test_the_marks_of_a_sentence():
    assert marks("I met Ann twice!") == {
        *("i", "met", "ann", "twice", "i met", "met ann", "ann twice"),
        *("^i", "^i met", "^i met ann", "twice$", "@1", "=1", "!"),
    }


def test_a_quantity_is_marked():
    assert "#" in marks("It opened in 1998.")
    assert "#" not in marks("It opened late.")


@pytest.mark.parametrize("text", ["", " ", "!", "\0", "😀", "a" * 10**6])
def test_nothing_odd_is_chatter(text):
    assert not shipped().is_chatter(text)


def test_the_log_odds_are_the_sum_of_the_weights():
    model = Chatter(weights={"cool": 2.0, "cool$": 0.5, "it": -1.0}, bias=-0.25, threshold=0.0)
    assert model.logit("It is cool") == pytest.approx(1.25)
    assert model.is_chatter("It is cool")
    assert not model.is_chatter("It is " + "very " * LONGEST + "cool")


def test_what_the_shipped_one_is_worth():
    """Cross-validated by reply: few statements are taken for chatter, which counts more than finding all of it."""
    worth = json.loads(files("groundwire.idle").joinpath("chatter.json").read_text(encoding="utf-8"))["cross_validated"]
    assert worth["claims_lost"] <= 0.002
    assert worth["statements_lost"] <= 0.01
    assert worth["chatter_found"] >= 0.5
