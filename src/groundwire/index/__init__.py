"""The index: passages in a folder, on Milvus or in Lucene's, found by BM25 and by encoders. `open_index` opens any."""

from groundwire.index.bm25 import Bm25
from groundwire.index.dense import Dense
from groundwire.index.embedding import Embedded
from groundwire.index.encoders import Kind
from groundwire.index.info import IndexInfo
from groundwire.index.local import LocalIndex
from groundwire.index.milvus import MilvusIndex
from groundwire.index.opening import AnyIndex, check, check_vacant, create_index, open_index
from groundwire.index.pyserini import PyseriniIndex
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
    "PyseriniIndex",
    "Sparse",
    "check",
    "check_vacant",
    "create_index",
    "open_index",
]
