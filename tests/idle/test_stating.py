"""Stating: verbs told by their form and the words around them."""

import pytest

from groundwire.idle.stating import has_clause, states


@pytest.mark.parametrize(
    "words",
    [
        "The museum was closed in 1990",
        "Copper conducts electricity",
        "Founded in 1932",
        "Dogs don't bark",
        "Adults pay 9 euros",
        "Ann finally left Rome",
        "Prices increased by half",
        "Trump Wins Election",
        "Price: $10",
        "Verdict: the claim is false",
        "When the war ended, Ann left Rome",
        "You need a permit",
        "No refunds",
    ],
)
def test_a_subject_and_a_verb_state_something(words):
    assert states(words)


@pytest.mark.parametrize(
    "words",
    [
        "Not included",
        "What helps",
        "Common side effects",
        "Allowed during the fast",
        "Things you should know",
        "The most commonly used drugs",
        "Step 2: How it works",
        "LED lights",
        "Making a will",
        "Since May 2010",
        "You and your landlord",
        "(5%)",
        "",
    ],
)
def test_a_name_states_nothing(words):
    assert not states(words)


@pytest.mark.parametrize("words", [" of drugs that kill cats", " of drugs the company withdrew", " of what is new"])
def test_a_name_may_hold_a_clause(words):
    assert has_clause(words)


@pytest.mark.parametrize("words", [" of the two types", " of air-source and ground-source heat pumps", ""])
def test_a_name_need_not(words):
    assert not has_clause(words)
