"""Data sets opened by name: finds the files, the reader, and gives labelled cases one at a time.

Whatever the name, rows of our own form (`answer`, `contexts`, `label`, as `groundwire data convert` writes them) are read
too. An id that comes again gets `#2`, `#3` …, so that every case of a run has an id of its own; what is held of a row is a
number of 64 bits. Left out: the formats (one file a family), and drawing (`groundwire.cli.data`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import chain
from pathlib import Path

from groundwire import _env
from groundwire.errors import InputError, UsageError
from groundwire.evals.datasets import canonical, hub
from groundwire.evals.datasets.catalogue import SETS, info
from groundwire.evals.datasets.described import DatasetInfo
from groundwire.evals.datasets.place import Place, find
from groundwire.evals.datasets.records import SUFFIXES
from groundwire.types import Case

Reader = Callable[[Place], Iterator[Case]]
"""What every family has: the cases of the files of one data set."""

_PACKAGE = "groundwire.evals.datasets"


def open(  # noqa: A001
    name: str, path: Path | None = None, *, split: str | None = None, data: Path | None = None
) -> Iterator[Case]:
    """Yield the labelled cases of a data set, in the order of its files.

    `path` is its published file or the folder of its files; without it they are looked for in the folder `data`, by
    default that of GROUNDWIRE_DATA. A `name` of the form hf:ORG/NAME[@REVISION][#FILE] is fetched from the Hugging Face
    hub (extra `hub`) and read as the data set whose repository it is, else as rows of our own form; with a `path` of that
    form it is read as `name`. `split` is one of those that the data set has.

    Raises, at once or on the way, UnknownName, InputError (no such file or split, no rows, other columns than wanted, a
    line that is not JSON), UsageError for what is searched and not checked, NetworkError where the hub is not reached,
    MissingExtra.
    """
    if name.startswith(hub.PREFIX):
        return _cases(_by_repository(name), Path(name), split, data)
    return _cases(info(name), path, split, data)


@dataclass(frozen=True, slots=True)
class Asked:
    """A data set as a user names it; the fields are those of `open`."""

    name: str
    path: Path | None = None
    split: str | None = None


def named(value: str) -> Asked | None:
    """Return what `NAME[@SPLIT][=PATH]` or `hf:…` stands for; None where it is no name: a file, then.

    A file or folder that has all of it for its name comes before a data set.
    """
    if value.startswith(hub.PREFIX):
        return Asked(value)
    before, equals, path = value.partition("=")
    name, at, split = before.partition("@")
    if name not in SETS or (equals and not path) or (at and not split) or Path(value).exists():
        return None
    return Asked(name, Path(path) if path else None, split or None)


def _by_repository(name: str) -> DatasetInfo:
    """Return the data set that a repository of the hub holds."""
    repository = hub.parsed(name).repository
    return next((known for known in SETS.values() if known.hub == repository), SETS["rows"])


def _cases(about: DatasetInfo, path: Path | None, split: str | None, data: Path | None) -> Iterator[Case]:
    if not about.reader:
        raise UsageError(f"{about.name} has no labels to evaluate on", about.note)
    if path is not None and str(path).startswith(hub.PREFIX):
        place = Place(about.name, tuple(hub.fetch(str(path), split)), None if about.split_by_file else split)
    else:
        place = find(about, path, split, data or _env.data_folder())
    _readable(place)
    return _unique(_any(place, _read(about, place)))


def _readable(place: Place) -> None:
    for file in place.files:
        if not any(file.name.removesuffix(".gz").endswith(suffix) for suffix in SUFFIXES):
            raise InputError(f"{file} is no file that can be read", f"wanted {', '.join(SUFFIXES)}, .gz or not")


def _read(about: DatasetInfo, place: Place) -> Iterator[Case]:
    """Read rows of our own form where the first one is such a row, and the published form else."""
    first = next(place.records(), None)
    if first is not None and canonical.is_row(first):
        return canonical.rows(place)
    module, _, function = about.reader.partition(":")
    reader: Reader = getattr(import_module(f"{_PACKAGE}.{module}"), function)
    return reader(place)


def _any(place: Place, cases: Iterable[Case]) -> Iterator[Case]:
    """Raise InputError where there is no case at all."""
    iterator = iter(cases)
    first = next(iterator, None)
    if first is None:
        split = f" of the split {place.split}" if place.split else ""
        raise InputError(f"{place.files[0]} has no rows{split} of {place.name}", f"groundwire data info {place.name}")
    yield from chain([first], iterator)


def _unique(cases: Iterable[Case]) -> Iterator[Case]:
    """Number the ids that come again."""
    seen: set[int] = set()
    counts: dict[int, int] = {}
    for case in cases:
        given, key = case, _key(case.id)
        while _key(given.id) in seen:
            counts[key] = counts.get(key, 1) + 1
            given = replace(case, id=f"{case.id}#{counts[key]}")
        seen.add(_key(given.id))
        yield given


def _key(id_: str) -> int:
    return int.from_bytes(hashlib.blake2b(id_.encode("utf-8", "surrogatepass"), digest_size=8).digest())
