"""The network's shapes, and what it must not depend on: padding."""

from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.models

from groundwire.training.network import shared_runs  # noqa: E402

IDS = [101, 110, 111, 112, 102, 113, 114, 102]
TYPES = [0, 0, 0, 0, 0, 1, 1, 1]


def run(network: Any, pad: int, ids: list[int] = IDS) -> tuple[Any, Any]:
    row = torch.tensor([ids + [0] * pad])
    mask = torch.tensor([[1] * len(ids) + [0] * pad])
    types = torch.tensor([TYPES + [0] * pad])
    with torch.no_grad():
        logits, tokens = network(row, mask, types)
    return logits, tokens[:, : len(ids)]


def test_shapes_and_padding(network: Any) -> None:
    logits, tokens = run(network, 0)
    assert logits.shape == (1, 4)
    assert tokens.shape == (1, len(IDS))
    padded = run(network, 5)
    assert torch.allclose(logits, padded[0], atol=1e-5)
    assert torch.allclose(tokens, padded[1], atol=1e-5)


def test_a_pair_without_a_claim_is_finite(network: Any) -> None:
    empty = torch.tensor([[101, 110, 102, 102]])
    with torch.no_grad():
        logits, _ = network(empty, torch.ones_like(empty), torch.tensor([[0, 0, 0, 1]]))
    assert torch.isfinite(logits).all()


def test_word_embeddings_are_frozen(network: Any) -> None:
    frozen = [name for name, p in network.named_parameters() if not p.requires_grad]
    assert frozen == ["body.embeddings.word_embeddings.weight"]


def test_shared_runs_by_hand() -> None:
    ids = torch.tensor([[101, 5, 6, 7, 8, 9, 102, 6, 7, 9, 4, 102, 0], [101, 5, 6, 7, 102, 5, 6, 7, 102, 0, 0, 0, 0]])
    mask = (ids > 0).long()
    types = torch.zeros_like(ids)
    types[0, 7:12] = 1
    types[1, 5:9] = 1
    assert shared_runs(ids, mask, types).tolist() == [
        [0, 0, 2, 2, 0, 1, 0, 2, 2, 1, 0, 0, 0],
        [0, 3, 3, 3, 0, 3, 3, 3, 0, 0, 0, 0, 0],
    ]


def test_a_text_does_not_match_itself() -> None:
    ids = torch.tensor([[101, 5, 5, 5, 102, 9, 9, 102]])
    types = torch.tensor([[0, 0, 0, 0, 0, 1, 1, 1]])
    assert not shared_runs(ids, torch.ones_like(ids), types).any()
