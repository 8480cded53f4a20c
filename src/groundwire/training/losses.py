"""The three losses of one pass: entailment, relevance, and the claim's unbacked tokens.

Leaves out: how batches are made (`batches`). Imports torch.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional

from groundwire.training.sample import NOT_SUPPORTED, SUPPORTS, UNKNOWN

RELEVANCE_WEIGHT = 0.5
TOKEN_WEIGHT = 1.0
TOKEN_POSITIVE = 3.0
"""Changed words are about a tenth of the claim's words; this keeps them from being outvoted."""
TAUGHT_WEIGHT = 0.6
"""How much a larger model's reading counts beside the label, which counts for the rest."""


def losses(logits: Any, token_logits: Any, batch: dict[str, Any]) -> dict[str, Any]:
    """Mean losses by head (scalars; 0 where the batch has no label of the kind).

    Entailment: cross-entropy over three classes; a two-way "not supported" costs −log(1 − p_supports). Where a larger model was
    asked, the cross-entropy with its probabilities is mixed in, and is all there is for a sample without a label (Hinton,
    Vinyals and Dean 2015, at temperature 1).
    """
    labels = batch["labels"]
    logp = functional.log_softmax(logits[:, :3].float(), dim=1)
    three = (labels >= SUPPORTS) & (labels < NOT_SUPPORTED)
    two = labels == NOT_SUPPORTED
    hard = -logp.gather(1, labels.clamp(0, 2).unsqueeze(1)).squeeze(1)
    soft = -torch.logsumexp(logp[:, 1:], dim=1)
    known = three | two
    taught = batch["taught"].sum(1) > 0
    share = torch.where(known, TAUGHT_WEIGHT, 1.0) * taught
    like = -(batch["taught"] * logp).sum(1)
    entail = ((1.0 - share) * (hard * three + soft * two) + share * like).sum() / (known | taught).sum().clamp(min=1)
    relevance = functional.binary_cross_entropy_with_logits(
        logits[:, 3].float(), batch["relevance"].clamp(min=0).float(), reduction="none"
    )
    related = batch["relevance"] != UNKNOWN
    targets = batch["token_targets"]
    token = functional.binary_cross_entropy_with_logits(
        token_logits.float(),
        targets.clamp(min=0).float(),
        reduction="none",
        pos_weight=torch.tensor(TOKEN_POSITIVE, device=token_logits.device),
    )
    marked = targets != UNKNOWN
    return {
        "entail": entail,
        "relevance": (relevance * related).sum() / related.sum().clamp(min=1),
        "token": (token * marked).sum() / marked.sum().clamp(min=1),
    }


def total(parts: dict[str, Any]) -> Any:
    """The weighted sum that is minimised."""
    return parts["entail"] + RELEVANCE_WEIGHT * parts["relevance"] + TOKEN_WEIGHT * parts["token"]
