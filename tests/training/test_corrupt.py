"""Each operator changes one fact, marks it on both sides, and leaves other texts alone."""

from random import Random

import pytest

from groundwire.training.corrupt import (
    Operator,
    Pool,
    date,
    entity,
    names,
    number,
    number_word,
    opposite,
    roles,
    unit,
    year,
)
from groundwire.training.lexicon import MONTHS
from groundwire.training.restate import OPERATORS, draw_edit

POOL = Pool(["Lisbon", "Ada Byron", "Tom Marsh"], ["in the spring of 1931"], ["The mill burned down that year."])
PASSAGE = "Ann Lee met no one. The council paid 480 workers. Carl Weber founded Brightwater in 1932."


def changed(operator: Operator, text: str, seed: int = 0, passage: str = PASSAGE) -> tuple[str, list[str], list[str]]:
    edit = operator(text, passage, POOL, Random(seed))
    assert edit is not None
    assert edit.before.text == text
    return edit.after.text, *([side.text[s:e] for s, e in side.spans] for side in (edit.before, edit.after))


@pytest.mark.parametrize(
    ("operator", "text", "old"),
    [
        (number, "The council paid 1,250 workers.", "1,250"),
        (number, "It weighs 3.5 kg.", "3.5"),
        (number_word, "Three men came.", "Three"),
        (year, "He died in 1944.", "1944"),
        (date, "It opened on 5 March 1901.", "March"),
        (entity, "The town hired Carl Weber last week.", "Carl Weber"),
        (opposite, "Prices increased.", "increased"),
        (unit, "It is 30 km long.", "km"),
    ],
)
def test_one_fact_changes(operator: Operator, text: str, old: str) -> None:
    for seed in range(20):
        after, before_marks, after_marks = changed(operator, text, seed)
        assert before_marks == [old]
        assert len(after_marks) == 1
        assert after_marks[0] != old
        assert after == text.replace(old, after_marks[0])


@pytest.mark.parametrize("operator", [number, year, date, entity, roles, unit])
def test_no_edit_where_there_is_nothing_to_change(operator: Operator) -> None:
    assert operator("nothing to see here.", PASSAGE, POOL, Random(1)) is None


@pytest.mark.parametrize("text", ["COVID-19 spread.", "The H1N1 virus.", "See page 3a."])
def test_numbers_inside_words_stay(text: str) -> None:
    assert number(text, PASSAGE, POOL, Random(1)) is None


def test_numbers_keep_their_form() -> None:
    for seed in range(40):
        _, _, marks = changed(number, "It cost $12,500 then.", seed, passage="")
        assert "." not in marks[0]
        assert float(marks[0].replace(",", "")) > 0


def test_roles_trade_places() -> None:
    after, _, marks = changed(roles, "Ada Byron was beaten by Tom Marsh.")
    assert after == "Tom Marsh was beaten by Ada Byron."
    assert sorted(marks) == ["Ada Byron", "Tom Marsh"]


def test_roles_leave_symmetric_statements_alone() -> None:
    assert roles("Ada Byron married Tom Marsh.", PASSAGE, POOL, Random(1)) is None


def test_roles_leave_one_title_and_what_a_people_qualifies_alone() -> None:
    assert roles("He won the Goal of the Week.", PASSAGE, POOL, Random(1)) is None
    assert roles("The German champion was in Lisbon.", PASSAGE, POOL, Random(1)) is None


def test_roles_reach_from_a_surname_to_a_full_name() -> None:
    after, _, _ = changed(roles, "That day Lee wrote to Tom Marsh.")
    assert after == "That day Tom Marsh wrote to Lee."


def test_names_are_not_first_words() -> None:
    assert [m.group() for m in names("Rain fell and the Danube rose. Water stood in Old Town.")] == [
        "Danube",
        "Old Town",
    ]


def test_months_stay_months() -> None:
    assert all(changed(date, "It was May 3.", seed)[2][0] in MONTHS for seed in range(10))


def test_drawn_edits_are_seeded() -> None:
    text = "Carl Weber was the first of 30 mayors, until 1950."
    first = [draw_edit(text, PASSAGE, POOL, Random(seed)) for seed in range(30)]
    assert first == [draw_edit(text, PASSAGE, POOL, Random(seed)) for seed in range(30)]
    assert {edit.operator for edit in first if edit} >= {"number", "year"}
    assert all(edit.after.text != text for edit in first if edit)
    assert {edit.operator for edit in first if edit} <= set(OPERATORS)
