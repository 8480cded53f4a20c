"""Layout: marks of items, headings, lines in bold."""

import pytest

from groundwire.claims import SentenceClaims

from .reading import case, texts


@pytest.mark.parametrize("mark", ["- ", "* ", "1. ", "12) ", "(b) ", "- **"])
def test_the_mark_of_an_item_is_not_read(mark):
    [[claim]] = SentenceClaims().split([case(f"{mark}Ann won in 1932.")])
    assert claim.text.strip() == "Ann won in 1932."
    assert claim.span.of(f"{mark}Ann won in 1932.").lstrip("*") == "Ann won in 1932."


def test_an_item_begins_with_the_markup_of_its_first_words():
    answer = "- **Ann** won in 1932."
    [[claim]] = SentenceClaims().split([case(answer)])
    assert claim.span.of(answer) == "**Ann** won in 1932."


def test_an_initial_is_not_taken_for_the_mark_of_an_item():
    assert texts("A. Lincoln won in 1860.") == [("A. Lincoln won in 1860.", None)]
