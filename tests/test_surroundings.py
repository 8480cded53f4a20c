"""Surroundings: a window with what stands around it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from groundwire.sources import Windows
from groundwire.surroundings import surrounded
from groundwire.text import sentence_bounds
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


def test_its_offsets_are_those_of_the_context_and_its_sentences_too():
    for overlap in (0, 3):
        cut = windows(TEXT, 6, overlap)
        for at in range(len(cut)):
            wide = surrounded(cut, at, 12)
            assert wide is not None
            covered = TEXT[wide.span.start : wide.span.end]
            assert len(covered) == len(wide.text)
            assert covered.split() == wide.text.split()
            assert sentence_bounds(covered) == sentence_bounds(wide.text)
            assert len(wide.text.split()) <= 12


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
def test_any_text_keeps_its_offsets(text, words, most):
    cut = windows(text, words)
    for at in range(len(cut)):
        wide = surrounded(cut, at, most)
        if wide is not None:
            assert len(wide.text) == wide.span.end - wide.span.start
            assert wide.text.split() == text[wide.span.start : wide.span.end].split()
