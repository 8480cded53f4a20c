import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.errors import CorruptModel
from groundwire.models.wordpiece import WordPiece

VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *"abcdefghijklmnopqrstuvwxyz", *".,!?$[]'-", "un", "##aff", "##able"]
VOCABULARY += ["cafe", "naïve", "Aff", "中", "国", "σ", "ς", "##σ", "sep", "##b", "i", "##d"]


@pytest.fixture(scope="module")
def uncased():
    return WordPiece(VOCABULARY, lowercase=True)


@pytest.fixture(scope="module")
def real(shared_data):
    return WordPiece.open(shared_data / "tokenizers/bert-base-uncased/vocab.txt", lowercase=True)


def pieces(tokenizer, text):
    return [VOCABULARY[i] for i in tokenizer.encode(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \t\r\n\u00a0\u3000", []),
        ("unaffable", ["un", "##aff", "##able"]),
        ("UNAFFABLE", ["un", "##aff", "##able"]),
        ("unaffablex", ["[UNK]"]),
        ("Café", ["cafe"]),
        ("Cafe\u0301", ["cafe"]),
        ("a.b", ["a", ".", "b"]),
        ("$a-b!", ["$", "a", "-", "b", "!"]),
        ("a\x00b", ["a", "##b"]),
        ("a\ufffd\u200bb", ["a", "##b"]),
        ("\ud800a", ["a"]),
        ("a中国", ["a", "中", "国"]),
        ("\u03a3\u03a3", ["σ", "##σ"]),
        ("[SEP]", ["[", "sep", "]"]),
        ("a" * 101, ["[UNK]"]),
    ],
)
def test_fixed_cases(uncased, text, expected):
    assert pieces(uncased, text) == expected


def test_a_cased_vocabulary_keeps_case_and_accents():
    cased = WordPiece(VOCABULARY, lowercase=False)
    assert pieces(cased, "Aff naïve aff") == ["Aff", "naïve", "[UNK]"]


def test_special_tokens_are_needed():
    with pytest.raises(CorruptModel, match=r"\[SEP\]"):
        WordPiece(["[UNK]", "[CLS]"], lowercase=True)


def test_frame(uncased):
    assert uncased.frame.before == (2,)
    assert uncased.frame.between == uncased.frame.after == (3,)
    assert uncased.frame.types == (0, 0, 0, 1, 1)


@settings(deadline=None)
@given(st.text(st.characters()))
def test_any_text_gives_known_ids(text):
    tokenizer = WordPiece(VOCABULARY, lowercase=True)
    assert all(0 <= i < len(VOCABULARY) for i in tokenizer.encode(text))
    assert tokenizer.encode(text) == tokenizer.encode(text)


def shown(tokenizer, text):
    assert len(tokenizer.offsets(text)) == len(tokenizer.encode(text))
    return [text[start:end] for start, end in tokenizer.offsets(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("unaffable a", ["un", "aff", "able", "a"]),
        ("  UNAFFABLE.", ["UN", "AFF", "ABLE", "."]),
        ("Café a", ["Café", "a"]),
        ("Cafe\u0301 a", ["Cafe\u0301", "a"]),
        ("e\u0301\u0301 x", ["e\u0301\u0301", "x"]),
        ("\u0130 a", ["\u0130", "a"]),
        ("a中国b", ["a", "中", "国", "b"]),
        ("a\x00b", ["a\x00", "b"]),
        ("\u200ba\u200b b", ["a\u200b", "b"]),
        ("👩\u200d👩\u200d👧 a", ["👩\u200d👩\u200d👧", "a"]),
        ("\ud800a \ud800", ["a"]),
        ("unaffablex a", ["unaffablex", "a"]),
        ("a" * 100_000 + " b", ["a" * 100_000, "b"]),
        ("ΣΣ", ["Σ", "Σ"]),
        ("$a-b!", ["$", "a", "-", "b", "!"]),
    ],
    ids=lambda value: ascii(value)[:30],
)
def test_offsets_say_where_each_token_stands(uncased, text, expected):
    assert shown(uncased, text) == expected


