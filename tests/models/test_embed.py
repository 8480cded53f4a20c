from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from groundwire.errors import CorruptModel
from groundwire.models.config import Config, Side, TokenizerConfig
from groundwire.models.embed import EmbedModel
from groundwire.models.hftokenizer import Frame
from groundwire.models.memory import ScoreMemory
from groundwire.models.reading import Reading

CONFIG = Config(
    name="tiny",
    architecture="none",
    max_length=10,
    inputs=("input_ids", "attention_mask"),
    output="vectors",
    tokenizer=TokenizerConfig(kind="wordpiece", file="vocab.txt", lowercase=True),
    prompt=None,
    reading=Reading(),
)


class Letters:
    """Every letter is a token; 1 begins a text and 2 ends it."""

    frame = Frame(before=(1,), between=(2,), after=(2,), types=(0, 0, 0, 1, 1))

    def encode(self, text: str) -> list[int]:
        return [ord(letter) for letter in text]


class Sums:
    """vector = (number of tokens, sum of ids); counts its rows, and checks that padding is masked."""

    precision = "fp32"
    streams = 1

    def __init__(self) -> None:
        self.rows = 0

    def run(self, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
        ids, mask = arrays["input_ids"], arrays["attention_mask"]
        assert (ids[mask == 0] == 0).all()
        assert (ids[:, 0] == 1).all()
        assert not arrays["token_type_ids"].any()
        self.rows += len(ids)
        return np.stack([mask.sum(1), (ids * mask).sum(1)], axis=1).astype(np.float32)


def test_a_text_stands_between_the_first_and_the_last_special_token() -> None:
    vectors = EmbedModel(CONFIG, Letters(), Sums()).embed(["ab", "", "c"])
    assert vectors.tolist() == [[4, 1 + 97 + 98 + 2], [2, 3], [3, 1 + 99 + 2]]


def test_scores_are_dot_products_or_cosines() -> None:
    pairs = [("a", "b"), ("a", "a")]
    a, b = np.array([3.0, 100.0]), np.array([3.0, 101.0])
    assert EmbedModel(CONFIG, Letters(), Sums()).score(pairs) == pytest.approx([a @ b, a @ a])
    cosines = EmbedModel(CONFIG, Letters(), Sums(), cosine=True).score(pairs)
    assert cosines == pytest.approx([a @ b / np.linalg.norm(a) / np.linalg.norm(b), 1.0])


def test_a_text_is_embedded_once_however_often_it_stands() -> None:
    backend = Sums()
    EmbedModel(CONFIG, Letters(), backend).score([("query", passage) for passage in "abcabc"])
    assert backend.rows == 4


def test_what_was_scored_is_remembered_and_what_is_encoded_is_not() -> None:
    backend = Sums()
    model = EmbedModel(CONFIG, Letters(), backend)
    first = model.score([("query", "a"), ("query", "b")])
    assert model.score([("query", "b"), ("query", "a"), ("other", "a")])[:2] == first[::-1]
    assert backend.rows == 4
    model.encode(["a"], query=False)
    model.encode(["a"], query=False)
    assert backend.rows == 6


def test_a_text_is_remembered_by_its_side() -> None:
    backend = Sums()
    model = EmbedModel(SIDES, Letters(), backend)
    assert model.score([("AB", "AB")]) == model.score([("AB", "AB")])
    assert backend.rows == 2


def test_a_memory_of_nothing_remembers_nothing() -> None:
    backend = Sums()
    model = EmbedModel(CONFIG, Letters(), backend, memory=ScoreMemory(max_bytes=0))
    assert model.score([("a", "b")]) == model.score([("a", "b")])
    assert backend.rows == 4


def test_a_long_text_is_cut_and_says_so() -> None:
    model = EmbedModel(CONFIG, Letters(), Sums())
    assert model.truncated([("x" * 8, "x"), ("x", "x" * 9)]) == [False, True]
    assert model.embed(["x" * 8]).tolist() == model.embed(["x" * 99]).tolist()


SIDES = replace(CONFIG, query=Side(max_length=6, prefix="p:", lowercase=True), passage=Side(max_length=8))


def test_queries_and_passages_go_in_by_their_own_sides() -> None:
    model = EmbedModel(SIDES, Letters(), Sums())
    queries = model.encode(["AB", "ABCDEF"], query=True)
    assert queries.tolist() == [[6, 3 + sum(b"p:ab")]] * 2
    passages = model.encode(["AB", "ABCDEFGH"], query=False)
    assert passages.tolist() == [[4, 3 + sum(b"AB")], [8, 3 + sum(b"ABCDEF")]]
    assert model.cut(["AB", "ABC"], query=True) == [False, True]
    assert model.cut(["ABCDEF", "ABCDEFG"], query=False) == [False, True]
    assert queries.dtype == passages.dtype == np.float32


def test_scores_know_limits_and_case_but_no_prompt() -> None:
    model = EmbedModel(SIDES, Letters(), Sums())
    query, passage = np.array([4, 3 + sum(b"ab")]), np.array([4, 3 + sum(b"AB")])
    assert model.score([("AB", "AB")]) == [float(query @ passage)]
    assert model.truncated([("abcd", "abcdef"), ("abcde", ""), ("", "abcdefg")]) == [False, True, True]


def test_vectors_do_not_depend_on_batches_or_streams() -> None:
    class Three(Sums):
        streams = 3

    texts = ["x" * n for n in (3, 1, 8, 0, 5)]
    whole = EmbedModel(CONFIG, Letters(), Sums()).encode(texts, query=False)
    parted = EmbedModel(CONFIG, Letters(), Three(), budget=1).encode(texts, query=False)
    assert (whole == parted).all()


def test_nothing_in_nothing_out() -> None:
    model = EmbedModel(CONFIG, Letters(), Sums())
    assert model.score([]) == []
    assert model.embed([]).shape[0] == 0


def test_a_vector_that_is_not_finite_is_an_error() -> None:
    class Broken(Sums):
        def run(self, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
            return super().run(arrays) * np.float32("nan")

    with pytest.raises(CorruptModel, match="non-finite"):
        EmbedModel(CONFIG, Letters(), Broken()).embed(["a"])


def test_the_zero_vector_has_no_direction_and_no_nan() -> None:
    class Nothing(Sums):
        def run(self, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
            return super().run(arrays) * np.float32(0)

    assert EmbedModel(CONFIG, Letters(), Nothing(), cosine=True).score([("a", "b")]) == [0.0]
