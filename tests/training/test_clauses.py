"""Subjects and predicates are found where they are sure, and a shortened sentence says nothing new."""

from random import Random

import pytest

from groundwire.training.clauses import compress, cut_out, joined, parse, person_like, small, sound
from groundwire.training.sample import Marked


@pytest.mark.parametrize(
    ("sentence", "subject", "kind", "verb"),
    [
        ("Ada Lovelace wrote the first program.", "Ada Lovelace", "name", "wrote"),
        ("In 1843, Ada Lovelace published her notes.", "Ada Lovelace", "name", "published"),
        ("Ada Lovelace, an English writer, was born in London.", "Ada Lovelace", "name", "was"),
        ("The album was released in May.", "The album", "noun", "was"),
        ("Later, he moved to Leeds.", "He", "pronoun", "moved"),
        ("His father worked in a mill.", "His father", "anaphor", "worked"),
    ],
)
def test_the_subject_and_its_verb_are_found(sentence: str, subject: str, kind: str, verb: str) -> None:
    clause = parse(sentence)
    assert clause is not None
    assert (clause.subject, clause.kind, clause.verb) == (subject, kind, verb)
    assert sentence[clause.predicate :].startswith(verb)
    assert sentence[clause.start :].lower().startswith(subject.lower())


@pytest.mark.parametrize(
    "sentence",
    [
        "There was a storm.",
        "In Rome, Paris, and Berlin, crowds gathered.",
        "The house built by Ann was sold.",
        "The was old.",
    ],
)
def test_what_is_not_sure_is_left_alone(sentence: str) -> None:
    assert parse(sentence) is None


@pytest.mark.parametrize(
    ("long", "short"),
    [
        ("However, Ann Lee won the prize, which surprised her rivals.", "Ann Lee won the prize."),
        ("In 1990, Ann Lee (a lawyer) became mayor of the town.", "Ann Lee became mayor of the town."),
        ("Ann Lee, a lawyer from Leeds, became mayor of the town.", "Ann Lee became mayor of the town."),
        ("Ann Lee opened a school in York and was given a medal.", "Ann Lee opened a school in York."),
        ("Ann Lee moved back to York in 1990.", "Ann Lee moved back to York."),
    ],
)
def test_parts_that_can_go_do_go(long: str, short: str) -> None:
    assert compress(Marked(long), Random(1), 1.0).text == short


@pytest.mark.parametrize(
    "sentence",
    [
        "Ann Lee did not move back to York in 1990.",
        "In 1990, Ann Lee became the first mayor of the town.",
        "Ann Lee sold her house, bought a farm, and moved to York.",
        "Ann Lee said that she had won and was happy with it.",
    ],
)
def test_what_the_rest_depends_on_stays(sentence: str) -> None:
    assert compress(Marked(sentence), Random(1), 1.0).text == sentence


def test_a_marked_part_stays_and_keeps_its_mark() -> None:
    text = Marked("However, Ann Lee won the prize, which surprised her rivals.")
    at = text.text.index("surprised")
    short = compress(text.mark(at, at + 9), Random(1), 1.0)
    assert [short.text[s:e] for s, e in short.spans] == ["surprised"]


def test_marks_survive_cutting_and_joining() -> None:
    text = Marked("Ann won in York.").mark(11, 15)
    both = joined(cut_out(text, 4, 16), " and ", text)
    assert [both.text[s:e] for s, e in both.spans] == ["York", "York"]


def test_loose_ends_are_not_sound() -> None:
    assert sound("Ann Lee won the prize.")
    assert not sound("Ann Lee won the prize of.")
    assert not sound('Ann Lee won the "prize.')
    assert not sound("Ann won it.")


def test_names_of_persons_and_common_first_words() -> None:
    assert person_like("Ann Lee")
    assert not any(map(person_like, ("The Beatles", "Leeds University", "NASA", "Bank of York")))
    assert small(Marked("The town grew.")).text == "the town grew."
    assert small(Marked("York grew.")).text == "York grew."
