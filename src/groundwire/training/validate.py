"""Validation curves: the network over held-out samples, figures by source and by operator.

Leaves out: the evaluation sets, which no training run reads. Imports torch.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from groundwire.training.batches import Encoded, tensors
from groundwire.training.metrics import auc, caught, f1
from groundwire.training.sample import NEI, NOT_SUPPORTED, SUPPORTS, UNKNOWN, Sample

Forward = Callable[[dict[str, Any]], tuple[Any, Any]]
"""A batch of tensors → (logits [n, 4], token_logits [n, length]) as numpy arrays."""


def torch_forward(network: Any) -> Forward:
    """The network as a Forward, without gradients."""
    import torch

    def forward(batch: dict[str, Any]) -> tuple[Any, Any]:
        with torch.no_grad():
            logits, tokens = network(batch["input_ids"], batch["attention_mask"], batch["token_type_ids"])
        return logits.float().cpu().numpy(), tokens.float().cpu().numpy()

    return forward


def predict(forward: Forward, data: Encoded, batches: Sequence[Any], device: str = "cpu") -> tuple[Any, list[Any]]:
    """Logits [samples, 4] in sample order, and each sample's token logits over its own length."""
    logits = np.zeros((len(data.labels), 4), dtype=np.float32)
    token_logits: list[Any] = [None] * len(data.labels)
    for batch in batches:
        pair, token = forward(tensors(data, batch, device))
        logits[batch] = pair
        for row, index in enumerate(batch):
            token_logits[index] = token[row, : data.sizes(index)]
    return logits, token_logits


def supports_of(logits: Any) -> Any:
    """p(supports), [samples] in [0, 1], from logits [samples, 4]."""
    shifted = np.exp(logits[:, :3] - logits[:, :3].max(1, keepdims=True))
    return shifted[:, 0] / shifted.sum(1)


def figures(samples: Sequence[Sample], data: Encoded, logits: Any, token_logits: Sequence[Any]) -> dict[str, Any]:
    """AUC of supports by source and by operator, three-way accuracy, relevance AUC, token F1 of edits, edits caught."""
    scores = supports_of(logits)
    groups: dict[str, list[int]] = defaultdict(list)
    for i, sample in enumerate(samples):
        if sample.label != UNKNOWN:
            groups[f"op:{sample.operator}" if sample.operator else sample.source].append(i)
    by_group = {name: auc([float(scores[i]) for i in found], _good(data, found)) for name, found in groups.items()}
    three = np.flatnonzero((data.labels >= SUPPORTS) & (data.labels <= NEI))
    related = np.flatnonzero(data.relevance != UNKNOWN)
    everything = [i for found in groups.values() for i in found]
    numbers = [i for name in ("number", "number_word", "year", "date") for i in groups.get(f"op:{name}", [])]
    return {
        "auc": auc([float(scores[i]) for i in everything], _good(data, everything)),
        "auc_by": {name: value for name, value in sorted(by_group.items()) if value is not None},
        "accuracy3": float((logits[three, :3].argmax(1) == data.labels[three]).mean()) if len(three) else None,
        "auc_relevance": auc(logits[related, 3].tolist(), (data.relevance[related] > 0.5).astype(int).tolist()),
        "caught_at_5": caught([float(scores[i]) for i in numbers], _good(data, numbers)),
        "token_f1": _token_f1(samples, data, token_logits),
    }


def _good(data: Encoded, found: Sequence[int]) -> list[int]:
    return [int(data.labels[i] == SUPPORTS) for i in found]


def _token_f1(samples: Sequence[Sample], data: Encoded, token_logits: Sequence[Any]) -> float | None:
    """F1 of unbacked tokens over claims with a known changed span, against their supported twins."""
    predicted: list[bool] = []
    actual: list[bool] = []
    for i, sample in enumerate(samples):
        if not sample.operator or sample.operator == "unrelated" or sample.label == NOT_SUPPORTED:
            continue
        targets = data.targets[data.starts[i] : data.starts[i + 1]]
        known = targets != UNKNOWN
        predicted += (token_logits[i][known] > 0).tolist()
        actual += (targets[known] == 1).tolist()
    return f1(predicted, actual)
