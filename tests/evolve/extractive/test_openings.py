"""What ties a sentence to the one before it."""

import pytest

from groundwire.evolve.extractive.openings import leans, points_elsewhere, without_link, without_mark


@pytest.mark.parametrize(
    "sentence",
    [
        "It is red.",
        "They bite dogs.",
        "However, they bite dogs.",
        "When it is cold, fleas sleep.",
        "In this case, call a doctor.",
        "These include fleas.",
        "Of those, ten bite.",
        "His father was a smith.",
        "The latter is larger.",
        "Some of them bite.",
        "Instead, wash the dog.",
        "Otherwise, it dies.",
        "Another is heat.",
        "It is safe.",
    ],
)
def test_leans_on_what_stands_before(sentence):
    assert leans(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Fleas bite dogs.",
        "However, fleas bite dogs.",
        "It takes four days to grow.",
        "It is possible to wash the dog.",
        "Those who own dogs wash them.",
        "Both cats and dogs have fleas.",
        "Animals such as dogs have fleas.",
        "When it comes to fleas, wash the dog.",
        "The first stage of life is the egg.",
        "Die Katze schläft.",
        "跳蚤的生命周期很短。",
        "",
    ],
)
def test_stands_alone(sentence):
    assert not leans(sentence)


@pytest.mark.parametrize(
    ("sentence", "left"),
    [
        ("However, the flea lives.", "The flea lives."),
        ("But the flea lives.", "The flea lives."),
        ("And so, fleas live.", "Fleas live."),
        ("For example, iPhones last.", "iPhones last."),
        ("Otherwise, the flea dies.", "Otherwise, the flea dies."),
        ("Instead, fleas jump.", "Instead, fleas jump."),
        ("So far the flea lives.", "So far the flea lives."),
        ("Generally, fleas live long.", "Generally, fleas live long."),
        ("Also known as X, it lives.", "Also known as X, it lives."),
    ],
)
def test_only_a_mere_connective_is_taken_off(sentence, left):
    assert without_link(sentence) == left


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("- Wash it.", "Wash it."),
        ("2) Wash it.", "Wash it."),
        ("## Fleas", "Fleas"),
        ("2 The egg hatches.", "The egg hatches."),
        ("5 Americans died.", "5 Americans died."),
        ("-5 degrees is cold.", "-5 degrees is cold."),
        ("1.", "1."),
    ],
)
def test_the_mark_of_a_line_is_taken_off(line, left):
    assert without_mark(line) == left


@pytest.mark.parametrize(
    ("sentence", "says"),
    [
        ("Consider the trapezoid shown below.", True),
        ("Click here to learn.", True),
        ("For more information, call us.", True),
        ("I am wondering how long fleas live.", True),
        ("It boils below 100 degrees.", False),
    ],
)
def test_a_sentence_about_its_own_page(sentence, says):
    assert points_elsewhere(sentence) is says
