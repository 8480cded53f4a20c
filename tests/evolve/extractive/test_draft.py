"""From sentences to a text: nothing twice, nothing left hanging, nothing too long."""

from groundwire.evolve.extractive.draft import Size, settled, text_of
from groundwire.evolve.extractive.material import Material, sentences
from groundwire.text import sentence_bounds
from groundwire.types import Passage

FLEAS = "Fleas are insects. They live on dogs. However, cats carry fleas too. Eggs hatch in two days."
LICE = "Lice are insects of another order. Eggs hatch within two days."
ROOMY = Size(sentences=9, words=200)


def material(*texts, question="how do fleas live"):
    return Material(question, [Passage(id=f"p{n}", text=text) for n, text in enumerate(texts)])


def text(held, *picked, size=ROOMY):
    return text_of(settled([held.pieces[n] for n in picked], held, size))


def test_a_sentence_that_leans_brings_along_what_it_leans_on():
    held = material(FLEAS)
    assert text(held, 1) == "Fleas are insects. They live on dogs."
    assert text(held, 3, 1, 0) == "Eggs hatch in two days. Fleas are insects. They live on dogs."
    assert text(held, 0, 3, 1) == "Fleas are insects. They live on dogs. Eggs hatch in two days."


def test_a_sentence_that_leans_on_nothing_there_is_left_out_unless_it_is_all():
    held = material("They live on dogs.", FLEAS)
    assert text(held, 0, 4) == "Eggs hatch in two days."
    assert text(held, 0) == "They live on dogs."


def test_a_connective_stays_only_behind_what_it_connects_to():
    held = material(FLEAS)
    assert text(held, 1, 2) == "Fleas are insects. They live on dogs. However, cats carry fleas too."
    assert text(held, 0, 2) == "Fleas are insects. Cats carry fleas too."


def test_nothing_is_said_twice():
    held = material(FLEAS, LICE)
    assert text(held, 3, 5) == "Eggs hatch in two days."


def test_what_is_no_statement_stays_out():
    held = material("Do fleas bite? Flea Facts\n\nFleas bite dogs. Fleas also bite their...")
    assert text(held, 0, 1, 2, 3) == "Fleas bite dogs."
    assert text(held, 0, 1) == ""
    assert text(material("Flea Facts"), 0) == "Flea Facts"


def test_too_long_a_draft_loses_what_says_least():
    held = material(FLEAS)
    assert text(held, 0, 2, 3, size=Size(sentences=2, words=80)) == "Fleas are insects. Cats carry fleas too."
    assert text(held, 0, 1, size=Size(sentences=1, words=80)) == "Fleas are insects."
    long = material("Fleas " + "jump " * 200 + "far.")
    assert text(long, 0, size=Size(sentences=4, words=80)) == long.pieces[0].text


def test_sentences_stay_apart_in_the_text():
    held = material("the egg hatches in two days. the flea bites.", "Milk contains vitamin C.", "Rats are mammals.")
    joined = text(held, 2, 3, 0, 1)
    assert [joined[a:b] for a, b in sentence_bounds(joined)] == [held.pieces[n].text for n in (2, 3, 0, 1)]
    chinese = material("跳蚤是昆虫。狗有跳蚤。")
    assert text(chinese, 0, 1) == "跳蚤是昆虫。狗有跳蚤。"


def test_a_parent_is_found_in_the_sources_whole_or_shortened():
    held = material(FLEAS, "The flea (an insect), which is small, lives on the dog.")
    read = held.read("The flea lives on the dog. They live on dogs. Nobody said this.")
    assert [piece.home for piece in read] == [(1, 0), (0, 1), None]


def test_the_same_sentence_in_two_sources_is_the_one_that_goes_on():
    held = material("Fleas bite. They jump.", "Dogs bark. Fleas bite. They jump.")
    assert [piece.home for piece in held.read("Dogs bark. Fleas bite. They jump.")] == [(1, 0), (1, 1), (1, 2)]


def test_white_space_and_marks_of_lists_are_no_part_of_a_sentence():
    assert sentences("- Wash\n  the dog.\n2. Dry   it.") == ["Wash the dog.", "Dry it."]


def test_salience_follows_the_rarer_word():
    held = material("Fleas live long. Fleas bite. Fleas jump.", question="how long do fleas live")
    best = max(held.pieces, key=lambda piece: piece.salience)
    assert best.text == "Fleas live long."
    assert all(piece.salience > 0 for piece in material("Dogs bark.", question="").pieces)
