"""Roots: forms of a word meet, numbers do not, and rare words say more than common ones."""

import pytest

from groundwire.text.roots import RAREST, _common, rarity, root, roots


def test_forms_of_a_word_share_their_root():
    assert roots("proposes proposed proposal") == {"propo"}
    assert roots("The harbour was rebuilt.") == {"harbo", "rebui"}


@pytest.mark.parametrize("number", ["1976", "123456", "19th", "b2019a"])
def test_what_holds_a_digit_keeps_all_of_it(number):
    assert root(number) == number


def test_roots_of_scripts_without_spaces_are_their_pairs_of_characters():
    assert roots("東京都") == {"東京", "京都"}


def test_the_rarer_a_word_the_more_it_says():
    said = [rarity(root(word)) for word in ("first", "city", "harbour", "zygote")]
    assert said == sorted(said)
    assert said[0] < said[1] < said[-1] == RAREST


def test_every_value_is_a_whole_number_within_the_range_that_is_told():
    values = set(_common().values())
    assert {min(values), RAREST} == {14, 203}
    assert max(values) <= RAREST
    assert all(type(value) is int for value in values)


def test_a_word_of_any_script_has_a_rarity():
    assert {rarity(found) for found in roots("Größe 東京 🙂 \ud800 qzx\x00vqz")} == {RAREST}
