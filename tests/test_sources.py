"""Cutting contexts into sources: every source is a view into the context it came from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import UnknownName, UsageError
from groundwire.sources import parse
from groundwire.text import unmarked
from groundwire.types import Case, Passage

SPECS = ["sentence", "chunk:300", "chunk:7", "window:100:30", "window:5:2"]


def case(*texts: str) -> Case:
    return Case(id="c", answer="a", contexts=tuple(Passage(id=f"p{i}", text=t) for i, t in enumerate(texts)))


def test_sentences():
    assert [s.text for s in parse("sentence").cut(case("One is here. Two is there.", "Three."))] == [
        "One is here.",
        "Two is there.",
        "Three.",
    ]


def test_a_chunk_is_the_whole_context_as_it_was_given():
    assert [s.text for s in parse("chunk").cut(case("One is here. Two is there.", "Three."))] == [
        "One is here. Two is there.",
        "Three.",
    ]


def test_a_long_chunk_is_windowed_and_loses_nothing():
    text = " ".join(f"word{i}" for i in range(1000))
    sources = parse("chunk:300").cut(case(text))
    assert len(sources) == 4
    assert " ".join(s.text for s in sources) == text


@pytest.mark.parametrize("spec", SPECS)
def test_prints_as_the_string_that_makes_it(spec):
    assert str(parse(spec)) == spec


@pytest.mark.parametrize("spec", ["window:10:10", "window:x", "window:1:2:3", "sentence:4"])
def test_impossible_numbers_are_usage_errors(spec):
    with pytest.raises(UsageError):
        parse(spec)


def test_unknown_granularity():
    with pytest.raises(UnknownName, match="sentence"):
        parse("sentences")


@given(st.lists(st.text(max_size=120), max_size=4), st.sampled_from(SPECS))
def test_sources_point_at_their_own_text_and_cover_every_word(texts, spec):
    given_case = case(*texts)
    sources = parse(spec).cut(given_case)
    for source in sources:
        text = given_case.contexts[source.index].text
        assert source.text == source.span.of(unmarked(text) if spec.startswith("window") else text)
        assert source.text.strip()
    for index, text in enumerate(map(unmarked, texts)):
        covered = {i for s in sources if s.index == index for i in range(s.span.start, s.span.end)}
        assert all(text[i].isspace() or i in covered for i in range(len(text)))
