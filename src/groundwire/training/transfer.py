"""Pairs that nobody has labelled, for a larger network to read and a smaller one to learn from.

What a label cannot give, a reading can: claims on the passages nearest to them, as a retriever would bring them; claims with
a word or two exchanged for a neighbour or for one of the evidence; claims on their own evidence less one of its sentences.
Made of the tokens of labelled samples. Leaves out: how words are exchanged (`pieces`) and who reads the pairs (`readers`).
Imports torch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from groundwire.training.batches import Encoded
from groundwire.training.network import PairNetwork
from groundwire.training.pieces import Pieces, exchanged
from groundwire.training.ragged import Texts, apart, joined, together
from groundwire.training.sample import UNKNOWN
from groundwire.training.vectors import vectors

NEAR = ((0, 6), (6, 30), (30, 150))
"""A claim meets one passage of each of these ranges of ranks, nearest first."""
SHARES = (0.25, 0.15)
"""The shares of the pairs whose claim is edited and whose evidence lacks a sentence; the rest are near ones."""
LONGEST_CLAIM = 160
STOP = 1012
"""The token of a full stop."""
ROWS = 2048


def transfer(data: Encoded, network: PairNetwork, words: Sequence[str], wanted: int, seed: int) -> Encoded:
    """About `wanted` pairs without labels, made of the texts of those samples that have one.

    `network` gives the vectors that say which passages are near (the base model's), `words` the word pieces by number.
    """
    rng = np.random.default_rng(seed)
    evidence, claims, of_evidence, of_claim = apart(data)
    sizes = claims.lengths[of_claim]
    fit = (sizes > 0) & (sizes <= LONGEST_CLAIM) & (evidence.lengths[of_evidence] > 0)
    stated = np.flatnonzero((data.labels != UNKNOWN) & fit)
    longest = int(data.lengths.max())
    edited, shortened = (rng.choice(stated, min(len(stated), round(share * wanted)), replace=False) for share in SHARES)
    pieces = Pieces.of(network.body.embeddings.word_embeddings.weight.detach(), words)
    asked = rng.permutation(np.unique(of_claim[stated]))
    asked = asked[: round((1 - sum(SHARES)) * wanted / len(NEAR))]
    near = near_passages(network, claims.take(asked), evidence, rng)
    own = evidence.take(of_evidence[edited])
    parts = (
        together(evidence.take(near.ravel()), claims.take(np.repeat(asked, near.shape[1])), longest),
        together(own, exchanged(claims.take(of_claim[edited]), own, pieces, rng), longest),
        together(without_one(evidence.take(of_evidence[shortened]), rng), claims.take(of_claim[shortened]), longest),
    )
    return joined(*parts)


def near_passages(network: PairNetwork, claims: Texts, evidence: Texts, rng: Any) -> Any:
    """For each claim the numbers of passages near it, one drawn from each range of NEAR that there is: [claims, ranges]."""
    ranges = [(first, min(last, len(evidence))) for first, last in NEAR if first < len(evidence)]
    passages, found = vectors(network, evidence).bfloat16().T, []
    asked = vectors(network, claims).bfloat16()
    for at in range(0, len(asked), ROWS):
        ranked = (asked[at : at + ROWS] @ passages).topk(ranges[-1][1]).indices.cpu().numpy()
        drawn = np.stack([rng.integers(first, last, len(ranked)) for first, last in ranges], axis=1)
        found.append(np.take_along_axis(ranked, drawn, axis=1))
    return np.concatenate(found)


def without_one(evidence: Texts, rng: Any) -> Texts:
    """Passages that lack one of their sentences; one of a single sentence stays."""
    found = []
    for n in range(len(evidence)):
        text = evidence[n]
        ends = np.flatnonzero(text == STOP) + 1
        cuts = np.unique(np.concatenate(([0], ends, [len(text)])))
        k = int(rng.integers(0, len(cuts) - 1)) if len(cuts) > 2 else -1
        found.append(text if k < 0 else np.concatenate((text[: cuts[k]], text[cuts[k + 1] :])))
    return Texts.of(found)
