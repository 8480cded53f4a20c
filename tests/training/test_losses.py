"""Losses against values worked out by hand."""

import math

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.models


def batch(labels: list[int], relevance: list[int], targets: list[list[int]]) -> dict[str, object]:
    made = {"labels": labels, "relevance": relevance, "token_targets": targets}
    return {name: torch.tensor(value) for name, value in made.items()}


def test_two_way_rows_cost_the_probability_of_support() -> None:
    from groundwire.training.losses import losses

    logits = torch.tensor([[0.0, 0.0, 0.0, 5.0]])
    parts = losses(logits, torch.zeros(1, 2), batch([3], [-1], [[-1, -1]]))
    assert float(parts["entail"]) == pytest.approx(-math.log(2 / 3))
    assert float(parts["relevance"]) == 0
    assert float(parts["token"]) == 0


def test_heads_are_masked_apart() -> None:
    from groundwire.training.losses import TOKEN_POSITIVE, losses

    logits = torch.zeros(2, 4)
    parts = losses(logits, torch.zeros(2, 2), batch([0, -1], [-1, 1], [[1, 0], [-1, -1]]))
    assert float(parts["entail"]) == pytest.approx(math.log(3))
    assert float(parts["relevance"]) == pytest.approx(math.log(2))
    assert float(parts["token"]) == pytest.approx(math.log(2) * (TOKEN_POSITIVE + 1) / 2)
