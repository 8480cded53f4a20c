"""Where the files of a data set lie: those that were named, those of a folder, or those of the folder of all data.

Left out: what the files hold (`records.py`), and fetching them (`hub.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from groundwire.errors import InputError
from groundwire.evals.datasets.described import DatasetInfo
from groundwire.evals.datasets.fields import no_split
from groundwire.evals.datasets.records import Record, records

PACKED = ".gz"
_GENERIC = ("{split}", "*", "data/")
"""How patterns begin that say nothing of the data set: they count only in a folder of its own."""


@dataclass(frozen=True, slots=True)
class Place:
    """The files of one data set, in their order, and the split of their rows that was asked for (None: its default)."""

    name: str
    files: tuple[Path, ...]
    split: str | None = None

    @property
    def folder(self) -> Path:
        """The folder of the first file, where what belongs to it may lie."""
        return self.files[0].parent

    def records(self) -> Iterator[Record]:
        """Yield the rows of every file. Raises InputError that names the line."""
        return chain.from_iterable(records(path) for path in self.files)

    def beside(self, *patterns: str) -> list[Path]:
        """Return the files of the first of these patterns that is in the folder, by name."""
        return matching(self.folder, patterns)


def matching(folder: Path, patterns: tuple[str, ...]) -> list[Path]:
    """Return the files of the first pattern that any file in a folder has, packed or not, by name."""
    for pattern in patterns:
        files = sorted(path for each in (pattern, pattern + PACKED) for path in folder.glob(each) if path.is_file())
        if files:
            return files
    return []


def find(info: DatasetInfo, path: Path | None, split: str | None, data: Path | None) -> Place:
    """Find the files of a data set. `path` is one file or a folder; without it they are looked for under `data`.

    Raises InputError where there are none, or where the data set has no such split.
    """
    if split is not None and split not in info.splits:
        raise no_split(info.name, split, info.splits)
    if path is None:
        return _in_data(info, split, data)
    if not path.is_dir():
        if split is not None and info.split_by_file and split not in path.name:
            raise InputError(f"{path} is one split of {info.name}, not {split!r}", "give the folder of all its splits")
        return Place(info.name, (path,), split)
    files = matching(path, _patterns(info, split))
    if not files:
        raise InputError(f"{path} holds no file of {info.name}", f"wanted {' or '.join(_patterns(info, split))}")
    return Place(info.name, tuple(files), split)


def here(info: DatasetInfo, data: Path | None) -> bool:
    """Say whether a data set lies in the folder of data, in any of its splits."""
    if data is None or not info.reader:
        return False
    for split in (None, *info.splits):
        with suppress(InputError):
            return bool(_in_data(info, split, data).files)
    return False


def _patterns(info: DatasetInfo, split: str | None, *, telling: bool = False) -> tuple[str, ...]:
    """Return the names of the files, rows of our own form first, with the split written in.

    Our own form does not say a row's split, so it counts for a split only where its name does. `telling` leaves out what
    says nothing of the data set.
    """
    chosen = split or (info.splits[0] if info.splits else "")
    kept = tuple(f"{name}.jsonl" for name in info.kept if split is None or "{split}" in name)
    files = tuple(name for name in info.files if not (telling and name.startswith(_GENERIC)))
    return tuple(name.format(split=chosen) for name in (*kept, *files))


def _in_data(info: DatasetInfo, split: str | None, data: Path | None) -> Place:
    if data is None:
        raise InputError(
            f"where is {info.name}?", f"{info.name}=FILE, or a folder of data: --data-dir, GROUNDWIRE_DATA"
        )
    if not data.is_dir():
        raise InputError(f"the data folder {data} is not there", "--data-dir or GROUNDWIRE_DATA names one that is")
    for name in dict.fromkeys((info.name.replace(":", "-"), info.name.partition(":")[2], info.name.partition(":")[0])):
        files = matching(data / name, _patterns(info, split)) if name else []
        if files:
            return Place(info.name, tuple(files), split)
    for folder in (data, *sorted(each for each in data.iterdir() if each.is_dir())):
        files = matching(folder, _patterns(info, split, telling=True))
        if files:
            return Place(info.name, tuple(files), split)
    wanted = f"{info.name.replace(':', '-')}/ with {' or '.join(_patterns(info, split))}"
    raise InputError(f"{data} holds no {info.name}", f"wanted {wanted}; it is published at {info.url}")
