"""Texts of many lengths in one flat array, and pairs of them put together and taken apart without a loop over them.

Leaves out: what is paired with what (`transfer`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from groundwire.training.batches import UNTAUGHT, Encoded
from groundwire.training.network import CLS, SEP
from groundwire.training.sample import UNKNOWN

MARKS = 3
"""[CLS] evidence [SEP] claim [SEP]."""
ENDS = 2
"""[CLS] text [SEP]."""


@dataclass(frozen=True, slots=True)
class Texts:
    """Text i is tokens[starts[i]:starts[i + 1]], without marks."""

    tokens: Any
    starts: Any

    @classmethod
    def of(cls, texts: Sequence[Any]) -> Texts:
        """Of token arrays."""
        starts = np.concatenate(([0], np.cumsum([len(text) for text in texts])))
        return cls(np.concatenate(texts).astype(np.int32), starts.astype(np.int64))

    @property
    def lengths(self) -> Any:
        """Tokens of each text, int64 [texts]."""
        return np.diff(self.starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, i: int) -> Any:
        return self.tokens[self.starts[i] : self.starts[i + 1]]

    def __add__(self, others: Texts) -> Texts:
        """These texts, then the others."""
        starts = np.concatenate((self.starts, others.starts[1:] + self.starts[-1]))
        return Texts(np.concatenate((self.tokens, others.tokens)), starts)

    def take(self, index: Any) -> Texts:
        """The texts of these numbers, in this order."""
        at, starts = places(self.starts[index], self.lengths[index])
        return Texts(self.tokens[at], starts)


def padded(texts: Texts, index: Any, longest: int, step: int = 1) -> tuple[Any, Any]:
    """The texts of these numbers between marks, cut to `longest` tokens in all: ids and mask, int64 [texts, length].

    The length is a multiple of `step`.
    """
    kept = np.minimum(texts.lengths[index], longest - ENDS)
    width = -(-int(kept.max() + ENDS) // step) * step
    place = np.arange(width) - 1
    inside = (place >= 0) & (place < kept[:, None])
    at = np.where(inside, texts.starts[index][:, None] + place, 0)
    ids = np.where(inside, texts.tokens[at], 0).astype(np.int64)
    ids[:, 0] = CLS
    ids[np.arange(len(kept)), kept + 1] = SEP
    return ids, (place <= kept[:, None]).astype(np.int64)


def apart(data: Encoded) -> tuple[Texts, Texts, Any, Any]:
    """The distinct evidence and the distinct claims of samples, and for each sample the numbers of its two."""
    sides: tuple[dict[bytes, int], dict[bytes, int]] = ({}, {})
    numbers = np.zeros((2, len(data.labels)), dtype=np.int64)
    tokens = data.tokens.astype(np.int32)
    for n, (start, end, claim) in enumerate(zip(data.starts[:-1], data.starts[1:], data.claims, strict=True)):
        texts = (tokens[start + 1 : start + claim - 1], tokens[start + claim : end - 1])
        for side, text in enumerate(texts):
            numbers[side, n] = sides[side].setdefault(text.tobytes(), len(sides[side]))
    evidence, claims = (Texts.of([np.frombuffer(text, np.int32) for text in side]) for side in sides)
    return evidence, claims, numbers[0], numbers[1]


def together(evidence: Texts, claims: Texts, max_length: int) -> Encoded:
    """Pairs without labels of as many texts of either side; evidence (never a claim) is cut where a pair would be too long."""
    kept = np.minimum(evidence.lengths, np.maximum(0, max_length - MARKS - claims.lengths))
    lengths = kept + claims.lengths + MARKS
    starts = np.concatenate(([0], np.cumsum(lengths)))
    tokens = np.full(starts[-1], SEP, dtype=np.int32)
    tokens[starts[:-1]] = CLS
    for texts, counts, at in ((evidence, kept, starts[:-1] + 1), (claims, claims.lengths, starts[:-1] + kept + 2)):
        tokens[places(at, counts)[0]] = texts.tokens[places(texts.starts[:-1], counts)[0]]
    pairs = len(lengths)
    return Encoded(
        tokens,
        np.full(len(tokens), UNKNOWN, dtype=np.int8),
        starts.astype(np.int64),
        (kept + 2).astype(np.int64),
        np.full(pairs, UNKNOWN, dtype=np.int64),
        np.full(pairs, UNKNOWN, dtype=np.float32),
        np.full((pairs, len(UNTAUGHT)), UNTAUGHT, dtype=np.float32),
    )


def chosen(data: Encoded, index: Any) -> Encoded:
    """The samples of these numbers, in this order."""
    at, starts = places(data.starts[index], data.lengths[index])
    return Encoded(
        data.tokens[at],
        data.targets[at],
        starts,
        data.claims[index],
        data.labels[index],
        data.relevance[index],
        data.taught[index],
    )


def joined(*parts: Encoded) -> Encoded:
    """The samples of all parts, one after the other."""
    lengths = np.concatenate([part.lengths for part in parts])
    flat = [name for name in Encoded.__slots__ if name != "starts"]
    named = {name: np.concatenate([getattr(part, name) for part in parts]) for name in flat}
    return Encoded(starts=np.concatenate(([0], np.cumsum(lengths))), **named)


def places(begins: Any, counts: Any) -> tuple[Any, Any]:
    """The places of runs that begin there and are so long, one after the other, and where each run begins among them."""
    starts = np.concatenate(([0], np.cumsum(counts)))
    return np.arange(starts[-1]) + np.repeat(begins - starts[:-1], counts), starts.astype(np.int64)
