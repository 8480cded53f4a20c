"""One text → one row of numbers: what encoders of every kind share.

    texts → distinct → token ids, cut at the end → batches (execution) → rows → in the order asked for

A row does not depend on what else is in the call: see `pair` for how far. Left out: what the rows mean (`embed`, `sparse`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from groundwire.errors import CorruptModel
from groundwire.models.batching import TOKEN_BUDGET
from groundwire.models.config import Side
from groundwire.models.execution import Direct, Execution
from groundwire.models.hftokenizer import Frame
from groundwire.models.pairing import Tokenizer, TokenPair, arrays

if TYPE_CHECKING:
    from groundwire.models.backend import Backend
    from groundwire.models.config import Config

Rows = np.ndarray[tuple[int, int], np.dtype[np.float32]]
_T = TypeVar("_T")
_NOTHING = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class _Encoding(Generic[_T]):
    """The kind of texts of one model: a text gives what `take` makes of its row."""

    name: str
    max_length: int | None
    frame: Frame
    backend: Backend
    take: Callable[[Rows], Sequence[_T]]
    budget: int

    @property
    def streams(self) -> int:
        return self.backend.streams

    def run(self, items: Sequence[TokenPair], width: int) -> Sequence[_T]:
        rows = self.backend.run(arrays(items, width, self.frame))
        if rows.ndim != 2 or len(rows) != len(items) or not np.isfinite(rows).all():
            raise CorruptModel(f"{self.name}: model gave a non-finite number, or not one row a text")
        return self.take(rows)


class TextRunner(Generic[_T]):
    """Runs single texts, between the tokenizer's first and last special tokens. Safe for any number of threads.

    `take` gets a batch's rows at a time, in any thread, and gives one value a row.
    """

    def __init__(
        self,
        config: Config,
        tokenizer: Tokenizer,
        backend: Backend,
        take: Callable[[Rows], Sequence[_T]],
        *,
        budget: int = TOKEN_BUDGET,
        execution: Execution | None = None,
    ) -> None:
        self._max_length, self._tokenizer = config.max_length, tokenizer
        around = tokenizer.frame
        self._frame = Frame(before=around.before, between=(), after=around.after, types=(around.types[0],) * 5)
        self._kind = _Encoding(config.name, config.max_length, self._frame, backend, take, budget)
        self._execution = Direct() if execution is None else execution

    def run(self, texts: Sequence[str], side: Side) -> list[_T]:
        """Return what `take` makes of each text's row, in the order of the texts; a long text is cut at its end.

        Raises CorruptModel when the model gives a number that is not finite.
        """
        distinct = {text: i for i, text in enumerate(dict.fromkeys(texts))}
        found = self._execution.run(self._kind, [self._encode(text, side) for text in distinct])
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
