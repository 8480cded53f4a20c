"""Announcing: what only says that something follows, and what says more."""

import pytest

from groundwire.idle import ONLY_NAMES, why_idle
from groundwire.idle.announcing import announces


@pytest.mark.parametrize(
    "sentence",
    [
        "Here is a comparison of the two types:",
        "Here's how long each item stays on your report:",
        "There are a few things to keep in mind:",
        "Below is a summary of the key points.",
        "The results are below.",
        "Below is a summary of the relevant provisions.",
        "Here's the breakdown:",
        "Here's a quick overview:",
        "Here is a list of the drugs:",
        "Here are the key points of the article:",
        "The steps are as follows:",
        "The table below shows the results:",
        "Here's a summary of the payment terms:",
        "Here is a comparison of air-source and ground-source heat pumps:",
    ],
)
def test_what_only_announces(sentence):
    assert announces(sentence)
    assert why_idle(sentence, last=False) == ONLY_NAMES
    assert why_idle(sentence, last=True) != ONLY_NAMES


@pytest.mark.parametrize(
    "sentence",
    [
        "The results are below average.",
        "Here is where Ann was born.",
        "Here are the reasons Ann was fired:",
        "Here is a list of drugs that kill cats:",
        "Below is a list of the 5 drugs.",
        "Here is the bridge.",
        "There are a few museums to visit:",
        "There are several ways to pay.",
        "Below the bridge is a list of names.",
        "Here is a list of drugs the company withdrew:",
        "Here is the answer Ann gave:",
        "Here is an example of a data frame with seven columns and five rows:",
        "Here is a summary: the bridge was closed.",
        "",
        ":",
        "Here is a list of the drugs",
    ],
)
def test_what_says_more(sentence):
    assert not announces(sentence)
