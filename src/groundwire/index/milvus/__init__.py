"""The index on Milvus: a file of milvus-lite for a trial, a server or a cluster for more than one machine holds.

The same verbs as the index in a folder, and the same retrievers. pymilvus is imported when an index is opened, not before.
"""

from groundwire.index.milvus.index import MilvusIndex, MilvusInfo

__all__ = ["MilvusIndex", "MilvusInfo"]
