"""Pairs without labels: near passages, evidence that lacks a sentence, and what they are made of."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")
pytestmark = pytest.mark.models

from groundwire.training import transfer  # noqa: E402
from groundwire.training.batches import encode, load_tokenizer  # noqa: E402
from groundwire.training.ragged import Texts, apart  # noqa: E402
from groundwire.training.sample import UNKNOWN, Sample  # noqa: E402


def rng() -> Any:
    return np.random.default_rng(5)


def test_one_sentence_is_missing() -> None:
    whole = Texts.of([np.array([7, 2001, 8, 2001, 9]), np.array([7, 8])])
    stopped = Texts(np.where(whole.tokens == 2001, transfer.STOP, whole.tokens), whole.starts)
    rests = {tuple(transfer.without_one(stopped, np.random.default_rng(n))[0]) for n in range(20)}
    stop = transfer.STOP
    assert rests == {(8, stop, 9), (7, stop, 9), (7, stop, 8, stop)}
    assert transfer.without_one(stopped, rng())[1].tolist() == [7, 8]


def test_pairs_of_the_texts_of_labelled_samples(tokenizer_file: Path, samples: Sequence[Sample], network: Any) -> None:
    data = encode(samples, load_tokenizer(tokenizer_file, 64), 64)
    words = [f"w{n}" for n in range(200)]
    made = transfer.transfer(data, network, words, 40, 3)
    again = transfer.transfer(data, network, words, 40, 3)
    assert made.tokens.tolist() == again.tokens.tolist(), "the seed decides"
    assert set(made.labels) == {UNKNOWN}
    assert 20 <= len(made.labels) <= 40
    _, claims, _, _ = apart(made)
    _, known_claims, _, of_claim = apart(data)
    texts = {known_claims[i].tobytes() for i in range(len(known_claims))}
    assert all(claims[i].tobytes() in texts for i in range(len(claims))), "no word of these has a neighbour"
    question = known_claims[of_claim[-1]].tobytes()
    assert question not in {claims[i].tobytes() for i in range(len(claims))}, "what has no label is no claim"
