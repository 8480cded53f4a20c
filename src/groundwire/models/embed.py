"""Dense encoders: text → vector, and the product of two vectors as relevance.

What a vector is, the exported file knows: the first token's (UAE-Large-V1, Li and Li 2024, arXiv 2309.12871), the same
through ANCE's head (Xiong et al. 2021, arXiv 2007.00808), or pooled, projected and normalised as a sentence encoder's own
files say. Here is how texts go in: queries and passages may differ in their limit, their case and their prompt.
Left out: any index.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from groundwire.models.batching import TOKEN_BUDGET
from groundwire.models.memory import Scored, ScoreMemory, digest
from groundwire.models.pairing import Tokenizer
from groundwire.models.texts import Rows, TextRunner

if TYPE_CHECKING:
    from groundwire.models.backend import Backend
    from groundwire.models.config import Config, Side
    from groundwire.models.execution import Execution
    from groundwire.protocols import Pair

Vectors = np.ndarray[tuple[int, int], np.dtype[np.float32]]


class EmbedModel:
    """An encoder with one vector a text; fills the role RelevanceScorer. Safe for any number of threads.

    `cosine` divides each vector by its length, so that scores lie in [-1, 1]; otherwise they are what the model makes them.
    `identity` is the sha256 of its manifest: vectors of one identity may be compared. `memory` keeps the vectors of texts
    that were scored, because a reranker gets a corpus' passages again and again; what `encode` makes is not kept.
    """

    def __init__(
        self,
        config: Config,
        tokenizer: Tokenizer,
        backend: Backend,
        *,
        cosine: bool = False,
        identity: str = "",
        memory: ScoreMemory | None = None,
        budget: int = TOKEN_BUDGET,
        execution: Execution | None = None,
    ) -> None:
        self.name = f"{config.name}:cosine" if cosine else config.name
        self.identity = identity
        self.precision = backend.precision
        self._query, self._passage, self._cosine = config.query, config.passage, cosine
        self._memory = ScoreMemory() if memory is None else memory
        self._runner = TextRunner(config, tokenizer, backend, _rows, budget=budget, execution=execution)

    def encode(self, texts: Sequence[str], *, query: bool) -> Vectors:
        """Return float32 [n, d], in the order of the texts ([0, 0] for none), for search: relevance is the inner product.

        `query` says which side the texts are of, with its limit, its case and its prompt; a longer text is cut at its end
        (see `cut`). Raises CorruptModel when the model gives a number that is not finite.
        """
        return self._vectors(texts, self._query if query else self._passage)

    def cut(self, texts: Sequence[str], *, query: bool) -> list[bool]:
        """Say which texts are longer than what is read of a query, or of a passage."""
        return self._runner.truncated(texts, self._query if query else self._passage)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts as they are, without a prompt: what `score` compares passages by."""
        return self._vectors(texts, _bare(self._passage))

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """Score (query, passage) pairs: dot products, or cosines in [-1, 1]; each distinct text is embedded once a side.

        Without prompts: two texts are compared as they are (experiments 0.1 to 0.3 of Provenance, Sankararaman et al. 2024).
        """
        if not pairs:
            return []
        if _bare(self._query) == _bare(self._passage):
            both = self._remembered([text for pair in pairs for text in pair], self._passage)
            queries, passages = both[::2], both[1::2]
        else:
            queries = self._remembered([query for query, _ in pairs], self._query)
            passages = self._remembered([passage for _, passage in pairs], self._passage)
        return [float(a @ b) for a, b in zip(queries, passages, strict=True)]

    def truncated(self, pairs: Sequence[Pair]) -> list[bool]:
        """Say of which pairs a text is longer than the model reads."""
        queries = self._runner.truncated([query for query, _ in pairs], _bare(self._query))
        passages = self._runner.truncated([passage for _, passage in pairs], _bare(self._passage))
        return [a or b for a, b in zip(queries, passages, strict=True)]

    def _remembered(self, texts: Sequence[str], side: Side) -> list[np.ndarray]:
        """Return the vectors of texts as they are; only those that are not remembered go through the model."""
        mark = b"p" if side == self._passage else b"q"
        keys = {text: mark + digest(text) for text in dict.fromkeys(texts)}
        known = {
            text: scored for text, scored in zip(keys, self._memory.find(list(keys.values())), strict=True) if scored
        }
        fresh = [text for text in keys if text not in known]
        for text, vector in zip(fresh, self._vectors(fresh, _bare(side)), strict=True):
            known[text] = Scored(vector.tobytes(), truncated=False)
        self._memory.put((keys[text], known[text]) for text in fresh)
        vectors = {text: np.frombuffer(scored.logits, dtype=np.float32) for text, scored in known.items()}
        return [vectors[text] for text in texts]

    def _vectors(self, texts: Sequence[str], side: Side) -> Vectors:
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        found = np.array(self._runner.run(texts, side), dtype=np.float32)
        return _unit(found) if self._cosine else found


def _rows(rows: Rows) -> list[Any]:
    """Return a batch's vectors one by one."""
    return list(rows)


def _bare(side: Side) -> Side:
    return replace(side, prefix="")


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vectors = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return unit
