"""Where a Milvus index is: `milvus:./file.db`, `milvus:http://host:19530`, and either with `/collection` behind it.

Left out: whether anything answers there (`connection`).
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from groundwire.errors import UsageError

PREFIX = "milvus:"
COLLECTION = "groundwire"
"""The collection, where none is named."""

_HINT = "milvus:./file.db or milvus:http://host:19530, and /collection behind either"
_FILE = re.compile(r"(?P<path>.*\.db)(?:[/\\](?P<collection>[^/\\]*))?", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,254}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A file of milvus-lite (`path`) or a server (`url`), and the collection in it; its `str` reads back as the same."""

    collection: str = COLLECTION
    path: Path | None = None
    url: str | None = None

    def __str__(self) -> str:
        behind = "" if self.collection == COLLECTION else f"/{self.collection}"
        return f"{PREFIX}{self.path or self.url}{behind}"

    @property
    def local(self) -> bool:
        """True for a file, and for a server on this machine."""
        if self.path is not None:
            return True
        host = urlsplit(self.url or "").hostname or ""
        try:
            return host == "localhost" or ipaddress.ip_address(host).is_loopback
        except ValueError:
            return False


def is_milvus(spec: object) -> bool:
    """Say whether this names an index on Milvus, not a folder."""
    return isinstance(spec, str) and spec.startswith(PREFIX)


def read(spec: str) -> Address:
    """Read an address. Raises UsageError for what is none, and for one that holds a password: these would end up in logs."""
    place = spec.removeprefix(PREFIX).strip()
    if "://" in place:
        return _server(place)
    found = _FILE.fullmatch(place)
    if found is None:
        raise UsageError(f"{spec!r} is no address of a Milvus index", _HINT)
    return Address(path=Path(found["path"]), collection=_collection(found["collection"]))


def _server(place: str) -> Address:
    try:
        parts = urlsplit(place)
        _ = parts.port
    except ValueError:
        raise UsageError("the address of the Milvus server is not a URL", _HINT) from None
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        hint = "a token comes from GROUNDWIRE_MILVUS_TOKEN alone"
        raise UsageError("the address of a Milvus server may hold no name, password, query or fragment", hint)
    if parts.scheme not in ("http", "https") or not parts.hostname or not place.isprintable() or " " in place:
        raise UsageError(f"{place!r} is not the address of a Milvus server", _HINT)
    return Address(url=f"{parts.scheme}://{parts.netloc}", collection=_collection(parts.path.strip("/")))


def _collection(name: str | None) -> str:
    if name and not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name of a collection", "letters, digits and _, at most 255, no digit first")
    return name or COLLECTION
