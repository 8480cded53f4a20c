"""Mentions: a person's full and last name stand for each other where the passage uses both, and nothing else does."""

from random import Random

import pytest

from groundwire.training.mentions import rename, short_forms
from groundwire.training.sample import Marked

PASSAGE = (
    "The award went to Warren Sapp in 1999. Critics praised Sapp again. He met Ann Lee and Bob Lee in the Test. "
    "Later the Test Match began, and people saw Lee."
)


def test_one_full_name_a_last_name() -> None:
    assert short_forms(PASSAGE) == {"Sapp": "Warren Sapp"}  # two Lees; the Test is no person
    assert short_forms("Nobody met Warren Sapp.") == {}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Critics praised Sapp again.", "Critics praised Warren Sapp again."),
        ("The award went to Warren Sapp in 1999.", "The award went to Sapp in 1999."),
        ("The award went to Ann Lee.", "The award went to Ann Lee."),
    ],
)
def test_the_other_name(before: str, after: str) -> None:
    assert rename(Marked(before), short_forms(PASSAGE), Random(0)).text == after


def test_an_edit_stays_and_its_place_follows() -> None:
    forms = short_forms(PASSAGE)
    edited = Marked("Sapp won in 1998.", ((12, 16),))
    renamed = rename(edited, forms, Random(0))
    assert renamed.text == "Warren Sapp won in 1998."
    assert [renamed.text[start:end] for start, end in renamed.spans] == ["1998"]
    wrong = Marked("Sapp won.", ((0, 4),))
    assert rename(wrong, forms, Random(0)) == wrong
