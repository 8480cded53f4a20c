"""The commonest words: counted by text, stop words left out, in an order that any run gives."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from groundwire.text.roots import RAREST, WORDS, _by_rank
from groundwire.training import frequency
from groundwire.training.frequency import SHIPPED, commonest, texts
from groundwire.training.mixture import load_mixture


def test_a_word_counts_once_a_text_and_equal_ones_stand_by_the_alphabet():
    found = commonest(["Mill mill mill. The river.", "A river and a bridge.", "The mill by the bridge."], most=4)
    assert found == ["bridge", "mill", "river"]


def test_tables_are_left_out_and_a_text_that_stands_twice_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {"tabfact-pairs": [{"contexts": ["Row 1."]}], "rte-train": [{"contexts": ["A mill."]}] * 2}
    document = SimpleNamespace(sentences=("It rained.", "It stopped."))
    monkeypatch.setattr(frequency, "split", lambda mixture, data: (SimpleNamespace(rows=rows), None))
    monkeypatch.setattr(frequency, "load_documents", lambda: (document,))
    assert list(texts(load_mixture(None), Path("nowhere"))) == ["A mill.", "It rained. It stopped."]


def test_no_more_than_asked():
    assert commonest(["delta alpha gamma"], most=2) == ["alpha", "delta"]


def test_the_shipped_words_are_as_many_as_the_rarest_rank_says():
    shipped = SHIPPED.read_text(encoding="utf-8").split()
    assert len(shipped) == len(set(shipped)) == WORDS
    assert _by_rank(WORDS) == RAREST
