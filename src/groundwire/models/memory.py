"""Remembers scored pairs, and vectors of texts, so that a repeated context costs nothing.

A memory belongs to one model, so its key needs only the texts: their digests, never the texts themselves. It is
bounded in bytes and forgets the least recently used first. Left out: disk (`kept`); what is remembered ends with the process.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from threading import Lock
from typing import Protocol, runtime_checkable

_DIGEST = 16
"""Bytes of a text's digest: 2**64 texts would be needed before two are likely to share one."""
_ENTRY = 400
"""Bytes that CPython spends on an entry besides its logits: key, record, number objects and place in the order."""
_TOKENS = 40
"""Bytes that CPython spends on the token logits of an entry besides themselves."""


@dataclass(frozen=True, slots=True)
class Scored:
    """What the model gave for a pair (or a text): its logits (or vector), as float32 bytes, and whether text was cut to fit.

    `tokens` are the logits of the claim's tokens as float16 bytes, empty for a model that has none.
    """

    logits: bytes
    truncated: bool
    tokens: bytes = b""


class ScoreMemory:
    """A bounded map from pairs to what was scored, for any number of threads. `max_bytes` 0 remembers nothing."""

    def __init__(self, max_bytes: int = 64 << 20) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._scored: OrderedDict[bytes, Scored] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._scored)

    def find(self, keys: Sequence[bytes]) -> list[Scored | None]:
        """Return what is remembered of each key, None where nothing is."""
        with self._lock:
            found = [self._scored.get(key) for key in keys]
            for key, scored in zip(keys, found, strict=True):
                if scored is not None:
                    self._scored.move_to_end(key)
        return found

    def put(self, entries: Iterable[tuple[bytes, Scored]]) -> None:
        """Remember these, and forget the oldest beyond the bound."""
        with self._lock:
            for key, scored in entries:
                old = self._scored.pop(key, None)
                self._bytes += _size(scored) - (_size(old) if old else 0)
                self._scored[key] = scored
                while self._bytes > self._max_bytes:
                    self._bytes -= _size(self._scored.popitem(last=False)[1])


@runtime_checkable
class Remembers(Protocol):
    """A model whose memory can be changed for another. Scores of two identities or precisions differ."""

    name: str
    identity: str
    precision: str

    def remember_in(self, memory: ScoreMemory) -> ScoreMemory:
        """Remember in this memory from now on, and return the one before. Not while another thread scores."""
        ...


def digest(text: str) -> bytes:
    """Return the digest of a text; a pair's key is the digests of its two texts joined. Lone surrogates are legal."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST).digest()


def _size(scored: Scored) -> int:
    return _ENTRY + len(scored.logits) + (_TOKENS + len(scored.tokens) if scored.tokens else 0)
