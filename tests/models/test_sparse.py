from collections.abc import Mapping

import numpy as np
import pytest

from groundwire.errors import CorruptModel
from groundwire.models.config import Config, Impact, Side, TokenizerConfig
from groundwire.models.hftokenizer import Frame
from groundwire.models.reading import Reading
from groundwire.models.sparse import SparseEncoder

FIFTHS = Impact(range=5, levels=256)


def config(impact: Impact | None = FIFTHS) -> Config:
    return Config(
        name="tiny",
        architecture="none",
        max_length=8,
        inputs=("input_ids", "attention_mask"),
        output="terms",
        tokenizer=TokenizerConfig(kind="wordpiece", file="vocab.txt", lowercase=True),
        prompt=None,
        reading=Reading(),
        query=Side(max_length=4),
        impact=impact,
    )


class Letters:
    """The digits are the tokens; 1 begins a text and 2 ends it."""

    frame = Frame(before=(1,), between=(2,), after=(2,), types=(0, 0, 0, 1, 1))
    vocabulary = ("[PAD]", "[CLS]", "[SEP]", "three", "four", "five", "##six", "seven")

    def encode(self, text: str) -> list[int]:
        return [int(letter) for letter in text]


class Counts:
    """A term's weight is how often it stands, divided by ten; two columns more than there are terms."""

    precision = "fp32"
    streams = 1

    def __init__(self, scale: float = 0.1) -> None:
        self.scale = scale

    def run(self, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
        rows = zip(arrays["input_ids"], arrays["attention_mask"], strict=True)
        counts = np.stack([np.bincount(ids[mask > 0], minlength=10)[:10] for ids, mask in rows])
        counts[:, 9] = 7
        return (counts * self.scale).astype(np.float32)


def test_terms_are_those_over_zero_with_the_special_ones() -> None:
    found = SparseEncoder(config(), Letters(), Counts()).encode(["335", "", "6"], query=False)
    assert found == [
        {
            "[CLS]": pytest.approx(0.1),
            "[SEP]": pytest.approx(0.1),
            "three": pytest.approx(0.2),
            "five": pytest.approx(0.1),
        },
        {"[CLS]": pytest.approx(0.1), "[SEP]": pytest.approx(0.1)},
        {"[CLS]": pytest.approx(0.1), "[SEP]": pytest.approx(0.1), "##six": pytest.approx(0.1)},
    ]
    assert list(found[0]) == ["[CLS]", "[SEP]", "three", "five"]


def test_of_a_query_less_is_read() -> None:
    model = SparseEncoder(config(), Letters(), Counts())
    assert "five" not in model.encode(["345"], query=True)[0]
    assert "five" in model.encode(["345"], query=False)[0]
    assert model.cut(["345", "34"], query=True) == [True, False]
    assert model.cut(["345", "3333333"], query=False) == [False, True]


@pytest.mark.parametrize(
    ("impact", "scale", "expected"),
    [
        (Impact(range=5, levels=256), 1.0, 51),  # 51.2
        (Impact(range=1, levels=100), 0.125, 12),  # 12.5: halves to the even number
        (Impact(range=1, levels=100), 0.375, 38),  # 37.5
    ],
)
def test_impacts_are_whole_numbers(impact: Impact, scale: float, expected: int) -> None:
    found = SparseEncoder(config(impact), Letters(), Counts(scale)).impacts(["3"], query=False)
    assert found[0]["three"] == expected
    assert type(found[0]["three"]) is int


def test_an_impact_of_zero_is_no_term() -> None:
    model = SparseEncoder(config(Impact(range=1, levels=100)), Letters(), Counts(0.003))
    assert model.encode(["33"], query=True)[0].keys() == {"[CLS]", "[SEP]", "three"}
    assert model.impacts(["33"], query=True) == [{"three": 1}]


def test_nothing_in_nothing_out() -> None:
    model = SparseEncoder(config(), Letters(), Counts())
    assert model.encode([], query=True) == model.impacts([], query=False) == []


def test_what_cannot_be_read_is_an_error() -> None:
    class Narrow(Counts):
        def run(self, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
            return super().run(arrays)[:, :5]

    with pytest.raises(CorruptModel, match="5 terms of 8"):
        SparseEncoder(config(), Letters(), Narrow()).encode(["3"], query=True)
    with pytest.raises(CorruptModel, match="finite"):
        SparseEncoder(config(), Letters(), Counts(float("nan"))).encode(["3"], query=True)
    with pytest.raises(CorruptModel, match="impacts"):
        SparseEncoder(config(None), Letters(), Counts())
