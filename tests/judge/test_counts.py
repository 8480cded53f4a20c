"""Counts: small number words are compared where claim and source count the same."""

import pytest

from groundwire.judge.counts import Counts, counted
from groundwire.judge.lexical import Lexicon, signals
from groundwire.quantities import quantities

SOURCE = "It has five layers, two of them visible, and 7-day trips for one person."


def test_what_is_counted() -> None:
    assert [(quantity.value, thing) for quantity, thing in counted(SOURCE, quantities(SOURCE))] == [
        (5.0, "layer"),
        (7.0, "day"),
        (1.0, "person"),
    ]


@pytest.mark.parametrize(
    ("claim", "missing"),
    [
        ("It has seven layers.", 1.0),
        ("It has five layers.", 0.0),
        ("It has 7 layers.", 0.0),  # a figure is looked up anywhere: 7 stands there
        ("It has seven floors.", 0.0),  # nobody counts floors
        ("Two of them are large.", 0.0),
        ("Trips of six days.", 1.0),
        ("seven", 0.0),
    ],
)
def test_a_small_count_is_missing_only_where_the_source_counts_the_same(claim: str, missing: float) -> None:
    assert signals(claim, [SOURCE])["numbers_missing"] == missing


def test_a_wrong_count_has_its_place() -> None:
    claim = "It has seven layers."
    assert [claim[start:end] for start, end in Lexicon([SOURCE]).missing(claim)] == ["seven"]


def test_either_of_two_counts_stands() -> None:
    sources = ["five layers", "Later it had seven layers."]
    claim, said = "seven layers", quantities("seven layers")
    read = [(source, quantities(source)) for source in sources]
    assert [stands for _, stands in Counts(read).small(claim, said)] == [True]
    assert Counts([]).small(claim, said) == []
