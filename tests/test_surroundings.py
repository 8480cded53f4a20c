"""Surroundings: a window with what stands around it."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from groundwire.sources import Windows
from groundwire.surroundings import surrounded
from groundwire.text import word_bounds
from groundwire.types import Case, Passage, Source

TEXT = (
    "One is here. Two is there.\n\nThree went on.  Four stayed. Five came back. Six slept.\nSeven woke up. Eight ate."
)


def windows(text: str, words: int = 6, overlap: int = 0) -> list[Source]:
    case = Case(id="c", answer="a", contexts=(Passage(id="p", text=text),))
    return Windows(words, overlap).cut(case)


def test_it_grows_on_both_sides_in_turn():
    cut = windows(TEXT, 3)
    assert [source.text for source in cut][2:5] == ["Three went on.", "Four stayed.", "Five came back."]
    wide = surrounded(cut, 3, 8)
    assert wide is not None
    assert wide.text.split() == "Three went on. Four stayed. Five came back.".split()
    more = surrounded(cut, 3, 11)
    assert more is not None
    assert more.text.startswith("Two is there.\n\nThree")


def test_it_is_a_view_of_the_context():
    for overlap in (0, 3):
        cut = windows(TEXT, 6, overlap)
        for at in range(len(cut)):
            wide = surrounded(cut, at, 12)
            assert wide is not None
            assert wide.text == TEXT[wide.span.start : wide.span.end]
            assert len(word_bounds(wide.text)) <= 12


def test_nothing_around_is_nothing():
    [only] = windows("A single sentence.", 60)
    assert surrounded([only], 0, 160) is None
    cut = windows(TEXT, 6)
    assert surrounded(cut, 1, 6) is None


def test_a_window_that_was_left_out_between_two_keeps_them_apart():
    cut = windows(TEXT, 3)
    assert surrounded([cut[0], cut[2]], 0, 100) is None


def test_it_ends_at_one_side_and_goes_on_at_the_other():
    cut = windows("A b c d e f g h. " + "One two. " * 6, 8)
    wide = surrounded(cut, 1, 12)
    assert wide is not None
    assert wide.span.start == cut[1].span.start
    assert wide.span.end > cut[1].span.end


@given(st.text(st.sampled_from("ab .\n!🙂東\ud800"), max_size=80), st.integers(1, 4), st.integers(1, 20))
def test_of_any_text_it_is_a_view(text, words, most):
    cut = windows(text, words)
    for at in range(len(cut)):
        wide = surrounded(cut, at, most)
        if wide is not None:
            assert wide.text == text[wide.span.start : wide.span.end]
            assert len(word_bounds(wide.text)) <= most


def test_any_white_space_is_kept_and_a_context_without_any_is_not_taken_whole():
    for between in ("\n\n\n\n\n\n", "\n" + " " * 12, "\r\n\r\n\r\n", "", " "):
        text = between.join("One is here. Two is there. Three went on.".split(" T"))
        cut = windows(text, 3)
        wide = surrounded(cut, 0, 100)
        assert wide is not None
        assert wide.text == text[wide.span.start : wide.span.end] == text
    japanese = "製粉所は売却された。火事で焼失した。だれも死ななかった。" * 40
    cut = windows(japanese, 20)
    wide = surrounded(cut, 5, 60)
    assert wide is not None
    assert 40 < len(word_bounds(wide.text)) <= 60


def test_it_keeps_the_relevance_of_its_window():
    cut = [replace(source, relevance=float(n)) for n, source in enumerate(windows(TEXT, 6))]
    wide = surrounded(cut, 1, 100)
    assert wide is not None
    assert wide.relevance == 1.0
