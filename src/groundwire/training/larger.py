"""A larger network that reads the same tokens, to teach the built-in one: the body of all-mpnet-base-v2 under the same heads.

MPNet (Song et al. 2020) has the word pieces of BERT behind four markers of its own, so a pair that is encoded for the one is
encoded for the other. It knows no token types: which text a token is of it sees by the embedding of shared runs.
Leaves out: what it is asked (`taught`). Imports torch and transformers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import nn
from transformers import MPNetConfig, MPNetModel

from groundwire.errors import CorruptModel, InputError
from groundwire.training.layers import layered, mpnet_blocks
from groundwire.training.network import CLS, RUNS, SEP, PairNetwork, shared_runs
from groundwire.training.rounding import comes_from

SHA256 = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"
BEGIN, PADDING, END, MARKERS = 0, 1, 2, 4
"""MPNet's <s>, <pad> and </s>, and by how many ids its markers put off the word pieces."""


class LargerNetwork(PairNetwork):
    """As PairNetwork, on an MPNet body: the same inputs and outputs. Its layers are always computed in
    bf16, and what it knows of distances stays as it is: fused attention has no gradient for that."""

    def __init__(self, config: Any) -> None:
        nn.Module.__init__(self)
        self.body = MPNetModel(config, add_pooling_layer=False)
        self.body.encoder.relative_attention_bias.weight.requires_grad_(False)
        self._add_heads(config.hidden_size)

    def states(self, input_ids: Any, attention_mask: Any, token_type_ids: Any) -> Any:
        """The body's last states [batch, length, hidden]."""
        embeddings = self.body.embeddings
        places = torch.arange(PADDING + 1, PADDING + 1 + input_ids.shape[1], device=input_ids.device)[None]
        run = shared_runs(input_ids, attention_mask, token_type_ids)
        words = embeddings.word_embeddings(renumbered(input_ids, attention_mask))
        found = words + embeddings.position_embeddings(places) + self.shared(run + RUNS * token_type_ids)
        embedded = embeddings.LayerNorm(found)
        distances = self.body.encoder.compute_position_bias(embedded[:1])
        heads = self.body.config.num_attention_heads
        return layered(mpnet_blocks(self.body), heads, embedded, attention_mask, distances)


def renumbered(input_ids: Any, attention_mask: Any) -> Any:
    """BERT's ids as MPNet counts them, int64 [batch, length]."""
    ids = torch.where(input_ids == CLS, BEGIN, torch.where(input_ids == SEP, END, input_ids + MARKERS))
    return torch.where(attention_mask == 0, PADDING, ids)


def larger_weights(folder: Path) -> Path:
    """The verified weights of all-mpnet-base-v2 in a folder.

    Raises InputError where the folder holds no such model, CorruptModel where its weights are others.
    """
    path = folder / "model.safetensors"
    if not path.is_file():
        raise InputError(
            f"{folder} holds no model.safetensors", "the folder of sentence-transformers/all-mpnet-base-v2"
        )
    if not comes_from(path, SHA256):
        raise CorruptModel(f"{path} is not all-mpnet-base-v2", "get sentence-transformers/all-mpnet-base-v2 again")
    return path


def from_folder(folder: Path) -> LargerNetwork:
    """The network with the body of all-mpnet-base-v2 (Apache-2.0) and fresh heads (seed the generator before).

    Raises as `larger_weights` does.
    """
    from safetensors.torch import load_file

    path = larger_weights(folder)
    network = LargerNetwork(MPNetConfig.from_pretrained(folder))
    weights = {k: v for k, v in load_file(path).items() if "pooler" not in k and "position_ids" not in k}
    network.body.load_state_dict(weights, strict=False)
    return network
