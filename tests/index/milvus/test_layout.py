"""What stands in a row, and how terms are spelled for a tokenizer that is not ours."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.analysis import analyzer
from groundwire.errors import InputError
from groundwire.index.milvus import layout
from groundwire.types import Passage, Span

ANY_TEXT = st.text(st.characters(), max_size=60)


@settings(deadline=None)
@given(ANY_TEXT, st.sampled_from(["english", "simple", "none"]))
def test_any_tokenizer_leaves_spelled_terms_whole(text: str, name: str) -> None:
    terms = analyzer(name).terms(text)
    spelled = layout.spelled(terms)
    assert spelled.split() == re.findall(r"\w+", spelled.lower())
    assert len(spelled.split()) == len(terms)


@settings(deadline=None)
@given(ANY_TEXT.filter(bool), ANY_TEXT.filter(bool))
def test_different_terms_are_spelled_differently(one: str, other: str) -> None:
    assert (layout.spelled([one]) == layout.spelled([other])) == (one == other)


@settings(deadline=None)
@given(
    st.builds(
        Passage,
        id=ANY_TEXT.filter(bool),
        text=ANY_TEXT,
        title=st.none() | ANY_TEXT,
        origin=st.none() | st.builds(Span, source=ANY_TEXT, start=st.integers(0, 9), end=st.integers(0, 9)),
        meta=st.dictionaries(ANY_TEXT, st.none() | st.booleans() | st.integers() | ANY_TEXT, max_size=3),
    )
)
def test_a_passage_comes_back_from_its_row(passage: Passage) -> None:
    row = layout.row(passage, [])
    assert layout.passage_of(row["passage"]) == passage
    assert all(len(row[name]) == 2 * layout.KEY_BYTES for name in ("key", "document", "content"))
    row["passage"].encode()  # what is sent is UTF-8


def test_rows_know_the_document_and_the_content() -> None:
    cut = layout.row(Passage(id="d#1", text="a", title="t", origin=Span(source="d", start=0, end=1)), ["a"])
    whole = layout.row(Passage(id="d", text="a", title="t"), ["a"])
    other = layout.row(Passage(id="e", text="a"), ["a"])
    assert cut["document"] == whole["document"] == whole["key"] != other["document"]
    assert cut["content"] == whole["content"] != other["content"]


@pytest.mark.parametrize("letter", ["a", "é", "\ud800"])
def test_a_passage_that_is_too_long_is_refused(letter: str) -> None:
    with pytest.raises(InputError, match=r"'long' takes [0-9]+ bytes, and Milvus keeps 65535"):
        layout.row(Passage(id="long", text=letter * 65_536), [])
    with pytest.raises(InputError, match="65535"):
        layout.row(Passage(id="long", text=""), ["term"] * 20_000)


def test_sparse_vectors_are_numbers_that_milvus_keeps() -> None:
    made = layout.dimensions({f"term{n}": n + 1.0 for n in range(2000)})
    assert len(made) == 2000
    assert all(0 < number < 2**32 - 1 for number in made)
    assert made == layout.dimensions({f"term{n}": n + 1.0 for n in range(2000)})
    assert layout.dimensions({}) == {}
    (number,) = layout.kept_dimensions({})
    assert number not in made
