"""Word pieces: which are words and numbers, what is near them, and claims with some of them exchanged.

Nobody knows whether a claim is still right with "doctor" in place of "physician" or with another number of its evidence: a
network that is asked has to read it. Leaves out: who is asked (`readers`). Imports torch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from groundwire.training.ragged import Texts

EDITS = 1.5
"""Words exchanged in an edited claim, on the mean."""
NEIGHBOURS = 8
PART, MARK, WORD, NUMBER = -2, -1, 0, 1
ROWS = 2048


@dataclass(frozen=True, slots=True)
class Pieces:
    """What each word piece is (WORD, NUMBER, or neither), int8 [pieces], and the NEIGHBOURS of its kind that are nearest to it
    in a network's embeddings, int64 [pieces, NEIGHBOURS]."""

    kinds: Any
    near: Any

    @classmethod
    def of(cls, embeddings: Any, words: Sequence[str]) -> Pieces:
        """`embeddings` [pieces, hidden] of word pieces by number. Parts of words and marks are neither word nor number."""
        kinds = np.array([kind_of(word) for word in words], dtype=np.int8)
        near = np.zeros((len(words), NEIGHBOURS), dtype=np.int64)
        unit = torch.nn.functional.normalize(embeddings.float(), dim=1)
        for kind in (WORD, NUMBER):
            own = np.flatnonzero(kinds == kind)
            if len(own) <= NEIGHBOURS:
                kinds[own] = MARK
                continue
            members = unit[torch.from_numpy(own).to(unit.device)]
            for at in range(0, len(own), ROWS):
                ranked = (members[at : at + ROWS] @ members.T).topk(NEIGHBOURS + 1).indices
                near[own[at : at + ROWS]] = own[ranked[:, 1:].cpu().numpy()]
        return cls(kinds, near)


def kind_of(word: str) -> int:
    """WORD, NUMBER, PART or MARK; short words are marks: what they do in a sentence no neighbour does."""
    if word.startswith("##"):
        return PART
    if word.isascii() and word.isdigit():
        return NUMBER
    return WORD if len(word) > 2 and word.isascii() and word.isalpha() else MARK


def exchanged(claims: Texts, evidence: Texts, pieces: Pieces, rng: Any) -> Texts:
    """Claims with EDITS words or numbers each, on the mean, exchanged: for a neighbour, or for one of their evidence."""
    kinds = pieces.kinds[claims.tokens]
    free = (kinds >= WORD) & (np.append(kinds[1:], MARK) != PART)
    chance = np.repeat(
        EDITS / np.maximum(1, np.add.reduceat(free.astype(np.int64), claims.starts[:-1])), claims.lengths
    )
    at = np.flatnonzero(free & (rng.random(len(free)) < chance))
    row = np.searchsorted(claims.starts, at, side="right") - 1
    near = pieces.near[claims.tokens[at], rng.integers(0, NEIGHBOURS, len(at))]
    there = evidence.tokens[evidence.starts[row] + rng.integers(0, evidence.lengths[row])]
    tokens = claims.tokens.copy()
    tokens[at] = np.where((pieces.kinds[there] == kinds[at]) & (rng.random(len(at)) < 0.5), there, near)
    return Texts(tokens, claims.starts)
