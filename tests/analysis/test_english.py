import pytest

from groundwire.analysis import analyzer
from groundwire.analysis.english import STOP_WORDS, english_term, lower

terms = analyzer("english").terms


def test_there_are_33_stop_words_and_none_is_a_term() -> None:
    assert len(STOP_WORDS) == 33
    assert terms(" ".join(STOP_WORDS)) == []
    assert terms("The THE tHe") == []


def test_near_stop_words_are_terms() -> None:
    assert terms("he she from has which were them do") == ["he", "she", "from", "ha", "which", "were", "them", "do"]


@pytest.mark.parametrize("apostrophe", ["'", "’", "＇"])
def test_possessives_lose_their_end(apostrophe: str) -> None:
    assert english_term(f"dog{apostrophe}s") == "dog"
    assert english_term(f"DOG{apostrophe}S") == "dog"
    assert english_term(f"it{apostrophe}s") is None  # a stop word after that


def test_only_possessives_do() -> None:
    assert terms("dogs' o'neil don't she'll ‘s 's dog`s") == ["dog", "o'neil", "don't", "she'll", "s", "s", "dog", "s"]


def test_the_whole_chain() -> None:
    text = "The U.S. economies' growth wasn't 1,000.5 times France’s; see two_fold and http://example.org/Running-dogs."
    assert terms(text) == ("u. economi growth wasn't 1,000.5 time franc see two_fold http example.org run dog".split())


def test_accents_stay() -> None:
    assert terms("Cafés ÉCOLE Straße") == ["café", "école", "straße"]


@pytest.mark.parametrize(
    ("word", "expected"), [("ΣΑΣ", "σασ"), ("İstanbul", "istanbul"), ("ǅ", "ǆ"), ("ẞ", "ß"), ("K", "k")]
)
def test_lower_case_is_one_character_for_one(word: str, expected: str) -> None:
    assert lower(word) == expected
