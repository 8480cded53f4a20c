"""The vectors of single texts, kept like the base model's while the network learns pairs.

all-MiniLM-L6-v2 was trained on a billion pairs to put texts that belong together near each other; fine-tuning on claims
forgets that (the mean cosine to its old vectors falls to .15), and a few hundred steps of this loss bring it back. So the model
that judges also ranks passages, without a second one. Leaves out: what vectors are used for. Imports torch.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from groundwire.training.batches import Encoded
from groundwire.training.device import attention_of, precision
from groundwire.training.network import PairNetwork, from_base
from groundwire.training.ragged import apart, chosen, padded
from groundwire.training.vectors import LONGEST

DRAWN = 4
"""So many times a batch is drawn and sorted by length; a run of it is taken, so that little is padded."""


class Likeness:
    """Draws texts of the samples and says how far a network's vectors of them are from the base model's."""

    def __init__(self, data: Encoded, seed: int, device: str, most: int = 60_000) -> None:
        """Evidence and claims of up to `most` samples, each once."""
        evidence, claims, _, _ = apart(chosen(data, np.arange(min(most, len(data.labels)))))
        self._texts, self._seed, self._device = evidence + claims, seed, device
        self._base = from_base(attention_of(device)).eval().to(device)

    def batch(self, step: int, size: int) -> tuple[Any, Any]:
        """The token ids and mask [size, length] of a step; the same for the same seed and step."""
        rng = np.random.default_rng([self._seed, abs(step), int(step < 0)])
        drawn = rng.integers(0, len(self._texts), DRAWN * size)
        drawn = drawn[np.argsort(self._texts.lengths[drawn], kind="stable")]
        first = int(rng.integers(0, (DRAWN - 1) * size + 1))
        ids, mask = padded(self._texts, drawn[first : first + size], LONGEST)
        return torch.from_numpy(ids).to(self._device), torch.from_numpy(mask).to(self._device)

    def cosine(self, network: PairNetwork, step: int, size: int = 16) -> tuple[Any, Any]:
        """The mean cosine between the network's and the base model's vectors of a step's texts, and the mean squared
        difference between their cosines among each other."""
        ids, mask = self.batch(step, size)
        with torch.no_grad(), precision(self._device):
            wanted = self._base.vectors(ids, mask)
        with precision(self._device):
            given = network.vectors(ids, mask)
        apart = (given @ given.T - wanted @ wanted.T).square().mean()
        return (given * wanted).sum(1).mean(), apart

    def loss(self, network: PairNetwork, step: int) -> Any:
        """1 − the mean cosine, and how far apart the two sides' own similarities are (a scalar to minimise)."""
        cosine, apart = self.cosine(network, step)
        return 1 - cosine + apart

    def mean(self, network: PairNetwork, batches: int = 20) -> float:
        """The mean cosine over a fixed set of texts, without gradients."""
        with torch.no_grad():
            return float(np.mean([float(self.cosine(network, -n)[0]) for n in range(1, batches + 1)]))
