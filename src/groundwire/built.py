"""What is built once and then asked many times: a path with a name and a threshold, what was opened for it, and its index.

Left out: building it (`groundwire.api`, `groundwire.generator`, `groundwire.verifier`).
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any, Protocol

from groundwire.closing import Closing


class Path(Protocol):
    """A system, put together."""

    @property
    def name(self) -> str:
        """The recipe."""
        ...

    @property
    def threshold(self) -> float:
        """The score, in [0, 1], from which an answer counts as supported."""
        ...


class Named:
    """Gives a class its name and threshold: those of the path that answers."""

    _path: Path

    @property
    def name(self) -> str:
        """The recipe."""
        return self._path.name

    @property
    def threshold(self) -> float:
        """The score, in [0, 1], from which a claim and an answer count as supported."""
        return self._path.threshold


class Built(Named, Closing):
    """Gives a class its `close` besides. `_index` was searched, `_opened` is to be closed."""

    _index: object | None
    _opened: ExitStack

    def close(self) -> None:
        """Close what was opened here: the index, connections. Twice is once."""
        self._opened.close()

    def _held(self) -> dict[str, Any]:
        """Return what the index holds; nothing of an index of another kind, or a retriever, which is known by its name."""
        contents = getattr(self._index, "contents", None)
        return {} if contents is None else {"contents": contents()}
