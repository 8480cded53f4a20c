"""The vectors that a network makes of texts alone, many at a time. Leaves out: what they are used for. Imports torch."""

from __future__ import annotations

from typing import Any

import torch

from groundwire.training.batches import STEP, plan
from groundwire.training.device import precision
from groundwire.training.network import PairNetwork
from groundwire.training.ragged import ENDS, Texts, padded

LONGEST = 128
"""Tokens of a text, marks and all, that its vector is of."""
BUDGETS = {"cuda": 60_000, "cpu": 6_000}
"""Padded tokens of a batch."""


def vectors(network: PairNetwork, texts: Texts) -> Any:
    """The vectors of texts, float32 [texts, hidden] of length 1, on the network's device."""
    device = next(network.parameters()).device
    found = torch.zeros(len(texts), network.body.config.hidden_size, device=device)
    for part in plan((texts.lengths + ENDS).clip(max=LONGEST), BUDGETS[device.type], 0):
        ids, mask = (torch.from_numpy(array).to(device) for array in padded(texts, part, LONGEST, STEP))
        with torch.no_grad(), precision(device.type):
            made = network.vectors(ids, mask)
        found[torch.from_numpy(part).to(device)] = made.float()
    return found