def test_the_letters_of_a_syllable_share_its_place():
    letters = WordPiece([*VOCABULARY, "\u1112", "##\u1161", "##\u11ab"], lowercase=True)
    assert letters.offsets("a 한") == [(0, 1), (2, 3), (2, 3), (2, 3)]


@settings(deadline=None)
@given(st.text(st.characters()))
def test_offsets_of_any_text_are_in_order_and_inside(text):
    tokenizer = WordPiece(VOCABULARY, lowercase=True)
    places = tokenizer.offsets(text)
    assert len(places) == len(tokenizer.encode(text))
    assert all(0 <= start < end <= len(text) for start, end in places)
    assert places == sorted(places)


@pytest.mark.models
def test_offsets_are_those_of_the_package_where_nothing_is_dropped(shared_data, real):
    theirs = reference(shared_data / "tokenizers/bert-base-uncased/vocab.txt", True)
    for text in ("Unaffable Zürich-Nord, 1,234.5% of 東京!", "Ångström's ΑΣ " + "x" * 120, "한국 naïve 😀👍 don't"):
        assert real.offsets(text) == theirs.encode(text, add_special_tokens=False).offsets


def test_what_is_remembered_is_bounded(uncased):
    uncased.encode(" ".join(f"{i:x}" for i in range(120_000)))
    assert len(uncased._memo) <= 50_000
    uncased.encode("".join(map(chr, range(0x3400, 0x9000))))
    assert len(uncased._table) <= 20_000


@pytest.mark.parametrize("unit", ["a", "a" * 100 + " ", "a.", "中", "\u0301", " "], ids=repr)
def test_time_is_linear(uncased, unit):
    def seconds(size):
        text = (unit * size)[:size]
        start = time.process_time()
        uncased.encode(text)
        return time.process_time() - start

    seconds(1000)
    small = min(seconds(20_000) for _ in range(5))
    assert seconds(1_000_000) < 50 * small * 5 + 0.1


@pytest.mark.parametrize("unit", ["a", "a.", "中", "a\u0301", "한"], ids=ascii)
def test_offsets_take_linear_time(uncased, unit):
    def seconds(size):
        start = time.process_time()
        uncased.offsets((unit * size)[:size])
        return time.process_time() - start

    seconds(1000)
    small = min(seconds(10_000) for _ in range(5))
    assert seconds(300_000) < 30 * small * 5 + 0.1


@pytest.mark.models
@pytest.mark.parametrize("lowercase", [True, False])
def test_every_old_character_gives_the_ids_of_the_package(shared_data, lowercase):
    """The package's tables are of an older Unicode than Python's: characters that changed since are left out."""
    path = shared_data / "tokenizers/bert-base-uncased/vocab.txt"
    ours, theirs = WordPiece.open(path, lowercase=lowercase), reference(path, lowercase)
    old = unicodedata.ucd_3_2_0.category
    texts = [
        f"a{c}b {c}"
        for c in map(chr, range(0x110000))
        if unicodedata.category(c) == old(c) != "Cn" and not "\ud800" <= c <= "\udfff"
    ]
    for text, encoding in zip(texts, theirs.encode_batch(texts, add_special_tokens=False), strict=True):
        assert ours.encode(text) == encoding.ids, ascii(text)


@pytest.mark.models
@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["unaffable", "Café", "中国", "[SEP]", "don't", "1,234.5%", "x" * 120, "\u0130", "ΑΣ", "👍🏽", "\r", "ก่อน"]
        )
    )
)
def test_mixed_texts_give_the_ids_of_the_package(shared_data, real, words):
    theirs = reference(shared_data / "tokenizers/bert-base-uncased/vocab.txt", True)
    for text in (" ".join(words), "".join(words)):
        assert real.encode(text) == theirs.encode(text, add_special_tokens=False).ids


_references = {}


def reference(path, lowercase):
    tokenizers = pytest.importorskip("tokenizers")
    key = (path, lowercase)
    if key not in _references:
        made = tokenizers.BertWordPieceTokenizer(str(path), lowercase=lowercase)._tokenizer
        made.encode_special_tokens = True
        _references[key] = made
    return _references[key]
