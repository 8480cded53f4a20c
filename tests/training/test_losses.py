"""Losses against values worked out by hand."""

import math

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.models


def batch(
    labels: list[int], relevance: list[int], targets: list[list[int]], taught: list[tuple[float, ...]] | None = None
) -> dict[str, object]:
    made = {
        "labels": labels,
        "relevance": relevance,
        "token_targets": targets,
        "taught": taught or [(0.0,) * 3 for _ in labels],
    }
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


def test_what_a_larger_model_reads_is_mixed_with_the_label_and_stands_alone_without_one() -> None:
    from groundwire.training.losses import TAUGHT_WEIGHT, losses

    logits = torch.tensor([[2.0, 0.0, -1.0, 0.0]])
    logp = torch.log_softmax(logits[0, :3], 0)
    taught = (0.5, 0.2, 0.3)
    soft = -sum(p * float(q) for p, q in zip(taught, logp, strict=True))
    for label, wanted in ((-1, soft), (1, TAUGHT_WEIGHT * soft - (1 - TAUGHT_WEIGHT) * float(logp[1]))):
        parts = losses(logits, torch.zeros(1, 2), batch([label], [-1], [[-1, -1]], [taught]))
        assert float(parts["entail"]) == pytest.approx(wanted)


def test_relevance_and_tokens_are_learned_from_a_reading_where_nothing_is_known() -> None:
    from groundwire.training.losses import TAUGHT_WEIGHT, TOKEN_POSITIVE, losses

    made = batch([-1, -1], [-1, 1], [[-1, -1, -1], [-1, 1, -1]], [(0.5, 0.2, 0.3)] * 2)
    made["input_ids"] = torch.tensor([[101, 7, 102], [101, 8, 102]])
    made["token_type_ids"] = torch.tensor([[0, 1, 1], [0, 1, 1]])
    made["relevance_taught"] = torch.tensor([0.25, 0.25])
    made["token_taught"] = torch.full((2, 3), 0.5)
    logits = torch.zeros(2, 4)
    logits[:, 3] = 1.0
    parts = losses(logits, torch.zeros(2, 3), made)
    yes, no = math.log(1 + math.exp(-1)), math.log(1 + math.exp(1))
    soft = 0.25 * yes + 0.75 * no
    assert float(parts["relevance"]) == pytest.approx((soft + (1 - TAUGHT_WEIGHT) * yes + TAUGHT_WEIGHT * soft) / 2)
    known = (1 - TAUGHT_WEIGHT) * TOKEN_POSITIVE * math.log(2) + TAUGHT_WEIGHT * math.log(2)
    assert float(parts["token"]) == pytest.approx((math.log(2) + known) / 2)
