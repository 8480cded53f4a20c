"""Lexical evidence: each signal on a case small enough to count by hand."""

import gzip
import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.judge.lexical import SIGNALS, Lexicon, signals

SOURCES = ["The company sold 1,534,000 shares in May 2015.", "Anna Berg, its chief, left the company in Oslo."]


def test_a_copied_claim_has_all() -> None:
    found = signals(SOURCES[0], SOURCES)
    for name in ("words", "words_weighted", "bigrams", "longest_run", "best_window_words", "best_window_bigrams"):
        assert found[name] == 1.0
    assert (found["has_numbers"], found["numbers_missing"]) == (1.0, 0.0)
    assert (found["has_names"], found["names_missing"]) == (1.0, 0.0)


def test_what_is_missing_has_its_place() -> None:
    claim = "In May 2015 Anna Berg sold 12 shares to Bob Krüger and OPEC."
    found = Lexicon(SOURCES).missing(claim)
    assert [claim[start:end] for start, end in found] == ["12", "Bob", "Krüger", "OPEC"]
    assert Lexicon(SOURCES).missing(SOURCES[0]) == []


def test_shares() -> None:
    found = signals("Its company sold a share in Rome.", SOURCES)
    assert found["words"] == 3 / 4  # company, sold, share; not Rome
    assert found["words_weighted"] == (7 + 4 + 5) / (7 + 4 + 5 + 4)
    assert found["bigrams"] == 1 / 6  # company sold
    assert found["longest_run"] == 2 / 7
    assert found["best_window_words"] == 3 / 4
    assert found["names_missing"] == 1.0


def test_best_window_is_one_source() -> None:
    found = signals("Anna Berg sold shares.", SOURCES)
    assert found["words"] == 1.0
    assert found["best_window_words"] == 2 / 4
    assert found["bigrams"] == 1 / 3
    assert found["best_window_bigrams"] == 1 / 3


def test_a_run_stays_in_one_source() -> None:
    assert signals("one two three four", ["one two", "three four"])["longest_run"] == 2 / 4
    assert signals("x a b a b c y", ["a b a b", "b a b c"])["longest_run"] == 4 / 7
    assert signals("three", ["one two", "three four"])["longest_run"] == 1.0
    assert signals("five", ["one two"])["longest_run"] == 0.0


def test_numbers() -> None:
    assert signals("It sold 1.5 million shares.", SOURCES)["numbers_missing"] == 0.0
    assert signals("It sold 1.6 million shares in 2015.", SOURCES)["numbers_missing"] == 1 / 2
    found = signals("It is one of the best.", SOURCES)
    assert (found["has_numbers"], found["numbers_missing"]) == (0.0, 0.0)


def test_names() -> None:
    assert signals("Then Anna and Bob met.", SOURCES)["names_missing"] == 1 / 2
    assert signals("NASA said so. IBM too. Nobody else.", ["NASA"])["names_missing"] == 1 / 2
    found = signals("Everyone left when I did.", SOURCES)
    assert (found["has_names"], found["names_missing"]) == (0.0, 0.0)


def test_case_form_and_plural() -> None:
    assert signals("ＣＯＭＰＡＮＩＥＳ and Share’s", SOURCES)["words"] == 1.0


def test_scripts_without_spaces() -> None:
    found = signals("我爱北京", ["他说我爱上海和北京。"])
    assert found["words"] == 2 / 3  # 我爱, 北京
    assert found["longest_run"] == 2 / 4


@pytest.mark.parametrize("claim", ["", "  ", "...", "😀"])
def test_a_claim_without_words(claim: str) -> None:
    assert signals(claim, SOURCES) == dict.fromkeys(SIGNALS, 0.0)


def test_a_claim_of_stop_words_uses_them() -> None:
    assert signals("it was", ["It was."])["words"] == 1.0


def test_without_sources() -> None:
    found = signals("Anna sold 5 shares to Bob.", [])
    assert found["words"] == found["bigrams"] == found["longest_run"] == 0.0
    assert found["numbers_missing"] == found["names_missing"] == 1.0


def _longest_run(claim: list[str], sources: list[list[str]]) -> int:
    runs = [claim[i:j] for i in range(len(claim)) for j in range(i + 1, len(claim) + 1)]
    return max(
        (len(run) for run in runs for s in sources for k in range(len(s)) if s[k : k + len(run)] == run),
        default=0,
    )


words = st.lists(st.sampled_from(["ab", "cd", "ef"]), min_size=1, max_size=9)


@given(words, st.lists(words, max_size=3))
def test_longest_run_equals_the_slow_way(claim: list[str], sources: list[list[str]]) -> None:
    found = signals(" ".join(claim), [" ".join(s) for s in sources])["longest_run"]
    assert found == _longest_run(claim, sources) / len(claim)


@given(st.text(max_size=200), st.lists(st.text(max_size=200), max_size=4))
def test_every_value_is_a_share(claim: str, sources: list[str]) -> None:
    found = Lexicon(sources).signals(claim)
    assert tuple(found) == SIGNALS
    assert all(math.isfinite(v) and 0.0 <= v <= 1.0 for v in found.values())


@pytest.mark.parametrize(("name", "auc"), [("dialfact-testsmall", 0.71)])
def test_bigrams_tell_supported_claims(shared_data: Path, name: str, auc: float) -> None:
    with gzip.open(shared_data / "check" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    score = [signals(row["answer"], row["contexts"])["bigrams"] for row in rows]
    good = [s for s, row in zip(score, rows, strict=True) if row["label"] == 1]
    bad = [s for s, row in zip(score, rows, strict=True) if row["label"] == 0]
    wins = sum((g > b) + (g == b) / 2 for g in good for b in bad)
    assert wins / (len(good) * len(bad)) == pytest.approx(auc, abs=0.01)
