"""Negation both ways, certainty, and facts added to a sentence."""

from random import Random

import pytest

from groundwire.training.corrupt import Pool
from groundwire.training.restate import added, appended, certainty, negate
from groundwire.training.sample import NEI, NOT_SUPPORTED, REFUTES

POOL = Pool([], ["in the spring of 1931"], ["The mill burned down that year."])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He was not there.", "He was there."),
        ("She didn't win.", "She did win."),
        ("They could n't stay.", "They could stay."),
    ],
)
def test_negation_is_taken_away(text: str, expected: str) -> None:
    edit = negate(text, "", POOL, Random(0))
    assert edit is not None
    assert edit.after.text == expected
    assert edit.label == REFUTES


def test_negation_is_added() -> None:
    texts = {edit.after.text for seed in range(30) if (edit := negate("The bridge was open.", "", POOL, Random(seed)))}
    assert "The bridge was not open." in texts
    assert negate("She won the cup.", "", POOL, Random(0)).after.text in (  # type: ignore[union-attr]
        "She did not win the cup.",
        "She did n't win the cup.",
        "She never won the cup.",
    )


def test_certainty_overclaims() -> None:
    edit = certainty("It may cause harm.", "", POOL, Random(0))
    assert edit is not None
    assert edit.label == NOT_SUPPORTED
    assert "may" not in edit.after.text
    hedged = certainty("He allegedly fled the town.", "", POOL, Random(0))
    assert hedged is not None
    assert hedged.after.text == "He fled the town."


def test_added_facts_are_marked_and_unbacked() -> None:
    edit = added("The bridge was opened.", "The bridge was opened.", POOL, Random(0))
    assert edit is not None
    assert edit.after.text == "The bridge was opened in the spring of 1931."
    assert [edit.after.text[s:e] for s, e in edit.after.spans] == ["in the spring of 1931"]
    assert edit.label == NEI
    assert added("It opened.", "It opened in the spring of 1931.", POOL, Random(0)) is None


def test_appended_statements_are_marked() -> None:
    edit = appended("The bridge was opened.", "", POOL, Random(0))
    assert edit is not None
    (start, end), *_ = edit.after.spans
    assert "The mill burned down" in edit.after.text[start:end]
