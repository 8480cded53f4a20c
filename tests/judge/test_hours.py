"""Times of day: a source denies the other half of the day, and nothing else is taken from the model."""

from __future__ import annotations

import time

import pytest

from groundwire import check
from groundwire.judge.hours import with_hours
from groundwire.judge.quoted import SURE
from groundwire.types import Entailment, Finding, Premise, Source, Span

TEXT = "The shop opens at 9am and closes at 6.30 p.m.; on Sundays it opens at 10:00."


def finding(text: str = TEXT, refutes: float | None = 0.05) -> Finding:
    """A model's yes to whatever is asked of this text."""
    source = Source(index=0, span=Span(source="0", start=0, end=len(text)), text=text)
    return Finding(
        premise=Premise(text=text, sources=(source,), weights=(1.0,)),
        entailment=Entailment(supports=0.9, refutes=refutes, neutral=None if refutes is None else 0.05),
        relevance=3.0,
    )


@pytest.mark.parametrize(
    "claim",
    [
        "It opens at 9 p.m.",
        "It opens at 9:00 pm.",
        "It opens at 21:00.",
        "It shuts at 6.30am.",
        "From 9am it is open, till 6:30 a.m.",
    ],
)
def test_the_other_half_of_the_day_is_denied(claim: str) -> None:
    [found] = with_hours(claim, [finding()])
    assert found.entailment.refutes == SURE
    assert sum(p or 0.0 for p in (found.entailment.supports, found.entailment.refutes, found.entailment.neutral)) == 1
    assert found.relevance == 3.0
    [two_way] = with_hours(claim, [finding(refutes=None)])
    assert two_way.entailment == Entailment(supports=1 - SURE)


@pytest.mark.parametrize(
    "claim",
    [
        "It opens at 9 a.m.",
        "It opens at 9:00.",
        "It closes at 18:30.",
        "It opens at 10 in the evening on Sundays.",
        "On Sundays it opens at 10 pm.",
        "It closes at 7 p.m.",
        "It opens early.",
        "",
    ],
)
def test_anything_else_is_the_models(claim: str) -> None:
    assert with_hours(claim, [finding()]) == [finding()]


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("Breakfast is at 7 a.m. and dinner from 7 to 9 p.m.", "Dinner starts at 7 p.m."),
        ("The pool opens at eight in the morning and closes at 8 p.m.", "The pool opens at 8 a.m."),
        ("Doors open at noon, and the bar closes at 12 a.m.", "The doors open at 12 p.m."),
        ("The train left at 2000 hrs and came at 8 a.m.", "The train left at 8 p.m."),
    ],
)
def test_a_time_that_may_be_there_otherwise_is_the_models(source: str, claim: str) -> None:
    assert with_hours(claim, [finding(source)]) == [finding(source)]


LOG = "14:22:10 INFO started\n21:05:00 INFO stopped"


@pytest.mark.parametrize("claim", ["It started at 2:22 a.m.", "It started at 2:22:10 a.m.", "It stopped at 9:05 a.m."])
def test_the_other_half_of_a_time_with_seconds_is_denied(claim: str) -> None:
    [found] = with_hours(claim, [finding(LOG)])
    assert found.entailment.refutes == SURE


@pytest.mark.parametrize(
    "claim",
    ["It started at 2:22 p.m.", "It started at 14:22.", "It started at 2:22:11 a.m.", "It started at 2:23 a.m."],
)
def test_a_time_without_seconds_is_the_one_with_these_cut(claim: str) -> None:
    assert with_hours(claim, [finding(LOG)]) == [finding(LOG)]


def test_a_text_that_has_both_halves_is_the_models() -> None:
    both = finding("Feed it at 9 a.m. and at 9 p.m.")
    assert with_hours("It is fed at 9 p.m.", [both]) == [both]
    apart = [finding("Breakfast is at 9 a.m."), finding("The show begins at 9 p.m.")]
    assert with_hours("The show begins at 9 p.m.", apart) == apart


def test_many_times_take_linear_time() -> None:
    many = finding("At 9 a.m. and " * 10_000)
    began = time.perf_counter()
    with_hours("At 10 p.m. and " * 10_000, [many])
    assert time.perf_counter() - began < 10


@pytest.mark.parametrize(
    ("source", "answer", "supported"),
    [
        ("The pharmacy closes at 8 p.m.", "The pharmacy closes at 8 a.m.", False),
        ("The pharmacy closes at 8 p.m.", "The pharmacy closes at 8pm.", True),
        ("The train leaves at 19:05.", "The train leaves at 7:05 p.m.", True),
        ("The train leaves at 19:05.", "The train leaves at 7:05 a.m.", False),
        ("Started at 14:22:10.", "It started at 2:22 p.m.", True),
    ],
)
def test_the_default_tells_morning_from_evening(source: str, answer: str, supported: bool) -> None:
    assert check(answer=answer, contexts=[source]).grounded is supported
