"""Sparse encoders: text → terms of a vocabulary with their weights, among them terms that the text does not have.

SPLADE (Formal et al. 2021, arXiv 2109.10086 and 2022, arXiv 2205.04733): the exported file weighs every entry of BERT's
vocabulary; what is above 0 is kept. Relevance is the sum over terms of query weight · passage weight, without any other
statistic. An inverted index keeps whole numbers, `impacts`. Left out: the index.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from groundwire.errors import CorruptModel
from groundwire.models.pairing import Tokenizer
from groundwire.models.texts import Rows, TextRunner

if TYPE_CHECKING:
    from groundwire.models.backend import Backend
    from groundwire.models.config import Config
    from groundwire.models.execution import Execution

TOKEN_BUDGET = 512
"""Tokens a batch: each takes a number for every entry of the vocabulary, 60 MB in all for BERT's."""


class SparseEncoder:
    """Encodes texts as terms with weights. Safe for any number of threads. `identity` is the sha256 of its manifest."""

    def __init__(
        self,
        config: Config,
        tokenizer: Tokenizer,
        backend: Backend,
        *,
        identity: str = "",
        budget: int = TOKEN_BUDGET,
        execution: Execution | None = None,
    ) -> None:
        if config.impact is None:
            raise CorruptModel(f"{config.name}: config.json does not say how its weights become impacts")
        self.name, self.identity, self.precision = config.name, identity, backend.precision
        self._query, self._passage, self._impact = config.query, config.passage, config.impact
        self._vocabulary = tokenizer.vocabulary
        self._runner = TextRunner(config, tokenizer, backend, self._terms, budget=budget, execution=execution)

    def encode(self, texts: Sequence[str], *, query: bool) -> list[dict[str, float]]:
        """Return each text's terms with their weights, all over 0, in the order of the vocabulary.

        `query` says which side the texts are of: of a query less is read; a longer text is cut at its end (see `cut`).
        Raises CorruptModel when the model gives a number that is not finite.
        """
        return self._runner.run(texts, self._query if query else self._passage)

    def impacts(self, texts: Sequence[str], *, query: bool) -> list[dict[str, int]]:
        """Return each text's terms with whole weights, round(weight / range · levels) as the card has it; none is 0.

        Halves go to the even number, as in the published indexes.
        """
        made = self._impact
        weighed = self.encode(texts, query=query)
        rounded = ({term: round(w / made.range * made.levels) for term, w in terms.items()} for terms in weighed)
        return [{term: impact for term, impact in terms.items() if impact > 0} for terms in rounded]

    def cut(self, texts: Sequence[str], *, query: bool) -> list[bool]:
        """Say which texts are longer than what is read of a query, or of a passage."""
        return self._runner.truncated(texts, self._query if query else self._passage)

    def _terms(self, rows: Rows) -> list[dict[str, float]]:
        if rows.shape[1] < len(self._vocabulary):
            raise CorruptModel(f"{self.name}: model weighs {rows.shape[1]} terms of {len(self._vocabulary)}")
        # A table may be padded beyond the vocabulary; what stands there is no term.
        known = rows[:, : len(self._vocabulary)]
        return [
            {self._vocabulary[i]: float(row[i]) for i in np.flatnonzero(row > 0).tolist() if self._vocabulary[i]}
            for row in known
        ]
