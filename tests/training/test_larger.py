"""The larger network reads BERT's tokens as MPNet itself would."""

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.models

from transformers import MPNetConfig  # noqa: E402

from groundwire.errors import CorruptModel, InputError  # noqa: E402
from groundwire.training.larger import LargerNetwork, from_folder, renumbered  # noqa: E402

IDS = torch.tensor([[101, 5, 6, 7, 102, 5, 8, 9, 102], [101, 5, 6, 102, 9, 102, 0, 0, 0]])
MASK = torch.tensor([[1] * 9, [1] * 6 + [0] * 3])
TYPES = torch.tensor([[0] * 5 + [1] * 4, [0] * 4 + [1] * 2 + [0] * 3])


def small() -> LargerNetwork:
    torch.manual_seed(3)
    return LargerNetwork(
        MPNetConfig(vocab_size=130, hidden_size=64, num_hidden_layers=2, num_attention_heads=2, intermediate_size=128)
    ).eval()


def test_word_pieces_stand_behind_four_markers() -> None:
    assert renumbered(IDS, MASK)[1].tolist() == [0, 9, 10, 2, 13, 2, 1, 1, 1]


def test_states_are_those_of_mpnet_while_shared_runs_say_nothing() -> None:
    network = small()
    found = network.states(IDS, MASK, TYPES)
    wanted = network.body(input_ids=renumbered(IDS, MASK), attention_mask=MASK).last_hidden_state
    assert (found - wanted)[MASK.bool()].abs().max() < 0.05
    assert (found - wanted)[MASK.bool()].abs().mean() < 0.01


def test_which_text_a_token_is_of_is_seen_once_the_runs_are_learnt() -> None:
    network = small()
    before = network(IDS, MASK, TYPES)[0]
    torch.nn.init.normal_(network.shared.weight)
    assert not torch.allclose(network(IDS, MASK, TYPES)[0], before, atol=0.05)


def test_everything_but_words_and_distances_is_trained() -> None:
    network = small()
    pair, token = network(IDS, MASK, TYPES)
    (pair.square().sum() + token.square().sum()).backward()
    still = [name for name, p in network.named_parameters() if p.grad is None]
    assert still == ["body.embeddings.word_embeddings.weight", "body.encoder.relative_attention_bias.weight"]


def test_another_folder_is_no_teacher(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no model"):
        from_folder(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(CorruptModel, match="is not all-mpnet-base-v2"):
        from_folder(tmp_path)
