"""Data sets on the Hugging Face hub: `hf:ORG/NAME`, with `@REVISION` and `#FILE` where they are wanted.

Only files of rows are fetched (JSON, CSV, Parquet), never a script, through the hub's own client and its cache. Left out:
talking to the hub (`groundwire.models.checkpoints`), and its configurations: a file is asked for by its name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from groundwire import _env
from groundwire.errors import InputError, NetworkError, Unavailable
from groundwire.evals.datasets.records import SUFFIXES
from groundwire.models.checkpoints import Hub, HuggingFaceHub

PREFIX = "hf:"
_NAME = re.compile(r"hf:(?P<repository>[\w.-]+(?:/[\w.-]+)?)(?:@(?P<revision>[^#]+))?(?:#(?P<file>.+))?")
_SHARD = re.compile(r"-\d{5}-of-\d{5}(?=\.)")
_NOT_ROWS = frozenset({"dataset_infos.json", "config.json", "state.json", "dataset_info.json"})


@dataclass(frozen=True, slots=True)
class Address:
    """A repository of the hub, at a revision, and the file of it that is wanted (None: its only one)."""

    repository: str
    revision: str
    file: str | None


def parsed(name: str) -> Address:
    """Return what a name of the hub says. Raises InputError."""
    match = _NAME.fullmatch(name)
    if match is None:
        raise InputError(f"{name!r} names no data set of the hub", "hf:ORG/NAME, hf:ORG/NAME@REVISION#FILE")
    return Address(match["repository"], match["revision"] or "main", match["file"])


def fetch(name: str, split: str | None = None, *, hub: Hub | None = None) -> list[Path]:
    """Bring the files of one table of a data set to this machine and return them, shards in their order.

    `split` chooses among files by their names. `hub` is asked in the hub's place. Raises InputError where the repository
    has several tables and none is named, NetworkError where it is not reached or must not be (GROUNDWIRE_OFFLINE)
    and is not in the cache, Unavailable for a repository that is gated or not there, MissingExtra.
    """
    address = parsed(name)
    asked = hub or HuggingFaceHub(offline=_env.offline(), token=_env.hub_token(), kind="dataset")
    try:
        listing = asked.files(address.repository, address.revision)
        chosen = _chosen(address, listing.names, split)
        folder = asked.fetch(address.repository, listing.commit, chosen)
    except NetworkError as error:
        hint = "download it where there is a network, then NAME=FILE; groundwire data info NAME says where from"
        raise NetworkError(error.message, hint) from error
    return [folder / each for each in chosen]


def _chosen(address: Address, names: tuple[str, ...], split: str | None) -> list[str]:
    tables: dict[str, list[str]] = {}
    for each in sorted(names):
        plain = each.removesuffix(".gz")
        if plain.endswith(SUFFIXES) and plain.rpartition("/")[2] not in _NOT_ROWS:
            tables.setdefault(_SHARD.sub("", each), []).append(each)
    if address.file is not None:
        if address.file in names:
            return [address.file]
        raise InputError(f"{address.repository} has no file {address.file!r}", f"it has {', '.join(tables) or 'none'}")
    if split is not None:
        tables = {table: files for table, files in tables.items() if split in table}
    if not tables:
        what = f"no file of the split {split!r}" if split else f"no {', '.join(SUFFIXES)}"
        raise Unavailable(f"{address.repository} has {what}, so it has no rows that can be read")
    if len(tables) > 1:
        hint = f"say which: {PREFIX}{address.repository}#FILE, or --split"
        raise InputError(f"{address.repository} has several tables: {', '.join(tables)}", hint)
    return next(iter(tables.values()))
