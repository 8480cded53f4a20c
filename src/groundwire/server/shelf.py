"""The indexes of a server, each opened once, and what searches them.

Readers of a folder's index may be shared by threads; what another process adds is seen at the next start. Left out: writing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from itertools import islice
from threading import Lock
from typing import Any

from groundwire.closing import Closing
from groundwire.errors import UnknownName
from groundwire.index import open_index
from groundwire.index.info import IndexInfo
from groundwire.index.local import LocalIndex
from groundwire.index.milvus import MilvusInfo
from groundwire.index.pyserini import LuceneInfo
from groundwire.protocols import Retriever
from groundwire.retrieve import DEFAULT
from groundwire.stacks import build
from groundwire.types import Passage

STACKS = (DEFAULT, "bm25", "dense", "sparse", "rrf(bm25,dense)", f"rrf(bm25,dense)+{DEFAULT.partition('+')[2]}")
"""What a request may ask an index by. A stack can name a model, and with it a folder, so no other is read from outside."""


AnyInfo = IndexInfo | MilvusInfo | LuceneInfo
"""What is in an index, by where it is; each counts `passages` and has `to_dict`."""


class Shelf(Closing):
    """Open indexes by name. Safe for any number of threads. `infos` are as they were when the indexes were opened."""

    def __init__(self, places: Mapping[str, str]) -> None:
        """Open the indexes. Raises MissingIndex, CorruptIndex and what else opening one raises; then none is open."""
        self._lock = Lock()
        self._stacks: dict[tuple[str, str], Retriever] = {}
        self._indexes: dict[str, Any] = {}
        self.infos: dict[str, AnyInfo] = {}
        with ExitStack() as opened:
            for name, place in places.items():
                index = open_index(place)
                opened.enter_context(index)
                self._indexes[name], self.infos[name] = index, index.info()
            self._opened = opened.pop_all()

    def close(self) -> None:
        """Close them all. Twice is once."""
        self._opened.close()

    def index(self, name: str) -> Any:
        """Return the open index of this name. Raises UnknownName."""
        if name not in self._indexes:
            raise UnknownName("index", name, self._indexes)
        return self._indexes[name]

    def retriever(self, name: str, stack: str | None = None) -> Retriever:
        """Return what searches an index, by default as `groundwire search` does; built once.

        Raises UnknownName for an index or a stack that is not served, Unavailable where the index lacks what it needs.
        """
        index, wanted = self.index(name), (stack or DEFAULT).replace(" ", "")
        if wanted not in STACKS:
            raise UnknownName("stack", wanted, STACKS)
        with self._lock:
            key = (name, wanted)
            if key not in self._stacks:
                self._stacks[key] = build(wanted, index)
            return self._stacks[key]

    def passages(self, name: str, offset: int, limit: int) -> list[Passage]:
        """Return a page of the passages of an index, in its order; past the end there are none. Raises UnknownName."""
        index = self.index(name)
        if isinstance(index, LocalIndex):
            return index.page(offset, limit)
        every: Iterator[Passage] = index.passages()
        return list(islice(every, offset, offset + limit))
