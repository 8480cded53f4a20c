"""Neighbours are of one class, one habit and another meaning; only words that real prose has in a place fit it."""

import numpy as np
import pytest

from groundwire.training.vocabulary import FREQUENT, Bigrams, Embeddings, Vocabulary, content, ending, kin, kind

SENTENCES = [
    *["The farmer rented a house.", "The farmer painted a house."] * FREQUENT,
    *["The nurse painted a house.", "Ann saw the farmer."] * FREQUENT,
    *["The nurse of the farmer rented it."] * FREQUENT,
]


def angles(degrees: dict[str, float]) -> Embeddings:
    """Words on a circle: their cosine is that of the difference of their angles."""
    turns = np.radians(np.array(list(degrees.values()), dtype=np.float32))
    return Embeddings(tuple(degrees), np.stack([np.cos(turns), np.sin(turns)], axis=1))


def made(**degrees: float) -> Vocabulary:
    return Vocabulary.of(angles(degrees), SENTENCES)


@pytest.mark.parametrize(
    ("word", "expected"),
    [("nurse", True), ("Nurse", False), ("into", False), ("seven", False), ("march", False), ("tax", False)],
)
def test_content_words(word: str, expected: bool) -> None:
    assert content(word) is expected


def test_endings_are_classes() -> None:
    assert [ending(w) for w in ("rented", "bought", "renting", "king", "houses", "glass", "badly", "house")] == [
        *("ed", "ed", "ing", "", "s", "", "ly", "")
    ]


def test_kin_share_a_stem_or_a_meaning() -> None:
    assert kin("rented", "renting")
    assert kin("physician", "doctor")
    assert kin("triggered", "caused")
    assert not kin("nurse", "doctor")


def test_names_and_figures_are_one_kind_each() -> None:
    assert [kind(token) for token in ("Ann", "The", "1932", "house")] == ["<name>", "the", "<figure>", "house"]


def test_pairs_are_counted() -> None:
    bigrams = Bigrams.of(["Ann saw it.", "Bob saw her."])
    assert bigrams.often("saw") == 2
    assert bigrams.pairs(["<name>", "saw", "saw"], ["saw", "it", "ham"]).tolist() == [2, 1, 0]


def test_neighbours_are_near_but_not_too_near() -> None:
    near = made(farmer=0, nurse=70, house=10).near
    assert near["farmer"] == ("nurse",)
    assert made(farmer=0, nurse=20, house=10).near["farmer"] == ()


def test_rare_words_and_other_endings_are_no_neighbours() -> None:
    vocabulary = made(farmer=0, rented=70, stranger=70)
    assert set(vocabulary.near) == {"farmer", "rented"}
    assert vocabulary.near["farmer"] == ()


def test_lent_words_are_held_to_the_same_habits() -> None:
    vocabulary = made(farmer=0, nurse=85, rented=85)
    assert vocabulary.lent("farmer", ["nurse", "rented", "unheard"]) == ("nurse",)
    assert vocabulary.lent("unheard", ["nurse"]) == ()


def test_a_candidate_fits_where_prose_has_it_on_both_sides() -> None:
    vocabulary = made(rented=0, painted=70)
    assert vocabulary.fits("rented", ["painted", "house"], "nurse", "a") == ["painted"]
    assert vocabulary.fits("rented", ["painted"], "farmer", "it") == []
    assert vocabulary.fits("rented", ["painted"], "unheard", "a") == ["painted"]
    assert vocabulary.fits("rented", ["painted"], "unheard", "unseen") == []
    assert vocabulary.fits("rented", [], "nurse", "a") == []
