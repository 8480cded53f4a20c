"""Samples as JSON, and marks that follow a text through its edits."""

import re

from hypothesis import given
from hypothesis import strategies as st

from groundwire.training.sample import Marked, Sample


def test_sample_survives_json() -> None:
    sample = Sample(evidence="a", claim="b c", label=1, spans=((0, 1),), source="s", operator="number")
    assert Sample.from_dict(sample.to_dict()) == sample
    assert Sample.from_dict({**sample.to_dict(), "spans": None}).spans is None


def test_splice_marks_and_shifts() -> None:
    text = Marked("it cost 30 dollars in 1990").splice(8, 10, "4,000", mark=True).prefix("Well, ")
    assert [text.text[s:e] for s, e in text.spans] == ["4,000"]
    cut = text.splice(0, 14, "")
    assert [cut.text[s:e] for s, e in cut.spans] == ["4,000"]


def test_a_cut_through_a_mark_drops_it() -> None:
    assert Marked("one two three", ((4, 7),)).splice(2, 6, "").spans == ()


@given(st.text(), st.data())
def test_splice_outside_of_a_mark_keeps_its_text(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    at = data.draw(st.integers(end, len(text)))
    marked = Marked(text, ((start, end),)).splice(at, len(text), "new").prefix("lead ")
    assert any(marked.text[s:e] == text[start:end] for s, e in marked.spans)


def test_substitute_replaces_every_match() -> None:
    assert Marked("a-b-c").substitute(re.compile("-"), " ").text == "a b c"
