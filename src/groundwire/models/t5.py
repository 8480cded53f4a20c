"""HHEM-2.1-Open in code of our own, so that no code of a checkpoint is ever run.

The checkpoint is a T5 v1.1 encoder (flan-t5-base) with a linear classifier on each token; the answer is that
classifier's output at token 0, which the prompt makes a literal, attended <pad> (model card, "Using HHEM-2.1-Open").
Its sizes are read from the weights; what weights do not tell (gated GELU, epsilon, the 128 tokens beyond which
relative positions are alike) are constants of T5 v1.1 (Raffel et al. 2020, arXiv 1910.10683; Shazeer 2020, arXiv
2002.05202). Left out: the decoder, dropout, training, and any other T5. Needs torch and transformers; import it
lazily.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import nn
from transformers import T5Config, T5EncoderModel

from groundwire.errors import CorruptModel

_TABLE = "transformer.shared.weight"
_TIED = "transformer.encoder.embed_tokens.weight"
_BLOCK = "transformer.encoder.block."
_ATTENTION = f"{_BLOCK}0.layer.0.SelfAttention"
_FEED_FORWARD = f"{_BLOCK}0.layer.1.DenseReluDense"


class FirstTokenClassifier(nn.Module):  # type: ignore[misc]
    """T5 encoder with a linear layer on its first token: ids and mask [n, length] → logits [n, labels]."""

    def __init__(self, config: Any, labels: int) -> None:
        super().__init__()
        self.transformer = T5EncoderModel(config)
        self.classifier = nn.Linear(config.d_model, labels)

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """Classify token 0 of each row."""
        hidden = self.transformer(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        return self.classifier(hidden[:, 0])


def load(folder: Path) -> FirstTokenClassifier:
    """Read a checkpoint folder (model.safetensors) into an evaluation-mode model in float32.

    Raises CorruptModel when a weight is missing, left over, or of another shape than the rest of them asks for.
    """
    weights = _weights(folder / "model.safetensors")
    # The table is stored once or twice, under either name; both names are one tensor here.
    tables = [weights.pop(name) for name in (_TABLE, _TIED) if name in weights]
    if not tables or any(not torch.equal(tables[0], table) for table in tables[1:]):
        raise CorruptModel("the checkpoint has no embedding table, or two that differ")
    try:
        model = FirstTokenClassifier(_config(weights, *tables[0].shape), weights["classifier.weight"].shape[0])
        model.load_state_dict({**weights, _TABLE: tables[0], _TIED: tables[0]}, strict=True)
    except (KeyError, RuntimeError) as error:
        problem = " ".join(str(error).split())
        raise CorruptModel(f"these are not the weights of a T5 token classifier: {problem}") from error
    model.eval()
    return model


def _weights(path: Path) -> dict[str, torch.Tensor]:
    """Read the weights of the T5 in the checkpoint's own class, where their names begin with "t5."."""
    try:
        stored = load_file(path)
    except (SafetensorError, OSError) as error:
        raise CorruptModel(f"{path.name} cannot be read: {error}") from error
    inner = {name: tensor for name, tensor in stored.items() if name.startswith("t5.")} or stored
    return {name.removeprefix("t5."): tensor.float() for name, tensor in inner.items()}


def _config(weights: Mapping[str, torch.Tensor], rows: int, width: int) -> T5Config:
    buckets, heads = weights[f"{_ATTENTION}.relative_attention_bias.weight"].shape
    config = T5Config(
        vocab_size=rows,
        d_model=width,
        d_kv=weights[f"{_ATTENTION}.q.weight"].shape[0] // heads,
        d_ff=weights[f"{_FEED_FORWARD}.wi_0.weight"].shape[0],
        num_layers=len({name.split(".")[3] for name in weights if name.startswith(_BLOCK)}),
        num_heads=heads,
        relative_attention_num_buckets=buckets,
        relative_attention_max_distance=128,
        layer_norm_epsilon=1e-6,
        dropout_rate=0.0,
        feed_forward_proj="gated-gelu",
        is_encoder_decoder=False,
        use_cache=False,
    )
    config._attn_implementation = "eager"
    return config
