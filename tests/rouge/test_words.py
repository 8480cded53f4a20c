import time

import pytest

from groundwire.rouge import tokens
from groundwire.rouge.words import _LONGEST_KEPT, _MOST_KEPT, _stem_of, forget


def test_words_are_runs_of_ascii_letters_and_digits() -> None:
    assert tokens("The U.S. can't re-write x86's\n\nnaïve Café!", stemmed=False) == [
        "the", "u", "s", "can", "t", "re", "write", "x86", "s", "na", "ve", "caf",
    ]  # fmt: skip


def test_words_of_more_than_three_letters_are_stemmed() -> None:
    assert tokens("Dogs are running. Ties, was, was it used?") == [
        "dog",
        "are",
        "run",
        "tie",
        "was",
        "was",
        "it",
        "use",
    ]
    assert tokens("his his gas") == ["his", "his", "gas"]  # the stemmer would take their s


@pytest.mark.parametrize("text", ["", " \n\t", "漢字かな交じり文", "😀 🎉", "\ud800\udfff", "\x00\x00", "¿¡…—"])
def test_a_text_without_any_has_no_words(text: str) -> None:
    assert tokens(text) == tokens(text, stemmed=False) == []


def test_odd_characters_part_words_and_harm_nobody() -> None:
    assert tokens("one\x00two\ud800three😀four", stemmed=False) == ["one", "two", "three", "four"]
    assert tokens("\u212aelvin İzmir", stemmed=False) == ["kelvin", "i", "zmir"]  # what str.lower() makes ASCII of


def test_long_texts_take_linear_time() -> None:
    started = time.perf_counter()
    assert tokens("a" * 10**6) == ["a" * 10**6]
    assert tokens("s" * 10**6 + " !" * 10**6) == ["s" * 10**6]
    assert len(tokens("word " * 10**6)) == 10**6
    assert time.perf_counter() - started < 20


def test_stems_are_remembered_within_bounds() -> None:
    forget()
    assert tokens("running") == tokens("running") == ["run"]
    assert dict(_stem_of) == {"running": "run"}
    tokens("z" * (_LONGEST_KEPT + 1))
    assert len(_stem_of) == 1
    tokens(" ".join(f"w{i}" for i in range(_MOST_KEPT + 10)))
    assert 0 < len(_stem_of) <= _MOST_KEPT
    forget()
    assert not _stem_of
