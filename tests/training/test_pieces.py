"""Words and numbers among word pieces, their neighbours, and claims in which some are exchanged."""

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.models

from groundwire.training import pieces as pieces_  # noqa: E402
from groundwire.training.pieces import MARK, NUMBER, PART, WORD, Pieces, exchanged  # noqa: E402
from groundwire.training.ragged import Texts  # noqa: E402

WORDS = ["[PAD]", "##s", ".", "of", "1912", "1913", "1914", "river", "stream", "brook", "mill"]
STOP = 2


@pytest.fixture
def pieces(monkeypatch: pytest.MonkeyPatch) -> Pieces:
    monkeypatch.setattr(pieces_, "NEIGHBOURS", 2)
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
    made = exchanged(claims, evidence, pieces, rng())
    changed = np.array([made[i] for i in range(400)])
    assert (changed[:, [1, 3, 4, 5]] == text[[1, 3, 4, 5]]).all(), "a mark, a word that goes on, its end, or a stop"
    assert set(changed[:, 0]) == {7, 8, 9}
    assert set(changed[:, 2]) == {4, 5, 6}
    assert 1.2 < (changed != text).sum(1).mean() < 1.8
    assert (text == claims[0]).all(), "the claims themselves stay"
