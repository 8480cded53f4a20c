"""Trained networks that read a batch while a smaller one learns from it: what they say of it, as soft labels.

The same as `taught` gives beforehand, for pairs by the million, of which each is read once. Leaves out: what their readings
weigh (`losses`), and where the pairs come from (`transfer`). Imports torch.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from groundwire.errors import InputError
from groundwire.training.device import precision


class Readers:
    """Several networks, read as one: the mean of their probabilities, each counting by its share."""

    def __init__(self, networks: Sequence[Any], device: str, shares: Sequence[float] = ()) -> None:
        """`shares` sum to 1, one a network; all alike by default. Raises InputError where they do not."""
        self.networks, self.device = list(networks), device
        self.shares = list(shares) or [1 / len(self.networks)] * len(self.networks)
        if len(self.shares) != len(self.networks) or not math.isclose(sum(self.shares), 1, abs_tol=1e-6):
            raise InputError(f"{len(self.networks)} teachers cannot count {self.shares}", "one share each, 1 in all")

    def read(self, batch: dict[str, Any]) -> dict[str, Any]:
        """What they say of a batch: taught [n, 3], relevance_taught [n], token_taught [n, length], probabilities."""
        found: dict[str, Any] = {}
        for network, share in zip(self.networks, self.shares, strict=True):
            with torch.no_grad(), precision(self.device):
                logits, tokens = network(batch["input_ids"], batch["attention_mask"], batch["token_type_ids"])
            parts = {
                "taught": torch.softmax(logits[:, :3].float(), dim=1),
                "relevance_taught": torch.sigmoid(logits[:, 3].float()),
                "token_taught": torch.sigmoid(tokens.float()),
            }
            for name, part in parts.items():
                found[name] = found.get(name, 0.0) + share * part
        return found
