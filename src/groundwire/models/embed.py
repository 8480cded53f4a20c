"""The embedder: text → vector of its first token, and the product of two vectors as relevance.

UAE-Large-V1 (Li and Li 2024, arXiv 2309.12871) as Provenance's preliminary system used it: [CLS] vector as it is, no
prompt, dot product (experiments 0.1 and 0.2) or cosine (0.3). Left out: other poolings, prompts, and any index.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from groundwire.errors import CorruptModel
from groundwire.models.batching import TOKEN_BUDGET, plan
from groundwire.models.hftokenizer import Frame
from groundwire.models.pairing import Tokenizer, TokenPair, arrays

if TYPE_CHECKING:
    from groundwire.models.backend import Backend
    from groundwire.models.config import Config
    from groundwire.protocols import Pair

Vectors = np.ndarray[tuple[int, int], np.dtype[np.float32]]
_NOTHING = np.zeros(0, dtype=np.int64)


class EmbedModel:
    """An encoder with one vector a text; fills the role RelevanceScorer. Safe for any number of threads.

    `cosine` divides each vector by its length, so that scores lie in [-1, 1]; otherwise they are unbounded.
    """

    def __init__(
        self,
        config: Config,
        tokenizer: Tokenizer,
        backend: Backend,
        *,
        cosine: bool = False,
        budget: int = TOKEN_BUDGET,
    ) -> None:
        self.name = f"{config.name}:cosine" if cosine else config.name
        self.precision = backend.precision
        self._tokenizer, self._backend = tokenizer, backend
        self._max_length, self._cosine, self._budget = config.max_length, cosine, budget
        around = tokenizer.frame
        self._frame = Frame(before=around.before, between=(), after=around.after, types=(around.types[0],) * 5)
        self._room = None if config.max_length is None else config.max_length - len(around.before + around.after)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return float32 [n, d], in the order of the texts ([0, 0] for none); a text over the limit is cut at its end
        (see `truncated`).

        Raises CorruptModel when the model gives a number that is not finite.
        """
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        distinct = {text: i for i, text in enumerate(dict.fromkeys(texts))}
        encoded = [self._encode(text) for text in distinct]
        rows: list[Vectors | None] = [None] * len(encoded)
        for batch in plan([one.length for one in encoded], max_length=self._max_length, budget=self._budget):
            vectors = self._backend.run(arrays([encoded[i] for i in batch.rows], batch.width, self._frame))
            if not np.isfinite(vectors).all():
                raise CorruptModel(f"{self.name}: model gave a non-finite vector")
            for i, vector in zip(batch.rows, vectors, strict=True):
                rows[i] = vector
        found = np.array([rows[distinct[text]] for text in texts], dtype=np.float32)
        return _unit(found) if self._cosine else found

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """Score (query, passage) pairs: dot products, or cosines in [-1, 1]. Each distinct text is embedded once."""
        if not pairs:
            return []
        vectors = self.embed([text for pair in pairs for text in pair])
        return [float(a @ b) for a, b in zip(vectors[::2], vectors[1::2], strict=True)]

    def truncated(self, pairs: Sequence[Pair]) -> list[bool]:
        """Say of which pairs a text is longer than the model reads."""
        cut = {text: self._encode(text).truncated for text in {text for pair in pairs for text in pair}}
        return [cut[a] or cut[b] for a, b in pairs]

    def _encode(self, text: str) -> TokenPair:
        ids = self._tokenizer.encode(text)
        kept = np.array(ids[: self._room], dtype=np.int64)
        length = len(self._frame.before) + len(kept) + len(self._frame.after)
        return TokenPair(kept, _NOTHING, length, truncated=len(kept) < len(ids))


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vectors = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return unit
