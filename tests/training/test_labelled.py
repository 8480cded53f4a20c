"""Human labels in our numbers: three-way, two-way, tables, and WiCE's words."""

from random import Random
from typing import Any

import pytest

from groundwire.training.labelled import label_of, labelled
from groundwire.training.sample import NEI, NOT_SUPPORTED, REFUTES, SUPPORTS


def row(**more: Any) -> dict[str, Any]:
    base = {"dataset": "fever", "question": None, "answer": "It rained.", "contexts": ["It was wet.", "Rain fell."]}
    return {**base, "label": 1, "label3": "supports", **more}


@pytest.mark.parametrize(
    ("label", "label3", "expected"),
    [
        (1, "supports", SUPPORTS),
        (0, "refutes", REFUTES),
        (0, "nei", NEI),
        (0, None, NOT_SUPPORTED),
        (1, None, SUPPORTS),
    ],
)
def test_labels(label: int, label3: str | None, expected: int) -> None:
    assert label_of(row(label=label, label3=label3)) == expected


def test_contexts_are_joined() -> None:
    (sample,) = labelled([row()], Random(1))
    assert sample.evidence == "It was wet. Rain fell."
    assert sample.spans == ()


def test_long_tables_are_left_out() -> None:
    assert list(labelled([row(dataset="tabfact", contexts=["cell " * 200])], Random(0))) == []


def test_wice_trains_words() -> None:
    wice = row(dataset="wice", label=0, label3=None, answer="It rained hard.", spans=[[10, 14, "non_supported"]])
    made = list(labelled([wice], Random(0)))
    assert {s.spans for s in made} == {((10, 14),)}
    assert {s.label for s in made} == {NOT_SUPPORTED}
