"""The nearest passage shares words with the claim and is of another document."""

from collections.abc import Iterator
from itertools import permutations
from random import Random

import pytest

from groundwire.training import nearest
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


def test_the_order_of_a_set_does_not_decide_between_passages(monkeypatch: pytest.MonkeyPatch) -> None:
    # Of both passages the claim shares one common word and two rare ones: they are equally near.
    claim, own = "salt rope pear corn mill veil silk gold iron", Passage("own", ("Ann spoke.",))
    tied = [Passage("a", ("Salt rope pear.", "It fell.")), Passage("b", ("Corn mill veil.", "It fell."))]
    rare = [Passage("r", (f"{word.capitalize()} {other}.",)) for word, other in (("rope", "mill"), ("pear", "veil"))]
    common = [Passage("s", ("Salt corn.",))] * 4

    def ordered(words: tuple[str, ...]) -> type[frozenset[str]]:
        class Ordered(frozenset[str]):
            def __iter__(self) -> Iterator[str]:
                return iter(words)

        return Ordered

    index, found = Nearest([*tied, *rare, *common]), set()
    plain = nearest.words_of
    for part in permutations(("salt", "rope", "pear")):
        words = (*part, "mill", "corn", "veil", "silk", "gold", "iron")
        monkeypatch.setattr(
            nearest, "words_of", lambda text, w=words: ordered(w)(plain(text)) if text == claim else plain(text)
        )
        result = index.to(claim, claim, own, Random(1))
        found.add(result and result[0].source)
    assert found == {"b"}
