"""The index: passages in a folder or on Milvus, found by BM25 and by encoders. `open_index` opens either."""

from groundwire.index.bm25 import Bm25
from groundwire.index.dense import Dense
from groundwire.index.embedding import Embedded
from groundwire.index.encoders import Kind
from groundwire.index.info import IndexInfo
from groundwire.index.local import LocalIndex
from groundwire.index.milvus import MilvusIndex
from groundwire.index.opening import AnyIndex, check, create_index, open_index
from groundwire.index.sparse import Sparse
from groundwire.index.writer import Added

__all__ = [
    "Added",
    "AnyIndex",
    "Bm25",
    "Dense",
    "Embedded",
    "IndexInfo",
    "Kind",
    "LocalIndex",
    "MilvusIndex",
    "Sparse",
    "check",
    "create_index",
    "open_index",
]
