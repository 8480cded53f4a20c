"""From texts to token pairs: each text is encoded once a call, however many pairs it stands in.

Only a pair that is longer than the model reads is cut, and only at the end of its evidence; the claim or query is cut
when it alone is too long. A cut pair says so. Left out: cutting long evidence into windows, which is the caller's part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from groundwire.models.hftokenizer import Frame
    from groundwire.protocols import Pair

Ids = np.ndarray[tuple[int], np.dtype[np.int64]]
Ids2 = np.ndarray[tuple[int, int], np.dtype[np.int64]]


class Tokenizer(Protocol):
    """What is asked of a tokenizer; it never changes once it is read, so threads may share it."""

    @property
    def frame(self) -> Frame:
        """What stands around a pair."""
        ...

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """The pieces by id."""
        ...

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text without special tokens; never raises."""
        ...

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """Return where in the text each token of `encode(text)` stands: (start, end) in code points."""
        ...


@dataclass(frozen=True, slots=True)
class TokenPair:
    """The ids of both texts, as much as the model reads. `length` counts the tokens around them too."""

    first: Ids
    second: Ids
    length: int
    truncated: bool


class Pairing:
    """Encodes the pairs of one call. `evidence` 0 or 1 is the text that is cut when a pair is longer than `max_length`."""

    def __init__(self, tokenizer: Tokenizer, *, max_length: int | None, evidence: int) -> None:
        self._tokenizer, self._max_length, self._evidence = tokenizer, max_length, evidence
        self._encoded: dict[str, Ids] = {}
        frame = tokenizer.frame
        self._around = len(frame.before) + len(frame.between) + len(frame.after)

    def encode(self, pair: Pair) -> TokenPair:
        """Return the token pair of two texts."""
        first, second = self._ids(pair[0]), self._ids(pair[1])
        length = self._around + len(first) + len(second)
        if self._max_length is None or length <= self._max_length:
            return TokenPair(first, second, length, truncated=False)
        room = max(0, self._max_length - self._around)
        keep = [len(first), len(second)]
        keep[1 - self._evidence] = min(keep[1 - self._evidence], room)
        keep[self._evidence] = room - keep[1 - self._evidence]
        return TokenPair(first[: keep[0]], second[: keep[1]], self._around + room, truncated=True)

    def _ids(self, text: str) -> Ids:
        ids = self._encoded.get(text)
        if ids is None:
            ids = self._encoded[text] = np.array(self._tokenizer.encode(text), dtype=np.int64)
        return ids


def arrays(pairs: Sequence[TokenPair], width: int, frame: Frame) -> dict[str, Ids2]:
    """Return input_ids, attention_mask and token_type_ids, int64 [len(pairs), width], padded at the right with 0."""
    shape = (len(pairs), width)
    ids, mask, types = (np.zeros(shape, dtype=np.int64) for _ in range(3))
    for row, pair in enumerate(pairs):
        start = 0
        parts: tuple[Any, ...] = (frame.before, pair.first, frame.between, pair.second, frame.after)
        for part, kind in zip(parts, frame.types, strict=True):
            end = start + len(part)
            ids[row, start:end] = part
            types[row, start:end] = kind
            start = end
        mask[row, :start] = 1
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
