"""The three losses of one pass: entailment, relevance, and the claim's unbacked tokens.

Leaves out: how batches are made (`batches`). Imports torch.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional

from groundwire.training.network import SEP
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
    Vinyals and Dean 2015, at temperature 1). Where it was asked of relevance and of the claim's tokens as well
    ("relevance_taught" [n], "token_taught" [n, length], probabilities; `readers`), the same holds for these.
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
    return {
        "entail": entail,
        "relevance": _relevance(logits[:, 3].float(), batch),
        "token": _token(token_logits.float(), batch),
    }


def _relevance(logits: Any, batch: dict[str, Any]) -> Any:
    known = batch["relevance"] != UNKNOWN
    hard = _unsure(logits, batch["relevance"].clamp(min=0).float())
    if "relevance_taught" not in batch:
        return (hard * known).sum() / known.sum().clamp(min=1)
    share = torch.where(known, TAUGHT_WEIGHT, 1.0)
    return ((1.0 - share) * hard + share * _unsure(logits, batch["relevance_taught"])).mean()


def _token(logits: Any, batch: dict[str, Any]) -> Any:
    """A token that is known is weighed by what it is; a larger model's reading holds that weight already."""
    targets = batch["token_targets"]
    known = targets != UNKNOWN
    hard = _unsure(logits, targets.clamp(min=0).float(), torch.tensor(TOKEN_POSITIVE, device=logits.device)) * known
    if "token_taught" not in batch:
        return hard.sum() / known.sum().clamp(min=1)
    claim = batch["token_type_ids"] * (batch["input_ids"] != SEP)
    share = torch.where(known, TAUGHT_WEIGHT, 1.0) * claim
    return ((1.0 - share) * hard + share * _unsure(logits, batch["token_taught"])).sum() / claim.sum().clamp(min=1)


def _unsure(logits: Any, targets: Any, positive: Any = None) -> Any:
    """The cross-entropy of each logit with its probability."""
    return functional.binary_cross_entropy_with_logits(logits, targets, reduction="none", pos_weight=positive)


def total(parts: dict[str, Any]) -> Any:
    """The weighted sum that is minimised."""
    return parts["entail"] + RELEVANCE_WEIGHT * parts["relevance"] + TOKEN_WEIGHT * parts["token"]
