from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.corpus import passages
from groundwire.errors import UsageError
from groundwire.text import word_bounds
from groundwire.types import Document, Passage, Span


def document(text: str, title: str | None = None) -> Document:
    return Document(id="doc", text=text, title=title, meta={"year": 1})


TEN = "The old harbour opened to all ships in May 1931. "


def test_a_short_document_is_one_passage_with_its_id() -> None:
    whole = Span(source="doc", start=1, end=1 + len(TEN.strip()))
    expected = Passage(id="doc", text=TEN.strip(), title="T", origin=whole, meta={"year": 1})
    assert passages(document(" " + TEN, "T")) == [expected]


def test_a_long_document_is_cut_at_sentence_ends() -> None:
    cut = passages(document(TEN * 7, "T"), words=25)
    assert [piece.id for piece in cut] == ["doc#1", "doc#2", "doc#3", "doc#4"]
    assert [len(word_bounds(piece.text)) for piece in cut] == [20, 20, 20, 10]
    assert {(piece.title, piece.meta["year"]) for piece in cut} == {("T", 1)}
    assert all(piece.text.endswith("1931.") for piece in cut)


def test_neighbours_share_whole_sentences() -> None:
    cut = passages(document(TEN * 4), words=25, overlap=10)
    assert [(p.origin.start, p.origin.end) for p in cut if p.origin] == [(0, 97), (49, 146), (98, 195)]


def test_a_sentence_of_more_words_is_cut_at_word_ends() -> None:
    cut = passages(document(" ".join(f"word{n}" for n in range(250))), words=100)
    assert [len(piece.text.split()) for piece in cut] == [100, 100, 50]
    assert cut[1].text.split()[0] == "word100"


def test_no_words_leave_a_document_whole() -> None:
    (piece,) = passages(document(f"\n{TEN * 100}\n"), words=0)
    assert (piece.id, piece.text) == ("doc", (TEN * 100).strip())
    assert piece.origin == Span(source="doc", start=1, end=len(TEN) * 100)


@pytest.mark.parametrize("words", [0, 100])
@pytest.mark.parametrize("text", ["", " \n "])
def test_a_title_alone_is_a_passage_without_words(text: str, words: int) -> None:
    (piece,) = passages(document(text, "T"), words=words)
    assert (piece.id, piece.text, piece.title, piece.origin) == ("doc", "", "T", Span(source="doc", start=0, end=0))
    assert passages(document(text), words=words) == []


@pytest.mark.parametrize(("words", "overlap"), [(-1, 0), (10, 10), (10, -1), (0, 1)])
def test_sizes_that_make_no_sense_are_refused(words: int, overlap: int) -> None:
    with pytest.raises(UsageError, match="0 <= overlap < words"):
        passages(document("x"), words=words, overlap=overlap)


@given(
    st.text(alphabet=st.sampled_from("ab. !\n\t-#1é猫ก\u200b\ud800\x00"), max_size=300),
    st.integers(1, 20),
    st.booleans(),
)
def test_a_passage_is_a_view_and_nothing_visible_is_lost(text: str, words: int, overlapping: bool) -> None:
    cut = passages(document(text), words=words, overlap=words // 2 if overlapping else 0)
    seen = [False] * len(text)
    for piece in cut:
        assert piece.origin is not None
        assert piece.origin.of(text) == piece.text
        assert len(word_bounds(piece.text)) <= words
        seen[piece.origin.start : piece.origin.end] = [True] * len(piece.text)
    assert all(there or char.isspace() for there, char in zip(seen, text, strict=True))


@pytest.mark.parametrize("piece", ["x", TEN, "word ", "猫", ". ", "\n", "- a\n"])
def test_the_time_is_linear(piece: str) -> None:
    def seconds(size: int) -> float:
        doc = document(piece * (size // len(piece)))
        start = process_time()
        passages(doc)
        return process_time() - start

    small = min(seconds(50_000) for _ in range(2))
    assert seconds(400_000) < 24 * small + 0.05  # a quadratic cut needs 64 times as long


def test_a_word_of_a_million_letters_is_one_passage() -> None:
    assert [len(piece.text) for piece in passages(document("x" * 1_000_000))] == [1_000_000]
