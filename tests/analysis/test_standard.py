"""The words of UAX #29 as Lucene's StandardTokenizer has them; what Lucene itself said stands in lucene.jsonl."""

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.analysis import analyzer
from groundwire.analysis.standard import MOST_UNITS, is_token, pieces

LUCENE = [
    json.loads(line) for line in Path(__file__).with_name("lucene.jsonl").read_text(encoding="utf-8").splitlines()
]
"""Short texts of awkward characters, and the tokens and English terms that Lucene 9.9.1 makes of them."""

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
SCIENTIST = "\U0001f469\U0001f3fd\u200d\U0001f52c"
FLAG = "\U0001f1e9\U0001f1ea"
ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"


def tokens(text: str) -> list[str]:
    return [piece for piece in pieces(text) if is_token(piece)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \t\n.,;!?", []),
        ("The quick (brown) fox.", ["The", "quick", "brown", "fox"]),
        ("the U.S. and o'neil", ["the", "U.S", "and", "o'neil"]),
        ("a.b a:b a'b a’b a·b", ["a.b", "a:b", "a'b", "a’b", "a·b"]),
        ("a..b a,b a;b .a a.", ["a", "b", "a", "b", "a", "b", "a", "a"]),
        ("1,000.5 3;4 5'6 1٬000", ["1,000.5", "3;4", "5'6", "1٬000"]),
        ("8:28 1,,2 1,a a,1 a.1 1.a", ["8", "28", "1", "2", "1", "a", "a", "1", "a", "1", "1", "a"]),
        ("two_fold _a_ a_1_b a__b", ["two_fold", "_a_", "a_1_b", "a__b"]),
        ("__ _ a _'b", ["a", "b"]),
        ("a-b e-mail/post", ["a", "b", "e", "mail", "post"]),
        ("a1b2 x86_64", ["a1b2", "x86_64"]),
        ("naïve cafe\u0301 Straße", ["naïve", "cafe\u0301", "Straße"]),
        ("soft\u00adhyphen a\u200bb", ["soft\u00adhyphen", "a", "b"]),
        ("\u0301a \u0301", ["a"]),
        ("漢字と仮名", ["漢", "字", "と", "仮", "名"]),
        ("人々 漢\u0301", ["人", "々", "漢\u0301"]),
        ("カタカナ カa カ_a ｶﾞ", ["カタカナ", "カ", "a", "カ_a", "ｶﾞ"]),
        ("한국어 문서", ["한국어", "문서"]),
        ("ภาษาไทย abc ไทย1", ["ภาษาไทย", "abc", "ไทย", "1"]),
        ('צה"ל ג\' א"ב"ג', ['צה"ל', "ג'", 'א"ב', "ג"]),
        ("हिन्दी عَرَبِي", ["हिन्दी", "عَرَبِي"]),
        (f"{FAMILY} {SCIENTIST}{FLAG}{ENGLAND}", [FAMILY, SCIENTIST, FLAG, ENGLAND]),
        ("😀😀 ❤\ufe0f ©", ["😀", "😀", "❤\ufe0f", "©"]),
        ("1\ufe0f\u20e3 #\ufe0f\u20e3 #\u20e3 # *\ufe0f", ["1\ufe0f\u20e3", "#\ufe0f\u20e3", "#\u20e3"]),
        ("\U0001f1e9 \U0001f3fd \u200d😀", ["\U0001f3fd", "\u200d😀"]),
        ("ℹ ℹa ℹ\u200d👩", ["ℹ", "ℹa", "ℹ\u200d👩"]),
        ("\U00020000\U00020001 \U0001d400b", ["\U00020000", "\U00020001", "\U0001d400b"]),
        ("a\0b a\ud800b \udfff", ["a", "b", "a", "b"]),
        ("𞤀𞤁 \ue000 a", ["𞤀𞤁", "a"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize("row", LUCENE, ids=range(len(LUCENE)))
def test_lucene_says_the_same(row: dict[str, list[str]]) -> None:
    assert tokens(str(row["text"])) == row["tokens"]
    assert analyzer("english").terms(str(row["text"])) == row["terms"]


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("a" * 255, [255]),
        ("a" * 256, [255, 1]),
        ("b " * 100 + "a" * 600 + " c", [1] * 100 + [255, 255, 90, 1]),
        ("é" * 600, [255, 255, 90]),
        ("\U0001d400" * 256, [127, 127, 2]),
        ("a" + "\U0001d400" * 127 + "b", [128, 1]),
        ("a" * 254 + ".bc", [254, 2]),
        ("a" * 253 + ".bc", [255, 1]),
        ("_" * 300 + "a", [255]),
        ("_" * 300, []),
        ("a" * 300 + "_" * 300, [255, 255]),
        ("a" + "\u0301" * 300 + "b", [255, 1]),
        ("\u200d" * 300 + "😀", [254]),
        ("\u200d" * 300 + "☺", [255]),
    ],
)
def test_a_token_is_no_longer_than_255_units(text: str, lengths: list[int]) -> None:
    assert [len(token) for token in tokens(text)] == lengths


UNITS = [
    *("a", "é", "y", "_", "__\u0301", "_\u200d", "_\u0e31", "_\U0001f3fd", "\u200d", "\u0301", "#", "#\u0301"),
    *("a.", "a'", "1,", "1,\u0301", "カ_", "カ\u3099", "漢", "\u0e01\u0e31", 'א"', "א'", "😀", "👩\u200d", "👩\ufe0f"),
    *("👩\ufe0f\u200d", "👩\ufe0f\u200d\u200d\U0001f3fd", "ℹ\u200d", "\U0001f1e6", "\U000e0061", "\0", "\ud800"),
    *("a" * 254 + ".", "_" * 254 + "!", "_\u200d" * 127 + "!", "\U00010900"),
]


@pytest.mark.parametrize("unit", UNITS, ids=range(len(UNITS)))
@pytest.mark.parametrize("end", ["", "a"], ids=["alone", "before a letter"])
def test_time_is_linear(unit: str, end: str) -> None:
    """What takes time quadratic in the text takes minutes here."""
    text = unit * (100_000 // len(unit)) + end
    start = time.process_time()
    found = analyzer("english").terms(text)
    assert time.process_time() - start < 5
    assert max(map(len, found), default=0) <= MOST_UNITS


def test_a_word_of_a_million_characters() -> None:
    assert "".join(tokens("x" * 1_000_000)) == "x" * 1_000_000


AWKWARD = st.text(
    st.sampled_from("aS19_'\".:,; \u200d\ufe0f\u0301\u00ad#\u20e3カאกั漢ひ한👩🔬ℹ\U0001f3fd\U0001f1e6\U000e0061\ud800\0")
)


@settings(deadline=None)  # the first text of a kind compiles its pattern
@given(AWKWARD | st.text())
def test_tokens_stand_in_the_text_in_order(text: str) -> None:
    at = 0
    for token in tokens(text):
        at = text.index(token, at) + len(token)


@settings(deadline=None)  # the first text of a kind compiles its pattern
@given(AWKWARD, AWKWARD)
def test_a_line_break_parts_what_stands_on_either_side(left: str, right: str) -> None:
    assert tokens(f"{left}\n{right}\n") == tokens(f"{left}\n") + tokens(f"{right}\n")


@settings(deadline=None)  # the first text of a kind compiles its pattern
@given(st.text(st.characters(codec="ascii")))
def test_the_path_for_ascii_finds_what_the_one_for_all_text_finds(text: str) -> None:
    assert tokens(f"{text} \u0e01\u0301") == [*tokens(text), "\u0e01\u0301"]
    assert tokens(f"{text} é") == [*tokens(text), "é"]
