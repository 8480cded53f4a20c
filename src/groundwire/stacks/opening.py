"""What somebody gives for an index, as a retriever: the place of one, one that is open, or a retriever.

Left out: making an index (`groundwire.index`).
"""

from __future__ import annotations

from contextlib import ExitStack
from os import PathLike
from pathlib import Path
from typing import Union

from groundwire.errors import InputError
from groundwire.protocols import Retriever
from groundwire.stacks.building import SearchedIndex, build
from groundwire.stacks.grammar import parse

Index = Union[str, "PathLike[str]", SearchedIndex, Retriever]
"""What passages are found in: the folder of an index or its address on Milvus, one that is open, or any retriever."""


def opened_retriever(index: Index, stack: str, opened: ExitStack) -> tuple[SearchedIndex | None, Retriever]:
    """Return the index, where there is one, and what searches it; what is opened here is closed with `opened`.

    A retriever is used as it is, whatever the stack. Raises InputError for what is neither, UsageError for a stack that
    cannot be read, and what opening the index and building the stack raise.
    """
    if isinstance(index, Retriever):
        return None, index
    parse(stack)  # a stack that cannot be read says so before anything is opened
    if isinstance(index, (str, PathLike)):
        from groundwire.index import open_index

        # An address stays the string that it is: a path would make one slash of two.
        found = open_index(index if isinstance(index, str) else Path(index))
        opened.enter_context(found)
        return found, build(stack, found)
    if not hasattr(index, "bm25"):
        raise InputError(f"index must be a folder, an index or a retriever, not {type(index).__name__}", "index='DIR'")
    return index, build(stack, index)
