"""What is known of a data set before a row of it is read.

Left out: the data sets themselves (`catalogue.py`).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetInfo:
    """What is known of a data set.

    `columns` are those of its rows as published. `rows` is how many cases it gives (of its first split), `supported` and
    `unsupported` how many of each label; None where its makers do not say. `reader` is "module:function"; empty for
    what is searched and not checked. `files` are the names of its published files (patterns of a folder's files, with
    `{split}` in the place of the split), `kept` the names under which rows of our own form may lie, `splits` those that it
    has, the one that is read by default first; `hub` is its repository on the Hugging Face hub.
    """

    name: str
    title: str
    licence: str
    url: str
    columns: tuple[str, ...]
    rows: int | None = None
    supported: int | None = None
    unsupported: int | None = None
    note: str = ""
    reader: str = ""
    files: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    splits: tuple[str, ...] = ()
    hub: str | None = None

    @property
    def split_by_file(self) -> bool:
        """True when each split is a file of its own."""
        return any("{split}" in name for name in self.files)
