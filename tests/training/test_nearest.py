"""The nearest passage shares words with the claim and is of another document."""

from random import Random

from groundwire.training.nearest import Nearest
from groundwire.training.passages import Passage

OWN = Passage("a", ("Ann Lee opened a school for weavers in York.", "It closed in the war."))
NEAR = Passage("b", ("The guild of weavers met in York every spring.", "Rain fell on the hills all year."))
COPY = Passage("c", ("It closed in the war.", "Ann Lee taught weavers in York."))
FAR = [Passage(f"d{i}", (f"Boats carried salt to port {i}.", "The sea was calm.")) for i in range(9)]


def test_the_nearest_is_found_with_its_sentence() -> None:
    found = Nearest([OWN, NEAR, *FAR]).to(OWN.sentences[0], OWN.sentences[0], OWN, Random(1))
    assert found is not None
    passage, at, share = found
    assert (passage, at) == (NEAR, 0)
    assert 0 < share < 0.6


def test_a_cut_of_the_same_document_is_left_out() -> None:
    assert Nearest([OWN, COPY, *FAR]).to(OWN.sentences[0], OWN.sentences[0], OWN, Random(1)) is None


def test_none_where_no_rare_word_is_shared() -> None:
    assert Nearest(FAR).to(OWN.sentences[0], OWN.sentences[0], OWN, Random(1)) is None
