"""The index: passages in a folder or on Milvus, found by BM25. `open_index` opens either; `create`, `add`, `remove`, `bm25`."""

from groundwire.index.bm25 import Bm25
from groundwire.index.local import IndexInfo, LocalIndex, check
from groundwire.index.milvus import MilvusIndex
from groundwire.index.opening import AnyIndex, create_index, open_index
from groundwire.index.writer import Added

__all__ = [
    "Added",
    "AnyIndex",
    "Bm25",
    "IndexInfo",
    "LocalIndex",
    "MilvusIndex",
    "check",
    "create_index",
    "open_index",
]
