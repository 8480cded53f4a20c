"""monoT5 and duoT5 without a network: how inputs are built and answers read. `test_retrieval_models` has the networks."""

from collections.abc import Mapping
from itertools import permutations

import numpy as np
import pytest

from groundwire.errors import CorruptModel
from groundwire.models.config import Config, TokenizerConfig
from groundwire.models.hftokenizer import Frame
from groundwire.models.pair import PairModel
from groundwire.models.reading import Reading, RelevanceReading
from groundwire.models.seq2seq import DuoT5, MonoT5
from groundwire.protocols import RelevanceScorer

QUERY, DOCUMENT, FIRST, SECOND, RELEVANT, END = 200, 201, 202, 203, 204, 1
CONFIG = Config(
    name="tiny",
    architecture="t5",
    max_length=20,
    inputs=("input_ids", "attention_mask"),
    output="answer",
    tokenizer=TokenizerConfig(kind="tokenizer_json", file="tokenizer.json", lowercase=False),
    prompt="",
    reading=Reading(relevance=RelevanceReading(column=0)),
)


class Letters:
    """Every letter is a token."""

    def __init__(self, *around: tuple[int, ...]) -> None:
        self.around = around
        self.frame = Frame(before=around[0], between=around[1], after=around[2], types=(0, 0, 0, 0, 0))

    def encode(self, text: str) -> list[int]:
        return [ord(letter) for letter in text]


MONO = Letters((QUERY,), (DOCUMENT,), (RELEVANT, END))
DUO = Letters((QUERY,), (FIRST,), (SECOND,), (RELEVANT, END))


class Recorder:
    """Keeps each row without its padding; logit of true: mean of the odd places, of false: of the even ones, ÷ 100."""

    precision = "fp32"

    def __init__(self, streams: int = 1) -> None:
        self.rows: list[list[int]] = []
        self.streams = streams

    def run(self, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
        ids, mask = arrays["input_ids"], arrays["attention_mask"]
        assert (ids[mask == 0] == 0).all()
        rows = [row[kept > 0].tolist() for row, kept in zip(ids, mask, strict=True)]
        self.rows += rows
        return np.array([[sum(r[1::2]) / len(r), sum(r[::2]) / len(r)] for r in rows], dtype=np.float32) / 100


def logits(row: list[int]) -> tuple[float, float]:
    return sum(row[1::2]) / len(row) / 100, sum(row[::2]) / len(row) / 100


def mono(backend: Recorder) -> MonoT5:
    return MonoT5(PairModel(CONFIG, MONO, backend))


def duo(backend: Recorder, **more: int) -> DuoT5:
    return DuoT5(CONFIG, DUO, backend, **more)


def test_mono_scores_the_logarithm_of_the_probability_of_true() -> None:
    backend = Recorder()
    model: RelevanceScorer = mono(backend)
    found = model.score([("ab", "xyz"), ("c", "")])
    rows = [[QUERY, 97, 98, DOCUMENT, 120, 121, 122, RELEVANT, END], [QUERY, 99, DOCUMENT, RELEVANT, END]]
    assert sorted(backend.rows) == sorted(rows)
    expected = [np.exp(t) / (np.exp(t) + np.exp(f)) for t, f in map(logits, rows)]
    assert found == pytest.approx(np.log(expected), abs=1e-6)
    assert max(found) < 0
    assert model.score([]) == []


def test_mono_cuts_the_document_and_never_what_follows_it() -> None:
    backend = Recorder()
    model = mono(backend)
    pairs = [("ab", "x" * 99), ("q" * 99, "x"), ("ab", "x" * 14)]
    model.score(pairs)
    assert [row[-2:] for row in backend.rows] == [[RELEVANT, END]] * 3
    assert max(map(len, backend.rows)) == 20
    assert model.truncated(pairs) == [True, True, False]
    assert next(row for row in backend.rows if row[1] == 97)[:4] == [QUERY, 97, 98, DOCUMENT]


def test_a_sure_answer_has_no_infinite_score() -> None:
    class Sure(Recorder):
        def run(self, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
            return np.array([[-2000.0, 2000.0]] * len(arrays["input_ids"]), dtype=np.float32)

    assert mono(Sure()).score([("a", "b")]) == [-4000.0]
    assert duo(Sure()).prefer("a", ["b", "c"]) == [1.0, 1.0]


def test_duo_sums_both_orders_of_every_pair() -> None:
    backend, texts = Recorder(), ["x", "yy", "zzz"]
    found = duo(backend).prefer("q", texts)
    assert len(backend.rows) == 6
    p = {}
    for i, j in permutations(range(3), 2):
        row = [QUERY, 113, FIRST, *map(ord, texts[i]), SECOND, *map(ord, texts[j]), RELEVANT, END]
        assert row in backend.rows
        true, false = logits(row)
        p[i, j] = 1 / (1 + np.exp(false - true))
    assert found == pytest.approx([sum(p[i, j] + 1 - p[j, i] for j in range(3) if j != i) for i in range(3)], abs=1e-6)
    # Each pair gives 2 to its two texts together.
    assert sum(found) == pytest.approx(6)


def test_duo_has_nothing_to_compare_one_text_with() -> None:
    backend = Recorder()
    assert duo(backend).prefer("q", []) == []
    assert duo(backend).prefer("q", ["x"]) == [0.0]
    assert duo(backend).prefer("q", ["x", "x"]) == pytest.approx([1.0, 1.0])


@pytest.mark.parametrize(
    ("lengths", "kept"),
    [
        ((6, 7), (6, 7)),
        ((40, 50), (6, 6)),
        ((2, 50), (2, 11)),
        ((50, 2), (11, 2)),
        ((7, 7), (6, 6)),
        ((0, 13), (0, 13)),
    ],
)
def test_duo_gives_both_documents_the_same_room(lengths: tuple[int, int], kept: tuple[int, int]) -> None:
    backend = Recorder()
    texts = ["x" * lengths[0], "y" * lengths[1]]
    model = duo(backend)
    model.compare("qq", texts)  # of 20 tokens 5 are the prompt's and 2 the query's
    row = next(row for row in backend.rows if row.index(SECOND) == 4 + kept[0])
    assert row == [QUERY, 113, 113, FIRST, *[120] * kept[0], SECOND, *[121] * kept[1], RELEVANT, END]
    assert model.truncated("qq", texts) == [lengths[0] > kept[0], lengths[1] > kept[1]]


def test_duo_cuts_a_query_that_alone_is_too_long() -> None:
    backend = Recorder()
    duo(backend).compare("q" * 99, ["x", "y"])
    assert backend.rows == [[QUERY, *[113] * 15, FIRST, SECOND, RELEVANT, END]] * 2


def test_duo_does_not_depend_on_batches_or_streams() -> None:
    texts = ["a" * n for n in (1, 5, 3, 9, 2)]
    whole = duo(Recorder()).prefer("q", texts)
    assert duo(Recorder(streams=3), budget=1).prefer("q", texts) == whole
    assert duo(Recorder()).prefer("q", texts[::-1]) == pytest.approx(whole[::-1])


def test_what_is_no_answer_is_an_error() -> None:
    class Broken(Recorder):
        def run(self, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
            return super().run(arrays) * np.float32("nan")

    with pytest.raises(CorruptModel, match="finite"):
        duo(Broken()).prefer("q", ["x", "y"])
    with pytest.raises(CorruptModel, match="finite"):
        mono(Broken()).score([("q", "x")])
    with pytest.raises(CorruptModel, match="two documents"):
        DuoT5(CONFIG, MONO, Recorder())
