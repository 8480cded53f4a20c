"""The door to an index wherever it is: a folder on this machine, or `milvus:` and an address.

Left out: the indexes themselves (`local`, `milvus`).
"""

from __future__ import annotations

from pathlib import Path

from groundwire.errors import InputError
from groundwire.index import local
from groundwire.index.local import LocalIndex
from groundwire.index.milvus import MilvusIndex
from groundwire.index.milvus.address import is_milvus

AnyIndex = LocalIndex | MilvusIndex
"""Both have the verbs add, remove, compact, check, info, passage, held, passages, bm25 and close."""


def open_index(spec: str | Path) -> AnyIndex:
    """Open the index in a folder, or at `milvus:./file.db` or `milvus:http://host:19530`, with `/collection` behind it.

    Raises MissingIndex where there is none, and what opening the one or the other raises.
    """
    return MilvusIndex.open(str(spec)) if is_milvus(spec) else LocalIndex.open(_folder(spec))


def create_index(spec: str | Path, *, analyzer: str = "english") -> AnyIndex:
    """Make an empty index in a folder or at an address. Raises UsageError where there is one, or something else."""
    if is_milvus(spec):
        return MilvusIndex.create(str(spec), analyzer=analyzer)
    return LocalIndex.create(_folder(spec), analyzer=analyzer)


def check(spec: str | Path) -> list[str]:
    """Read every byte of the index; return what is wrong with it, [] when it is sound.

    Raises MissingIndex where there is none, and what connecting raises.
    """
    if not is_milvus(spec):
        return local.check(_folder(spec))
    with MilvusIndex.open(str(spec)) as opened:
        return opened.check()


def _folder(spec: str | Path) -> str | Path:
    if not isinstance(spec, (str, Path)) or not str(spec):
        raise InputError(f"an index is named by a folder or an address, not {spec!r}", "a folder, or milvus:./file.db")
    return spec
