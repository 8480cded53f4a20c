"""The layers in bf16 say what the body's own say, and give their gradients to the same fp32 weights."""

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.models

from groundwire.training.layers import bert_blocks, layered  # noqa: E402
from groundwire.training.network import PairNetwork, body_config  # noqa: E402

MASK = torch.tensor([[1] * 9, [1] * 6 + [0] * 3])
IDS = torch.tensor([[101, 5, 6, 7, 102, 5, 8, 9, 102], [101, 5, 6, 102, 9, 102, 0, 0, 0]])
TYPES = torch.tensor([[0] * 5 + [1] * 4, [0] * 4 + [1] * 2 + [0] * 3])


def pair(attention: str) -> PairNetwork:
    torch.manual_seed(3)
    return PairNetwork(body_config(layers=2, hidden=64, vocabulary=120), attention)


def test_states_are_the_bodys_own_to_two_digits() -> None:
    body = pair("eager").body
    embedded = body.embeddings(input_ids=IDS, token_type_ids=TYPES)
    wanted = body(inputs_embeds=body.embeddings.word_embeddings(IDS), attention_mask=MASK, token_type_ids=TYPES)
    found = layered(bert_blocks(body), body.config.num_attention_heads, embedded, MASK)
    assert found.dtype == torch.float32
    real = MASK.bool()
    assert (found - wanted.last_hidden_state)[real].abs().max() < 0.05
    assert (found - wanted.last_hidden_state)[real].abs().mean() < 0.01


def test_padding_changes_nothing() -> None:
    network = pair("bf16")
    alone = network(IDS[1:, :6], MASK[1:, :6], TYPES[1:, :6])[0]
    assert torch.allclose(network(IDS, MASK, TYPES)[0][1:], alone, atol=0.02)


def test_gradients_point_where_those_of_fp32_point() -> None:
    found = []
    for attention in ("eager", "bf16"):
        network = pair(attention)
        network(IDS, MASK, TYPES)[0].square().sum().backward()
        found.append({n: p.grad for n, p in network.named_parameters() if p.requires_grad})
    assert found[0].keys() == found[1].keys()
    for name, wanted in found[0].items():
        if wanted.norm() < 1e-4:  # a key's bias shifts every score alike, so its gradient is nothing but rounding
            continue
        got = found[1][name]
        assert got.dtype == torch.float32
        assert torch.cosine_similarity(wanted.flatten(), got.flatten(), dim=0) > 0.98, name
