"""Answers that were cut at the number of an item: it says nothing yet, and a number that no list leads to says something."""

import pytest

from groundwire.claims import ONLY_LEADS
from groundwire.idle import ONLY_NAMES

from .reading import texts


@pytest.mark.parametrize("number", ["1.", "(1)", "1)", " 1."])
def test_an_answer_that_was_cut_at_the_number_of_its_first_item_has_nothing_to_check_there(number):
    lead = "You can take these steps to do so in your own home and elsewhere:"
    assert [idle for _, idle in texts(f"{lead}\n\n{number}")] == [ONLY_LEADS, ONLY_NAMES]


def test_an_answer_that_was_cut_at_a_later_number_is_checked_up_to_there():
    found = texts("1. Paris is big.\n2. Berlin is small.\n3.")
    assert found == [("Paris is big.", None), ("Berlin is small.", None), ("3.", ONLY_NAMES)]


@pytest.mark.parametrize(
    "answer", ["3.", "1.", "The number is:\n3.", "We counted them all.\n1.", "There were none, or 1."]
)
def test_a_number_that_no_list_leads_to_is_checked(answer):
    assert texts(answer)[-1][1] is None
