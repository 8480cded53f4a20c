"""Pairs without labels: near passages, exchanged words, evidence that lacks a sentence."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytestmark = pytest.mark.models

from groundwire.training import transfer  # noqa: E402
from groundwire.training.batches import encode, load_tokenizer  # noqa: E402
from groundwire.training.ragged import Texts, apart  # noqa: E402
from groundwire.training.sample import UNKNOWN, Sample  # noqa: E402
from groundwire.training.transfer import MARK, NUMBER, PART, WORD, Pieces  # noqa: E402

WORDS = ["[PAD]", "##s", ".", "of", "1912", "1913", "1914", "river", "stream", "brook", "mill"]
STOP = 2


@pytest.fixture
def pieces(monkeypatch: pytest.MonkeyPatch) -> Pieces:
    monkeypatch.setattr(transfer, "NEIGHBOURS", 2)
    angles = torch.tensor([0.0, 3.0, 3.0, 0.1, 0.2, 0.25, 0.3, 1.0, 1.01, 1.02, 2.0])
    return Pieces.of(torch.stack((angles.cos(), angles.sin()), dim=1), WORDS)


def rng() -> Any:
    return np.random.default_rng(5)


def test_pieces_are_words_numbers_or_neither(pieces: Pieces) -> None:
    assert pieces.kinds.tolist() == [MARK, PART, MARK, MARK, *[NUMBER] * 3, *[WORD] * 4]


def test_neighbours_are_of_the_same_kind_and_never_the_piece_itself(pieces: Pieces) -> None:
    for n, kind in enumerate(pieces.kinds):
        if kind in (WORD, NUMBER):
            assert n not in pieces.near[n]
            assert set(pieces.kinds[pieces.near[n]]) == {kind}
    assert set(pieces.near[7]) == {8, 9}


def test_a_kind_with_too_few_members_is_left_alone() -> None:
    few = Pieces.of(torch.eye(3), ["river", "12", "13"])
    assert few.kinds.tolist() == [MARK, MARK, MARK]


def test_words_and_numbers_are_exchanged_for_their_kind_and_nothing_else(pieces: Pieces) -> None:
    text = np.array([7, 3, 5, 10, 1, STOP])
    claims, evidence = Texts.of([text] * 400), Texts.of([np.array([9, 6, STOP])] * 400)
    made = transfer.exchanged(claims, evidence, pieces, rng())
    changed = np.array([made[i] for i in range(400)])
    assert (changed[:, [1, 3, 4, 5]] == text[[1, 3, 4, 5]]).all(), "a mark, a word that goes on, its end, or a stop"
    assert set(changed[:, 0]) == {7, 8, 9}
    assert set(changed[:, 2]) == {4, 5, 6}
    assert 1.2 < (changed != text).sum(1).mean() < 1.8
    assert (text == claims[0]).all(), "the claims themselves stay"


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


def test_vectors_do_not_depend_on_the_company(network: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = Texts.of([np.arange(104, 104 + n) for n in (3, 9, 1, 5, 9)])
    together = transfer.vectors(network, texts)
    monkeypatch.setattr(transfer, "BUDGET", 12)
    assert torch.allclose(together.float(), transfer.vectors(network, texts).float(), atol=0.02)
    assert torch.equal(together[1], together[4])
