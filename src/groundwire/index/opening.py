"""The door to an index wherever it is: a folder on this machine, `milvus:` and an address, or `pyserini:` and Lucene's.

Left out: the indexes themselves (`local`, `milvus`, `pyserini`).
"""

from __future__ import annotations

from pathlib import Path

from groundwire.errors import InputError, UsageError
from groundwire.index import local
from groundwire.index.local import LocalIndex
from groundwire.index.milvus import MilvusIndex
from groundwire.index.milvus.address import is_milvus
from groundwire.index.pyserini import PyseriniIndex, is_pyserini

AnyIndex = LocalIndex | MilvusIndex | PyseriniIndex
"""All have the verbs add, remove, compact, check, info, passage, held, passages, bm25 and close; Lucene's refuses the first
three."""


def open_index(spec: str | Path) -> AnyIndex:
    """Open the index in a folder, or at `milvus:./file.db` or `milvus:http://host:19530`, with `/collection` behind it, or
    that of Lucene at `pyserini:PATH` or `pyserini:NAME`.

    Raises MissingIndex where there is none, and what opening the one or the other raises.
    """
    if is_pyserini(spec):
        return PyseriniIndex.open(str(spec))
    return MilvusIndex.open(str(spec)) if is_milvus(spec) else LocalIndex.open(_folder(spec))


def create_index(spec: str | Path, *, analyzer: str = "english") -> AnyIndex:
    """Make an empty index in a folder or at an address. Raises UsageError where there is one, or something else."""
    if is_milvus(spec):
        return MilvusIndex.create(str(spec), analyzer=analyzer)
    check_vacant(spec)
    return LocalIndex.create(_folder(spec), analyzer=analyzer)


def check_vacant(spec: str | Path) -> None:
    """Raise UsageError, before anything is read for it, where no index can be made: in a folder that holds something."""
    if is_pyserini(spec):
        raise UsageError(f"{spec} can only be searched", "name a folder for the index")
    if not is_milvus(spec):
        local.check_vacant(_folder(spec))


def check(spec: str | Path) -> list[str]:
    """Read every byte of the index; return what is wrong with it, [] when it is sound.

    Raises MissingIndex where there is none, and what connecting raises.
    """
    if not (is_milvus(spec) or is_pyserini(spec)):
        return local.check(_folder(spec))
    with open_index(spec) as opened:
        return opened.check()


def _folder(spec: str | Path) -> str | Path:
    if not isinstance(spec, (str, Path)) or not str(spec):
        raise InputError(f"an index is named by a folder or an address, not {spec!r}", "a folder, or milvus:./file.db")
    return spec
