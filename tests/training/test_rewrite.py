"""Rewording and register keep marks where they are and never touch a marked word."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.training.rewrite import contract, drop_lead, drop_trail, lowered, register, reword, tokenised
from groundwire.training.sample import Marked

SENTENCE = "In 1990, Carl Weber (the mayor) did not begin the big project, which cost 5 million dollars."


def test_leads_are_dropped_or_moved() -> None:
    texts = {drop_lead(Marked("In 1990, the town began a large project."), Random(seed)).text for seed in range(20)}
    assert texts == {"The town began a large project.", "The town began a large project in 1990."}


def test_trailing_clauses_and_asides_go() -> None:
    assert (
        drop_trail(Marked("The town began a project, which cost much."), Random(0)).text == "The town began a project."
    )
    kept = Marked("The town began a project, which cost 5 dollars.").mark(37, 38)
    assert drop_trail(kept, Random(0)) == kept


def test_registers() -> None:
    assert contract(Marked("It was not so."), Random(0)).text == "It wasn't so."
    assert tokenised(Marked("It wasn't so (then, again).")).text == "It was n't so -LRB- then , again -RRB- ."
    assert lowered(Marked("İt WAS")).text == "İt was"


@pytest.mark.parametrize("seed", range(200))
def test_marked_words_survive_rewording(seed: int) -> None:
    at = SENTENCE.index("Weber")
    text = register(reword(Marked(SENTENCE).mark(at, at + 5), Random(seed)), Random(seed))
    assert [text.text[s:e].lower() for s, e in text.spans] == ["weber"]


@given(st.text(max_size=80), st.integers(0, 99))
def test_any_text_passes(text: str, seed: int) -> None:
    result = register(reword(Marked(text), Random(seed)), Random(seed))
    assert all(0 <= s <= e <= len(result.text) for s, e in result.spans)
