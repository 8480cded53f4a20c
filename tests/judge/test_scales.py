"""Scales and units of figures: a source denies another one, and nothing else is taken from the model."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire import check
from groundwire.judge.quoted import SURE
from groundwire.judge.scales import with_scales

from .findings import finding


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("Revenue was $3.4bn in 2023.", "Revenue was $3.4 million in 2023."),
        ("Revenue was $2.5 million.", "Revenue was $2.5bn."),
        ("Each tablet has 10 mg of zelvanta.", "Each tablet has 10 mcg of zelvanta."),
        ("The limit for lead in water is 50 µg/L.", "The limit for lead in water is 50 mg/L."),
        ("The cable is 30 cm long.", "The cable is 30 m long."),
        ("Heat the alloy to 450 °C.", "Heat the alloy to 450 °F."),
        ("Heat it at 180C for 20 minutes.", "Heat at 180 degrees Fahrenheit for 20 minutes."),
        ("Late payments bear interest at 1.5% per month.", "Late payments accrue interest at 1.5% a year."),
        ("The race is 10 km long.", "The race is 10 miles long."),
        ("The bag weighs 20 kg.", "The bag weighs 20 pounds."),
        ("The plan costs $50 a month.", "The plan costs $50 a year."),
        ("The population is 3.4 million people.", "The population is 3.4 billion people."),
        ("The term is thirty (30) days.", "The term is thirty (30) months."),
        ("It holds 1.5 GB.", "It holds 1.5 MB."),
        ("The delay is 200 ms.", "The delay is 200 seconds."),
        ("Pay within 30 days.", "Pay within 30 months."),
        ("It is 32 km (20 miles) away.", "It is 20 km away."),
        ("The salary is $50k.", "The salary is $50 million."),
        ("The boats go up by 24 metres.", "The answer to question How far do the boats go up? is 24 feet."),
    ],
)
def test_another_scale_or_unit_is_denied(source: str, claim: str) -> None:
    [found] = with_scales(claim, [finding(source)])
    assert found.entailment.refutes == SURE


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("Revenue was $3.4bn in 2023.", "Revenue was $3.4 billion in 2023."),
        ("Revenue was $3,400,000.", "Revenue was $3.4 million."),
        ("Revenue was $3,412,650.", "Revenue was $3.4 million."),
        ("Revenue (in millions): 3.4", "Revenue was $3.4 million."),
        ("| (in $bn) | 2023 |\n| Revenue | 3.4 |", "Revenue was $3.4bn."),
        ("Revenue was $3.4bn and profit $3.4 million.", "Profit was $3.4 million."),
        ("Revenue was £3.4bn, or $4.2bn.", "Revenue was $3.4 million."),
        ("The plan costs $50.", "The plan costs $50 a year."),
        ("The rent is $500 per month.", "The rent is $6,000 a year."),
        ("Sales grew 5% in the month.", "Sales grew 5% a month."),
        ("It is 20 miles away.", "It is about 32 km away."),
        ("Heat it to 232 °C.", "Heat it to 450 °F."),
        ("Heat it to 450 degrees.", "Heat it to 450 °F."),
        ("It travels at 5 km/h.", "It travels at 5 m/s."),
        ("Take 5 mg/kg daily.", "Take 5 mg/day."),
        ("It holds 500 GB.", "It holds 500 Gb."),
        ("The wait is 2 weeks. The course begins in May.", "The course lasts 2 days."),
        ("She was 24 weeks pregnant in the film.", "Her son was 24 months old."),
        ("It took 30 of them 15 minutes.", "It took 900 seconds."),
        ("It is 10 mg. It is 10.", "It is 10 g."),
        ("5m people live there.", "It is 5 km long."),
        ("", "It is 5 km long."),
        ("It is 5 km long.", ""),
    ],
)
def test_anything_else_is_the_models(source: str, claim: str) -> None:
    assert with_scales(claim, [finding(source)]) == [finding(source)]


def test_a_premise_with_the_figure_as_it_is_leaves_it_to_the_model() -> None:
    both = [finding("Revenue was $3.4bn."), finding("Revenue of the unit was $3.4 million.")]
    assert with_scales("Revenue was $3.4 million.", both) == both


@given(*2 * [st.text("15., $€mkgµ°CF%bn/per yahillo", max_size=60)])
def test_any_text(source: str, claim: str) -> None:
    assert len(with_scales(claim, [finding(source)])) == 1


def test_long_texts_take_linear_time() -> None:
    began = time.perf_counter()
    with_scales("It is 5 km long.", [finding("5 miles " * 30_000)])
    assert time.perf_counter() - began < 20


def test_the_default_denies_it() -> None:
    assert check(None, "Each tablet has 10 mcg of zelvanta.", ["Each tablet has 10 mg of zelvanta."]).score < 0.1
