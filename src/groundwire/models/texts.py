"""One text → one row of numbers: what encoders of every kind share.

    texts → distinct → token ids, cut at the end → batches → runtime → rows → in the order asked for

A row does not depend on what else is in the call: see `pair` for how far. Left out: what the rows mean (`embed`, `sparse`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from groundwire.errors import CorruptModel
from groundwire.models.backend import over_streams
from groundwire.models.batching import TOKEN_BUDGET, Batch, plan
from groundwire.models.config import Side
from groundwire.models.hftokenizer import Frame
from groundwire.models.pairing import Tokenizer, TokenPair, arrays

if TYPE_CHECKING:
    from groundwire.models.backend import Backend
    from groundwire.models.config import Config

Rows = np.ndarray[tuple[int, int], np.dtype[np.float32]]
_T = TypeVar("_T")
_NOTHING = np.zeros(0, dtype=np.int64)


class TextRunner:
    """Runs single texts, between the tokenizer's first and last special tokens. Safe for any number of threads."""

    def __init__(self, config: Config, tokenizer: Tokenizer, backend: Backend, *, budget: int = TOKEN_BUDGET) -> None:
        self._name, self._max_length = config.name, config.max_length
        self._tokenizer, self._backend, self._budget = tokenizer, backend, budget
        around = tokenizer.frame
        self._frame = Frame(before=around.before, between=(), after=around.after, types=(around.types[0],) * 5)

    def run(self, texts: Sequence[str], side: Side, take: Callable[[Rows], Sequence[_T]]) -> list[_T]:
        """Return what `take` makes of each text's row, in the order of the texts; a long text is cut at its end.

        `take` gets a batch's rows at a time, in any thread, and gives one value a row. Raises CorruptModel when the model
        gives a number that is not finite.
        """
        distinct = {text: i for i, text in enumerate(dict.fromkeys(texts))}
        encoded = [self._encode(text, side) for text in distinct]
        batches = plan([one.length for one in encoded], max_length=self._max_length, budget=self._budget)

        def made(batch: Batch) -> Sequence[_T]:
            rows = self._backend.run(arrays([encoded[i] for i in batch.rows], batch.width, self._frame))
            if rows.ndim != 2 or len(rows) != len(batch.rows) or not np.isfinite(rows).all():
                raise CorruptModel(f"{self._name}: model gave a non-finite number, or not one row a text")
            return take(rows)

        found: dict[int, _T] = {}
        for batch, values in zip(batches, over_streams(self._backend, batches, made), strict=True):
            found.update(zip(batch.rows, values, strict=True))
        return [found[distinct[text]] for text in texts]

    def truncated(self, texts: Sequence[str], side: Side) -> list[bool]:
        """Say which texts are longer than what is read on this side."""
        cut = {text: self._encode(text, side).truncated for text in set(texts)}
        return [cut[text] for text in texts]

    def _encode(self, text: str, side: Side) -> TokenPair:
        whole = side.prefix + text
        ids = self._tokenizer.encode(whole.lower() if side.lowercase else whole)
        around = len(self._frame.before) + len(self._frame.after)
        limits = [limit for limit in (self._max_length, side.max_length) if limit is not None]
        kept = np.array(ids[: max(0, min(limits) - around)] if limits else ids, dtype=np.int64)
        return TokenPair(kept, _NOTHING, around + len(kept), truncated=len(kept) < len(ids))
