"""NLTK's extended Porter: what it does otherwise than the paper, and the whole of it against NLTK."""

import gzip
import random
import re
import time
from pathlib import Path

import pytest

from groundwire.rouge.stemmer import stem

SUFFIXES = """
ational tional enci anci izer bli alli entli eli ousli ization ation ator alism iveness fulness ousness aliti iviti biliti
fulli logi icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent ion sion tion ou ism ate
iti ous ive ize e ll s es ss sses ies ied ed ing eed y ly
""".split()


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("sky", "sky"), ("skies", "sky"), ("dying", "die"), ("lying", "lie"), ("tying", "tie"), ("news", "news"),
        ("innings", "inning"), ("inning", "inning"), ("outings", "outing"), ("outing", "outing"),
        ("cannings", "canning"), ("canning", "canning"), ("howe", "howe"),
        ("proceed", "proceed"), ("exceed", "exceed"), ("succeed", "succeed"),
        ("succeeded", "succeed"), ("proceeds", "proce"),  # the table is for whole words
    ],
)  # fmt: skip
def test_irregular_words(word: str, expected: str) -> None:
    assert stem(word) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("dies", "die"), ("died", "die"), ("flies", "fli"), ("spied", "spi"), ("ties", "tie"), ("ponies", "poni"),
        ("try", "tri"), ("happy", "happi"), ("enjoy", "enjoy"), ("by", "by"), ("bys", "by"), ("syzygy", "syzygi"),
        ("hopefully", "hope"), ("geology", "geolog"), ("theology", "theolog"), ("archaeology", "archaeolog"),
        ("rationally", "ration"), ("relationally", "relat"), ("possibly", "possibl"), ("ally", "alli"),
        ("are", "are"), ("use", "use"), ("used", "use"), ("using", "use"), ("ease", "eas"),
    ],
)  # fmt: skip
def test_what_the_extensions_do(word: str, expected: str) -> None:
    assert stem(word) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("caresses", "caress"), ("cats", "cat"), ("feed", "feed"), ("agreed", "agre"), ("plastered", "plaster"),
        ("bled", "bled"), ("sing", "sing"), ("conflated", "conflat"), ("sized", "size"), ("hopping", "hop"),
        ("falling", "fall"), ("filing", "file"), ("failing", "fail"), ("electrical", "electr"), ("goodness", "good"),
        ("revival", "reviv"), ("adoption", "adopt"), ("replacement", "replac"), ("probate", "probat"), ("rate", "rate"),
        ("cease", "ceas"), ("controlling", "control"), ("roll", "roll"), ("generalizations", "gener"),
    ],
)  # fmt: skip
def test_the_examples_of_the_paper(word: str, expected: str) -> None:
    assert stem(word) == expected


@pytest.mark.parametrize("word", ["", "a", "s", "is", "ed", "y", "1990", "x86", "漢", "\ud800x", "\x00", "😀"])
def test_what_has_nothing_to_lose_stays(word: str) -> None:
    assert stem(word) == word


def test_long_words_take_linear_time() -> None:
    started = time.perf_counter()
    for word in ("a" * 10**6, "y" * 10**6, "ation" * 200_000, "alli" * 250_000, "s" * 10**6, "ab" * 500_000 + "eed"):
        assert stem(word)
    assert time.perf_counter() - started < 10


def test_every_word_is_as_nltk_has_it() -> None:
    nltk = pytest.importorskip("nltk.stem.porter").PorterStemmer()
    wrong = {word: (expected, stem(word)) for word in made_up(8_000) if (expected := nltk.stem(word)) != stem(word)}
    assert wrong == {}


def test_the_vocabulary_of_abstracts_is_as_nltk_has_it(shared_data: Path) -> None:
    nltk = pytest.importorskip("nltk.stem.porter").PorterStemmer()
    with gzip.open(shared_data / "ir" / "cacm" / "corpus.jsonl.gz", "rt", encoding="utf-8") as file:
        words = set(re.findall("[a-z0-9]+", file.read().lower()))
    assert len(words) > 5000
    assert {word: stem(word) for word in words if stem(word) != nltk.stem(word)} == {}


def made_up(count: int) -> set[str]:
    """Return beginnings of a few letters with one to three suffixes, and strings of the letters that rules ask for."""
    rng = random.Random(4)
    beginnings = ("".join(rng.choices("aeioubcdglrstwxyé", k=rng.randint(0, 5))) for _ in range(count))
    suffixed = {beginning + "".join(rng.choices(SUFFIXES, k=rng.randint(1, 3))) for beginning in beginnings}
    return suffixed | {"".join(rng.choices("aeiouybtlsdw", k=rng.randint(0, 8))) for _ in range(count)}
