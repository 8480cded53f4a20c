"""What is read off a network: torch modules with one output, traced into the ONNX file.

Each takes input_ids, attention_mask and, where the model has them, token_type_ids ([n, length], int64). No row's output
depends on its padding or on the other rows. Left out: loading weights into the networks (`network`), HHEM-2.1 (`t5`).
Needs torch; import it lazily.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import nn

from groundwire.errors import CorruptModel
from groundwire.models.sentence import Layout, Pooling, Step


class Head(nn.Module):  # type: ignore[misc]
    """A network, and what is made of its answer."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def ask(self, ids: Any, mask: Any, types: Any) -> Any:
        """Run the network."""
        if types is None:
            return self.model(input_ids=ids, attention_mask=mask)
        return self.model(input_ids=ids, attention_mask=mask, token_type_ids=types)


class Logits(Head):
    """A sequence classifier's logits, [n, k]."""

    def forward(self, ids: Any, mask: Any, types: Any = None) -> Any:
        """Classify each row."""
        return self.ask(ids, mask, types).logits


class Terms(Head):
    """SPLADE: a weight for each entry of the vocabulary, log(1 + the largest logit that any attended token gives it), 0 for
    one below 0; [n, v]. As the maximum of the logarithms, because both only grow (Formal et al. 2021, arXiv 2109.10086).
    """

    def forward(self, ids: Any, mask: Any, types: Any = None) -> Any:
        """Weigh the vocabulary for each row."""
        logits = self.ask(ids, mask, types).logits * mask.unsqueeze(-1).to(torch.float32)
        return torch.log1p(torch.relu(logits.amax(dim=1)))


class Answer(nn.Module):  # type: ignore[misc]
    """The logits of two words as the first that a T5 says, [n, len(words)]; the decoder starts with its start token.

    Only these rows of the output matrix are kept: the whole would be a tenth of the file.
    """

    def __init__(self, model: Any, words: Sequence[int]) -> None:
        super().__init__()
        self.encoder, self.decoder = model.encoder, model.decoder
        self.scale = float(model.model_dim**-0.5) if model.config.scale_decoder_outputs else 1.0
        self.start = int(model.config.decoder_start_token_id)
        self.words = nn.Parameter(model.lm_head.weight[list(words)].detach().clone())

    def forward(self, ids: Any, mask: Any, types: Any = None) -> Any:
        """Answer each row."""
        read = self.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        said = self.decoder(
            input_ids=torch.full_like(ids[:, :1], self.start),
            encoder_hidden_states=read,
            encoder_attention_mask=mask,
            use_cache=False,
        ).last_hidden_state
        return (said[:, 0] * self.scale) @ self.words.T


class Vector(Head):
    """An encoder's vector of a text, [n, d]: its tokens' vectors pooled, then the steps."""

    def __init__(self, model: nn.Module, pooling: Pooling = "cls", steps: Sequence[nn.Module] = ()) -> None:
        super().__init__(model)
        self.pooling = pooling
        self.steps = nn.Sequential(*steps)

    def forward(self, ids: Any, mask: Any, types: Any = None) -> Any:
        """Encode each row."""
        hidden = self.ask(ids, mask, types).last_hidden_state
        return self.steps(self._pooled(hidden, mask.unsqueeze(-1).to(torch.float32)))

    def _pooled(self, hidden: Any, mask: Any) -> Any:
        if self.pooling == "cls":
            return hidden[:, 0]
        if self.pooling == "mean":
            return (hidden * mask).sum(dim=1) / mask.sum(dim=1)
        return (hidden - (1 - mask) * _FAR).amax(dim=1)


_FAR = 1e9


class Unit(nn.Module):  # type: ignore[misc]
    """Divides a vector by its length."""

    def forward(self, vectors: Any) -> Any:
        """Return vectors of length 1; the zero vector stays."""
        return nn.functional.normalize(vectors, p=2, dim=1)


def ance(folder: Path, width: int) -> list[nn.Module]:
    """Read ANCE's two steps from its checkpoint, a linear layer and a layer norm (Xiong et al. 2021, arXiv 2007.00808).

    Raises CorruptModel when they are not there or of another width.
    """
    weights = _weights(folder / "model.safetensors")
    linear = _part(weights, "embeddingHead")
    return [_dense(linear, width, "embeddingHead"), _norm(_part(weights, "norm"), len(linear["weight"]), "norm")]


def steps(folder: Path, layout: Layout, width: int) -> list[nn.Module]:
    """Read the steps of a sentence encoder. Raises CorruptModel for weights that are not there or do not fit."""
    made: list[nn.Module] = []
    for step in layout.steps:
        found = _step(folder, step, width)
        made += found
        width = next((part.out_features for part in found if isinstance(part, nn.Linear)), width)
    return made


def _step(folder: Path, step: Step, width: int) -> list[nn.Module]:
    if step.kind == "normalize":
        return [Unit()]
    weights = _weights(folder / step.folder / "model.safetensors")
    if step.kind == "layernorm":
        return [_norm(_part(weights, "norm"), width, step.folder)]
    return [_dense(_part(weights, "linear"), width, step.folder), *([nn.Tanh()] if step.tanh else [])]


def _dense(weights: dict[str, Any], width: int, name: str) -> nn.Module:
    rows = len(weights["weight"]) if "weight" in weights else 0
    return _filled(nn.Linear(width, rows, bias="bias" in weights), weights, name)


def _norm(weights: dict[str, Any], width: int, name: str) -> nn.Module:
    return _filled(nn.LayerNorm(width), weights, name)


def _filled(module: nn.Module, weights: dict[str, Any], name: str) -> nn.Module:
    try:
        module.load_state_dict(weights, strict=True)
    except RuntimeError as error:
        raise CorruptModel(f"{name} does not fit the checkpoint: {' '.join(str(error).split())[:200]}") from error
    return module


def _part(weights: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the weights of a module, by their names in it; a checkpoint may put its own name before."""
    found = {}
    for key, tensor in weights.items():
        path = key.split(".")
        if path[-2] == name and len(path) <= 3:
            found[path[-1]] = tensor
    if "weight" not in found:
        raise CorruptModel(f"the checkpoint has no weights {name}")
    return found


def _weights(path: Path) -> dict[str, Any]:
    try:
        return {name: tensor.float() for name, tensor in load_file(path).items()}
    except (SafetensorError, OSError) as error:
        raise CorruptModel(f"{path.parent.name}/{path.name} cannot be read: {error}") from error
