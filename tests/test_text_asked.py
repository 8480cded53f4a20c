"""Questions of a source for a yes or a no, as what they state."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire import Label, check
from groundwire.text.asked import stated


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Is it open? No, it closed in 2021.", "Not Is it open. No, it closed in 2021."),
        ("Q: Is it open?\n\nA: No.", "Q: Not Is it open.\n\nA: No."),
        ("**Do you ship abroad?**\nSorry, no.", "**Not Do you ship abroad.**\nSorry, no."),
        ("Host: Did you win?\nAnna: We did not.", "Host: Not Did you win.\nAnna: We did not."),
        ("1. Can I return it? Never.", "1. Not Can I return it. Never."),
        ("Was he held? He was only questioned.", "Whether Was he held. He was only questioned."),
        ("Is it red or blue? No.", "Whether Is it red or blue. No."),
        ("Are dogs welcome? No. Are cats? Yes.", "Not Are dogs welcome. No. Are cats? Yes."),
        ("Will it rain?", "Whether Will it rain."),
        ("Is it free? No charge applies.", "Whether Is it free. No charge applies."),
        ("Are they good? We couldn't be happier.", "Whether Are they good. We couldn't be happier."),
        ("Is it ok? Not a problem.", "Whether Is it ok. Not a problem."),
        ("Is it open? Not yet.", "Not Is it open. Not yet."),
        ("Is it open? No we closed it.", "Not Is it open. No we closed it."),
    ],
)
def test_what_no_answer_backs_is_denied_or_only_asked(text: str, found: str) -> None:
    assert stated(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Is it open? Yes, daily.",
        "Have you seen it? I have.",
        "Are you in?\nAnna: yess",
        "Is it so? That's right.",
        "Did you know that it burned down? It did.",
        "Can you believe that it burned down? In 1890!",
        "What does it cost? Three pounds.",
        "Isn't it free? No.",
        "Is it not free? No.",
        "It is open, is it? No.",
        "It is open.",
        "",
        "?",
    ],
)
def test_the_rest_stays(text: str) -> None:
    assert stated(text) == text


@given(st.text('isaN no?.y:\n"', max_size=60))
def test_any_text(text: str) -> None:
    assert stated(text).count("?") <= text.count("?")


def test_long_texts_take_linear_time() -> None:
    for text in ("is a? " * 50_000, "is " * 200_000 + "?", "?" * 10**6, "Is it so? No. " * 30_000):
        start = time.perf_counter()
        stated(text)
        assert time.perf_counter() - start < 5


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("Parking is available.", Label.CONTRADICTED),
        ("Parking is not available.", Label.SUPPORTED),
        ("There is a lift.", Label.SUPPORTED),
    ],
)
def test_the_default_reads_the_answers_to_questions(claim: str, label: Label) -> None:
    text = "Is parking available? No, the car park was closed in 2021. Is there a lift? Yes, in the hall."
    assert check(None, claim, [text]).label is label
