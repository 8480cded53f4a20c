"""Comparisons in words: signs before figures are, and what only looks like them stays."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.quantities import respelled
from groundwire.text.comparisons import comparisons, spelled_out


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("limited to <1.5 g/day", "limited to less than 1.5 g/day"),
        ("in <0.1% of patients (≥5%)", "in less than 0.1% of patients (at least 5%)"),
        ("stay ≤ 200 ms", "stay at most 200 ms"),
        ("if > 10 users", "if more than 10 users"),
        ("<$5 and >£3", "less than $5 and more than £3"),
        ("p<0.05; p > 0.1", "p less than 0.05; p more than 0.1"),
        ("a count >= 5 or <= 3", "a count at least 5 or at most 3"),
        ("| <5 | >10 |", "| less than 5 | more than 10 |"),
        ("<b>Dose</b> <5 mg", "<b>Dose</b> less than 5 mg"),
        ("```\nx < 5\n``` and <5", "```\nx < 5\n``` and less than 5"),
        ("not less than 5, no fewer than five (5)", "at least 5, at least five (5)"),
        ("No more than ten days", "At most ten days"),
        ("at or below 200 ms, at or above $5", "at most 200 ms, at least $5"),
    ],
)
def test_a_comparison_is_read_in_words(text: str, read: str) -> None:
    assert spelled_out(text) == read


@pytest.mark.parametrize(
    "text",
    [
        "x -> 5, a => 3, b <- 4, --> 2, x<-5",
        '<b>5</b> <td>10</td> <p class="x">12 <br/>5',
        "> 10 people came\n> > 5 of them",
        "He wrote:\n  > 10 people",
        "0 < x < 1, 3 > 2",
        "if (x > 5) { y }",
        "for (i=0; i<10; i++)",
        "if a > 5 && b",
        "x > 5;\n",
        "Run `x<5`.",
        "```\nx < 5\n",
        "numpy>=1.2, <5551@mail.com> <2024-01-01 Mon> 2<<3 5>>2 1 <> 2 a != 3",
        "no more than a child",
        "not more than the fee",
        "no more, than 5",
        "at or near 5",
    ],
)
def test_what_is_no_comparison_stays(text: str) -> None:
    assert spelled_out(text) == text


def test_the_places_in_a_claim_lead_back() -> None:
    text = "A dose <1.5 g for 1500 people."
    read = respelled(text, "1,500 people, <1.5 g", others=comparisons(text))
    assert read.text == "A dose less than 1.5 g for 1,500 people."
    at = read.text.index("less than")
    start, end = read.original(at, at + 4)
    assert text[start:end] == "<"
    at = read.text.index("people")
    assert read.original(at, at + 6) == (text.index("people"), text.index("people") + 6)


@given(st.text("<>=≤≥`$|; \n15.a-not less than", max_size=80))
def test_any_text(text: str) -> None:
    places = [(start, end) for start, end, _ in comparisons(text)]
    assert places == sorted(places)
    assert all(0 <= start < end <= len(text) for start, end in places)


@pytest.mark.parametrize("piece", ["<", "<1", "```", "`", "<a ", "not less ", "1 <", "at or ", "<2024-01-01 "])
def test_long_texts_take_linear_time(piece: str) -> None:
    began = time.perf_counter()
    spelled_out(piece * (500_000 // len(piece)))
    assert time.perf_counter() - began < 10
