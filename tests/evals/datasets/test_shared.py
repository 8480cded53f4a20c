"""Counts of real data sets, kept as rows of our own form: they are those that the papers print."""

from pathlib import Path

import pytest

from groundwire.evals import datasets
from groundwire.types import Label

COUNTS = [
    ("true:qags-cnndm", None, 122, 113, 122),
    ("true:summeval", None, 294, 1306, 0),
    ("halueval:general", None, 815, 3692, 739),
    ("summedits", None, 3033, 1648, 0),
    ("truthfulqa", None, 3297, 2587, 0),
    ("wice", "dev", 234, 115, 0),
    ("wice:tokens", "dev", 124, 0, 124),
]
"""The data set, its split, how many are not supported and how many are, and how many have gold spans."""


@pytest.mark.parametrize(("name", "split", "unsupported", "supported", "marked"), COUNTS)
def test_counts_are_exact(
    shared_data: Path, name: str, split: str | None, unsupported: int, supported: int, marked: int
) -> None:
    cases = list(datasets.open(name, split=split, data=shared_data))
    assert sum(case.label is Label.SUPPORTED for case in cases) == supported
    assert len(cases) == supported + unsupported
    assert sum(bool(case.spans) for case in cases) == marked
    assert len({case.id for case in cases}) == len(cases)
    about = datasets.info(name)
    if about.unsupported is not None:
        assert (about.unsupported, about.supported) == (unsupported, supported)
