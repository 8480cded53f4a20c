"""Data sets as the commands name them: `NAME[@SPLIT][=PATH]`, `hf:ORG/NAME`, or a file of rows.

Left out: files of rows (`groundwire.cli.files`), and what the names stand for (`groundwire.evals.datasets`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from groundwire.cases import RowError
from groundwire.cli.files import CaseFile
from groundwire.errors import InputError
from groundwire.types import Case

if TYPE_CHECKING:
    from groundwire.evals.datasets import Asked


class LabelledFile(Protocol):
    """The rows of a file or of a data set; use it in a `with` statement."""

    path: str

    def __enter__(self) -> LabelledFile: ...

    def __exit__(self, *_: object) -> None: ...

    def __iter__(self) -> Iterator[Case | RowError]: ...

    def done(self) -> float | None:
        """Return the share that has been read, in [0, 1]; None where nobody knows."""
        ...


class NamedSet:
    """The cases of a data set, read as they are asked for. `path` is what was asked for, for messages."""

    def __init__(self, value: str, asked: Asked) -> None:
        from groundwire.evals import datasets

        self.path = value
        self._cases = datasets.open(asked.name, asked.path, split=asked.split)

    def __enter__(self) -> NamedSet:
        return self

    def __exit__(self, *_: object) -> None:
        return

    def __iter__(self) -> Iterator[Case | RowError]:
        return self._cases

    def done(self) -> float | None:
        """Return None: a data set is several files, of any form."""
        return None


def opened(value: str) -> LabelledFile:
    """Open what `--data` names: a data set by name, or else a file of labelled rows, `-` being standard input.

    Raises InputError when it cannot be read, NetworkError for hf:… where the hub is not reached.
    """
    from groundwire.evals.datasets import named as parse

    asked = parse(value)
    return CaseFile(value, gold=True, labelled=True) if asked is None else NamedSet(value, asked)


def named(value: str) -> Asked:
    """Return what `NAME[@SPLIT][=PATH]` or `hf:…` asks for. Raises UnknownName, InputError for a file without a name."""
    from groundwire.evals.datasets import info
    from groundwire.evals.datasets import named as parse

    asked = parse(value)
    if asked is not None:
        return asked
    if Path(value).exists():
        raise InputError(
            f"{value} is a file, and no data set by name", f"say which it is: NAME={value} (or rows={value})"
        )
    info(value.partition("=")[0].partition("@")[0])
    raise InputError(
        f"{value!r} names no data set", "NAME, NAME@SPLIT or NAME=PATH; groundwire data list has the names"
    )
