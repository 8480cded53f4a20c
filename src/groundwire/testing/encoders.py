"""Encoders without weights, for tests: what they make of a text follows from its words alone, and is the same everywhere.

Left out: any sense of what a text means.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
LONGEST = 200
"""Characters of a text that count as read."""


class WordVectors:
    """A vector of `size` numbers for each text: the sum of its words' random vectors, so that common words bring texts close.

    `encoded` lists the passages that it was given.
    """

    def __init__(self, name: str = "word-vectors", *, size: int = 16, identity: str = "1") -> None:
        self.name, self.identity, self.size = name, identity, size
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str], *, query: bool) -> Vectors:
        """Return float32 [n, size]; zeros for a text without a word."""
        if not query:
            self.encoded += texts
        return np.stack([self._vector(text) for text in texts]) if texts else np.zeros((0, 0), np.float32)

    def cut(self, texts: Sequence[str], *, query: bool) -> list[bool]:
        """Say which texts have more than LONGEST characters."""
        return [len(text) > LONGEST for text in texts]

    def _vector(self, text: str) -> Vectors:
        words = [np.random.default_rng(_seed(word)).normal(size=self.size) for word in text.split()]
        total: Any = np.sum([np.zeros(self.size), *words], axis=0)
        vector: Vectors = total.astype(np.float32)
        return vector


class WordWeights:
    """Gives each word of a text a weight of 1 to `most`, by chance, and one word to a text that it does not have.

    `encoded` lists the passages that it was given.
    """

    def __init__(self, name: str = "word-weights", *, most: int = 300, identity: str = "1") -> None:
        self.name, self.identity, self.most = name, identity, most
        self.encoded: list[str] = []

    def impacts(self, texts: Sequence[str], *, query: bool) -> list[dict[str, int]]:
        """Return each text's words with their weights; none for a text without a word."""
        if not query:
            self.encoded += texts
        return [self._weights(text) for text in texts]

    def cut(self, texts: Sequence[str], *, query: bool) -> list[bool]:
        """Say which texts have more than LONGEST characters."""
        return [len(text) > LONGEST for text in texts]

    def _weights(self, text: str) -> dict[str, int]:
        chance, words = random.Random(_seed(text)), text.split()  # noqa: S311 - no secret
        if words:
            words.append(chance.choice(words)[::-1])
        return {word: 1 + int((self.most - 1) * chance.random() ** 3) for word in dict.fromkeys(words)}


def _seed(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "big")
