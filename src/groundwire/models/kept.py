"""Remembers scored pairs on the disk too, so that a later run, or another system with the same model, finds them.

It takes the place of a model's memory (`PairModel.remember_in`): what the memory lacks is looked up in a cache file, and what
is scored goes to both. A key is the model's identity and precision with the digests of the texts; texts are never kept.

Left out: a bound on the file's size (delete it), and encoding that depends on the machine: logits are little-endian floats.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

from groundwire.cache import Cache
from groundwire.models.memory import Scored, ScoreMemory

_HEAD = struct.Struct("<BH")
"""Whether text was cut to fit, and the bytes of the logits; those of the tokens are the rest."""


class KeptScores(ScoreMemory):
    """A memory over a cache file. `fresh` counts pairs that were scored, `reused` those found of before `mark`."""

    def __init__(self, cache: Cache, model: str, *, max_bytes: int = 64 << 20) -> None:
        """Keep the scores of the model of this identity; it may share the file with others."""
        super().__init__(max_bytes)
        self._cache, self._prefix = cache, f"pair {model} "
        self._new: set[bytes] = set()
        self.fresh = self.reused = 0

    def mark(self) -> None:
        """Begin to count: what was scored until now is from before."""
        self._new.clear()
        self.fresh = self.reused = 0

    def find(self, keys: Sequence[bytes]) -> list[Scored | None]:
        """Return what is remembered of each key, here or on the disk, None where nothing is."""
        found = super().find(keys)
        missing = {key: self._prefix + key.hex() for key, one in zip(keys, found, strict=True) if one is None}
        if missing:
            on_disk = self._cache.get_many(list(missing.values()))
            read = {key: _read(on_disk[name]) for key, name in missing.items() if name in on_disk}
            super().put(read.items())
            found = [read.get(key) if one is None else one for key, one in zip(keys, found, strict=True)]
        self.reused += sum(one is not None and key not in self._new for key, one in zip(keys, found, strict=True))
        return found

    def put(self, entries: Iterable[tuple[bytes, Scored]]) -> None:
        """Remember these, here and on the disk."""
        listed = list(entries)
        super().put(listed)
        self._cache.put_many((self._prefix + key.hex(), _written(scored)) for key, scored in listed)
        self._new.update(key for key, _ in listed)
        self.fresh += len(listed)


def _written(scored: Scored) -> bytes:
    return _HEAD.pack(scored.truncated, len(scored.logits)) + scored.logits + scored.tokens


def _read(value: bytes) -> Scored:
    truncated, size = _HEAD.unpack_from(value)
    tokens = _HEAD.size + size
    return Scored(value[_HEAD.size : tokens], bool(truncated), value[tokens:])
