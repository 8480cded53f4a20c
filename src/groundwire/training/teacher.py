"""Relevance as the base model's embeddings see it: what a query and a passage have to do with each other, by degrees.

all-MiniLM-L6-v2 was trained to rank passages; as a cross-encoder it would forget that over a few thousand yes-or-no pairs.
Its own cosines over questions and passages of the training sets are kept as soft labels, for the nearest passages (what a
retriever brings) and for far ones. Leaves out: hard labels (`claims.relevance_pairs`). Imports torch inside.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import numpy as np

from groundwire.training.claims import NO_ANSWER
from groundwire.training.passages import sentences
from groundwire.training.sample import UNKNOWN, Sample
from groundwire.training.sources import Row

Embed = Callable[[Sequence[str]], Any]
"""Texts → float32 [texts, hidden], rows of length 1."""

MIDDLE, STEEPNESS = 0.45, 12.0
"""Cosines of all-MiniLM: unrelated texts lie near 0.1, passages that answer near 0.7."""
RANKS = ((0, 3), (3, 12), (12, 60), (60, 400))
"""One passage is drawn from each of these ranges of ranks, nearest first."""
LONGEST = 70
"""Words of a passage."""


def degree(cosine: float) -> float:
    """How relevant a passage at this cosine is, in (0, 1)."""
    return 1 / (1 + math.exp(-STEEPNESS * (cosine - MIDDLE)))


def pieces(text: str, rng: Random, most: int = 4) -> list[str]:
    """Up to `most` runs of whole sentences of a text, each of at most LONGEST words."""
    runs: list[list[str]] = [[]]
    for sentence in sentences(text):
        if runs[-1] and sum(len(s.split()) for s in (*runs[-1], sentence)) > LONGEST:
            runs.append([])
        runs[-1].append(sentence)
    found = [" ".join(" ".join(run).split()[:LONGEST]) for run in runs if run]
    return rng.sample(found, min(most, len(found)))


def graded_pairs(rows: Sequence[Row], embed: Embed, rng: Random, most: int) -> Iterator[Sample]:
    """(passage, question) pairs, a passage of each range of ranks for each of up to `most` questions, with its degree."""
    asked = [row for row in rows if row["question"] and row["answers"][:1] not in ([], [NO_ANSWER])]
    asked = rng.sample(asked, min(most, len(asked)))
    passages = list(dict.fromkeys(piece for row in asked for piece in pieces(row["context"], rng)))
    if not passages:
        return
    questions, vectors = embed([row["question"] for row in asked]), embed(passages)
    for row, question in zip(asked, questions, strict=True):
        cosines = vectors @ question
        order = np.argsort(-cosines, kind="stable")
        for first, last in RANKS:
            if first >= len(order):
                break
            i = int(order[rng.randrange(first, min(last, len(order)))])
            yield Sample(
                evidence=passages[i],
                claim=row["question"].strip(),
                label=UNKNOWN,
                relevance=round(degree(float(cosines[i])), 4),
                source=row["dataset"],
                operator="graded",
            )


def base_embedder() -> Embed:
    """all-MiniLM-L6-v2 itself: its vectors of texts."""
    from groundwire.training.batches import load_tokenizer
    from groundwire.training.network import base_folder, from_base
    from groundwire.training.ragged import Texts
    from groundwire.training.vectors import LONGEST as LONGEST_TEXT
    from groundwire.training.vectors import vectors

    network = from_base().eval()
    tokenizer = load_tokenizer(base_folder() / "tokenizer.json", LONGEST_TEXT)

    def embed(texts: Sequence[str]) -> Any:
        encodings = tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return vectors(network, Texts.of([encoding.ids for encoding in encodings])).numpy()

    return embed
