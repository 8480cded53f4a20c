"""The commonest words: counted by text, stop words left out, in an order that any run gives."""

from groundwire.text.roots import RAREST, _by_rank
from groundwire.training.common import SHIPPED, WORDS, commonest


def test_a_word_counts_once_a_text_and_equal_ones_stand_by_the_alphabet():
    found = commonest(["Mill mill mill. The river.", "A river and a bridge.", "The mill by the bridge."], most=4)
    assert found == ["bridge", "mill", "river"]


def test_no_more_than_asked():
    assert commonest(["delta alpha gamma"], most=2) == ["alpha", "delta"]


def test_the_shipped_words_are_as_many_as_the_rarest_rank_says():
    shipped = SHIPPED.read_text(encoding="utf-8").split()
    assert len(shipped) == len(set(shipped)) == WORDS
    assert _by_rank(WORDS) == RAREST
