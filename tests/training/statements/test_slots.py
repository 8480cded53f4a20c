"""Slots are filled with different words, sums are worked out from left to right, sentences are written properly."""

from random import Random

import pytest

from groundwire.training.statements.slots import Draw, render


def test_two_names_get_different_words() -> None:
    for seed in range(50):
        values = Draw(names=("one", "two"), lists=(["a", "b"],)).values(Random(seed), {})
        assert set(values.values()) == {"a", "b"}


def test_a_joined_name_has_a_last_word_and_shares_none() -> None:
    draw = Draw(names=("who", "other"), lists=(["Ada", "Bo"], ["Lund", "Moe"]))
    values = draw.values(Random(1), {})
    assert set(values) == draw.gives() == {"who", "who.last", "other", "other.last"}
    assert values["who"].split()[1] == values["who.last"] != values["other.last"]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "value"), [("year", 7), ("year + 2 * 3", 27), ("100 - gap - year", 90), ("gap * up + year", 4)]
)
def test_sums_go_from_left_to_right(text: str, value: int) -> None:
    known = {"year": 7, "gap": 3, "up": -1}
    assert Draw(names=("n",), low=text, high=text).values(Random(0), known) == {"n": value}


def test_numbers_come_in_steps_and_both_ends_count() -> None:
    draw = Draw(names=("n",), low="10", high="30", step=10)
    assert {draw.values(Random(seed), {})["n"] for seed in range(60)} == {10, 20, 30}


def test_a_place_counts_from_nought() -> None:
    assert Draw(names=("day",), lists=(["Mon", "Tue"],), at="n + 1").values(Random(0), {"n": 0}) == {"day": "Tue"}


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{what} may go.", "Otters may go."),
        ("It is a {thing}.", "It is an opera."),
        ("It is a {made.of} thing.", "It is a unique thing."),
        ("{n:,} and {n}.", "1,200 and 1200."),
        ("At {h}:{m:02}.", "At 9:05."),
    ],
)
def test_sentences_are_written_properly(template: str, text: str) -> None:
    known = {"what": "otters", "thing": "opera", "made.of": "unique", "n": 1200, "h": 9, "m": 5}
    assert render(template, known) == text
