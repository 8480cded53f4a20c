"""Measures: what numbers measure, which measures agree, and what is none."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.quantities import QuantityIndex, quantities, respelled
from groundwire.quantities.measures import measures
from groundwire.quantities.units import UNITS

EQUAL = [
    ("900 seconds", "15 minutes"),
    ("3600 seconds", "one hour"),
    ("5000 ms", "5 seconds"),
    ("2500 ms", "2.5 seconds"),
    ("30s", "30,000 ms"),
    ("7 days", "one week"),
    ("14-day", "two weeks"),
    ("24 months", "two years"),
    ("30 minutes", "half an hour"),
    ("90 minutes", "one and a half hours"),
    ("2 hours 30 minutes", "150 minutes"),
    ("2 hours and 30 minutes", "2.5 hours"),
    ("1h 30m", "90 min"),
    ("2 years and 6 months", "30 months"),
    ("120-180 minutes", "2 to 3 hours"),
    ("1.5 GB", "1,500 MB"),
    ("1.5 GB", "1,536 MB"),
    ("1 Gbps", "1,000 Mbps"),
    ("2 km", "2,000 m"),
    ("2 kilometres", "2000m"),
    ("1.2 kg", "1,200 g"),
    ("0.5 l", "500 mL"),
    ("1.5 kW", "1,500 watts"),
    ("2.4 GHz", "2,400 MHz"),
    ("230 V", "0.23 kV"),
    ("2 KM", "2000 Metres"),
]


@pytest.mark.parametrize(("ours", "theirs"), [*EQUAL, *((b, a) for a, b in EQUAL)])
def test_a_measure_is_written_in_the_unit_of_the_source(ours: str, theirs: str) -> None:
    assert respelled(f"It is {ours} by now.", f"The value: {theirs}, they say.").text == f"It is {theirs} by now."


@pytest.mark.parametrize(("ours", "theirs"), EQUAL)
def test_it_is_not_missing(ours: str, theirs: str) -> None:
    ours_first = quantities(ours)[0]
    assert ours_first in QuantityIndex(quantities(theirs))


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("It takes 900 seconds.", "It takes 16 minutes."),
        ("It takes 2 hours 30 minutes.", "It takes 120 minutes."),
        ("It takes 2 hours 30 minutes.", "It takes 30 minutes."),
        ("It takes 2-3 hours.", "It takes 180 minutes."),
        ("It takes 2 1/2 hours.", "It takes 30 minutes."),
        ("It takes 2 and a half hours.", "It takes 30 minutes."),
        ("It takes 2 hours and a half.", "It takes 120 minutes."),
        ("It is 1 m 80 high.", "It is 100 cm high."),
        ("It is 3, 800 km away.", "It is 800,000 m away."),
        ("It is 5 km/h.", "It is 5,000 m."),
        ("It is 5 km.", "It is 5,000 m/s."),
        ("It has 2 km².", "It has 2,000 m²."),
        ("It has 2 square km.", "It has 2,000 m."),
        ("It runs 7 days a week.", "It runs for one week."),
        ("It is a 2-year-old.", "It is 24 months."),
        ("There are 2 km and 500 m races.", "There is a race over 2,500 m."),
        ("There are 2 km and 500 m races.", "There is a race over 2,000 m."),
        ("It lasted 24 hours.", "One day it broke."),
        ("He works 12 hours.", "He works half a day."),
        ("It ran for 30 days.", "It ran for one month."),
        ("It ran for 52 weeks.", "It ran for one year."),
        ("It is 8 MW.", "It is 8,000,000,000,000 mW a year."),
        ("It is 5 miles away.", "It is 8.04672 km away."),
        ("It costs £5 m.", "It is 500 cm."),
        ("He is in his 30s.", "It took 30,000 ms."),
        ("Open 7 days a week, refunds in one week.", "It is open 7 days."),
        ("A 60 minutes plan, or one hour.", "It takes 60 minutes."),
        ("One minute to go, 60 of them.", "There are 60."),
    ],
)
def test_what_is_no_equal_measure_stays(source: str, text: str) -> None:
    assert respelled(text, source).text == text


def test_a_bare_number_of_the_source_does_not_hide_the_measure() -> None:
    assert respelled("Port 80 waits 60 minutes.", "60 people wait one hour.").text == "Port 80 waits one hour."


def test_places_lead_back_to_the_number_and_its_unit() -> None:
    text = "It takes 150 minutes at 1500 rpm."
    read = respelled(text, "2 hours 30 minutes, 1,500 rpm")
    assert read.text == "It takes 2 hours 30 minutes at 1,500 rpm."
    at = read.text.index("30")
    start, end = read.original(at, at + 2)
    assert text[start:end] == "150 minutes"


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("1.2 s", "1.2 ms"),
        ("1.2 s", "1.20 ms"),
        ("1.23 s", "1.2 ms"),
        ("1.2 kg", "1.2 g"),
        ("5 GB", "5 MB"),
        ("12 months", "12 years"),
        ("5 MW", "5 mW"),
        ("5000 ms", "5000 seconds"),
        ("2 hours 30 minutes", "120 minutes"),
        ("5 km/h", "5 m/h"),
        ("2-3 hours", "2-3 days"),
    ],
)
def test_a_number_with_another_unit_of_the_dimension_is_missing(source: str, claim: str) -> None:
    assert quantities(claim)[0] not in QuantityIndex(quantities(source))
    assert respelled(claim, source).text == claim


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("1.2 s", "1.2"),
        ("1.2", "1.2 ms"),
        ("5 km", "5 miles"),
        ("5 km", "5 kg"),
        ("5m people", "5 km"),
        ("5 Mb", "5 MB"),
        ("5 kilometres", "5 km"),
        ("1.23 s", "1.2 s"),
        ("2-year-old", "2 years"),
        ("$5", "5 m"),
    ],
)
def test_a_number_with_no_or_an_unrelated_unit_is_as_it_was(source: str, claim: str) -> None:
    found = quantities(claim)[0] in QuantityIndex(quantities(source))
    assert found is (source != "5m people")


def test_units_in_other_letters_only_where_they_leave_no_doubt() -> None:
    assert UNITS["mW"] != UNITS["MW"]
    assert UNITS["MB"] != UNITS["Mbit"]
    assert UNITS["HOURS"] == UNITS["Hours"] == UNITS["h"]
    assert {"mw", "MS", "MM", "ML", "5", "kbyte", ""}.isdisjoint(UNITS)


PIECES = [*"0123456789., -/msghkMGBb²'½", " hour", " and ", " a ", "half", "one ", " day", " to "]


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_any_text(text: str) -> None:
    found = quantities(text)
    read = list(measures(found))
    assert all(0 <= one.start < one.end <= len(text) for one in read)
    assert all(a.end <= b.start for a, b in pairwise(read))
    assert respelled(text, text).text == text


def test_many_measures_take_linear_time() -> None:
    began = time.perf_counter()
    respelled("It takes 150 minutes.", "2 hours 30 minutes, " * 10_000)
    respelled("2 hours 30 minutes, " * 10_000, "It takes 150 minutes.")
    respelled("It takes 150 minutes.", "5m 5m 5s, 7 to 8 to 9 km" * 10_000)
    assert time.perf_counter() - began < 20
