"""The way to Milvus: pymilvus when it is asked for, milvus-lite started once a file, and its errors as ours.

milvus-lite serves its file over a free port of this machine's loopback, for as long as an index on it is open; any user of
the machine can reach that port. Left out: what is asked (`index`, `retrievers`).
"""

from __future__ import annotations

import atexit
import logging
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from groundwire import _env
from groundwire._optional import require
from groundwire.errors import MissingIndex, NetworkError, Unavailable, UsageError
from groundwire.index.milvus.address import Address

EXTRA = "milvus"
CONNECTING = 5.0
"""Seconds in which a server has to answer at all."""
ASKING = 60.0
"""Seconds for one call, its retries among them."""
WORKING = 600.0
"""Seconds for loading a collection and for flushing it, which a cluster does in its own time."""

_REFUSED = ("unauthenticated", "auth check failure", "permission deny", "permission denied")
_UNREACHED = ("fail connecting", "unavailable", "deadline", "timeout", "retry run out", "failed to connect")


class Connection:
    """One client. `call` asks the server; `lite` says that it is milvus-lite."""

    def __init__(self, address: Address, client: Any, *, lite: bool) -> None:
        self.address, self.lite = address, lite
        self._client: Any = client
        self._closing = threading.Lock()

    def call(self, verb: str, *arguments: Any, **options: Any) -> Any:
        """Call a method of the client. Raises NetworkError when the server does not answer, Unavailable when it refuses."""
        if self._client is None:
            raise Unavailable(f"the index {self.address} is closed", "open it again")
        with translated(self.address):
            return getattr(self._client, verb)(*arguments, **{"timeout": ASKING, **options})

    def rows(self, fields: Sequence[str], *, at_once: int, where: str = "") -> Iterator[dict[str, Any]]:
        """Walk through these fields of all rows, or of those that pass the filter `where`, so many at once."""
        options = {"batch_size": at_once, "output_fields": list(fields), "filter": where, "consistency_level": "Strong"}
        with closing(self.call("query_iterator", self.address.collection, **options)) as found:
            while True:
                with translated(self.address):
                    some = found.next()
                if not some:
                    return
                yield from some

    def close(self) -> None:
        """Let go of the server; the last one to do so stops milvus-lite. Twice is once."""
        with self._closing:
            client, self._client = self._client, None
        if client is not None:
            with suppress(Exception):
                client.close()
            if self.address.path is not None:
                _release(self.address.path)


def connect(address: Address, *, make: bool) -> Connection:
    """Connect to a server, or start milvus-lite on a file; `make` allows for a file that is not there.

    Raises MissingExtra, MissingIndex where there is no file or something else, NetworkError when nothing answers within
    seconds or this run is offline, Unavailable when another process has the file open or the token is refused.
    """
    pymilvus = package("pymilvus")
    if address.path is not None:
        url, token, lite = _serve(address, address.path, make=make), None, True
    else:
        if _env.offline() and not address.local:
            raise NetworkError(f"{address} would have to be asked, and this run is offline", "unset GROUNDWIRE_OFFLINE")
        url, token, lite = str(address.url), _env.milvus_token(), False
    # A proxy of the environment is for the world outside.
    options = {"grpc.enable_http_proxy": 0} if address.local else {}
    try:
        with translated(address):
            client = pymilvus.MilvusClient(
                uri=url, token=token or "", timeout=CONNECTING, grpc_options=options, dedicated=True
            )
            lite = lite or str(client.get_server_version(timeout=CONNECTING)).startswith("milvus_lite")
    except BaseException:
        if address.path is not None:
            _release(address.path)
        raise
    return Connection(address, client, lite=lite)


@contextmanager
def translated(address: Address) -> Iterator[None]:
    """Turn what pymilvus raises into our errors."""
    failures = (package("pymilvus").MilvusException, package("grpc").RpcError, package("grpc").FutureTimeoutError)
    try:
        yield
    except failures as error:
        raise _ours(address, error) from error


def _ours(address: Address, error: Exception) -> Unavailable:
    said = str(getattr(error, "message", "") or error).strip()
    said = said.splitlines()[0][:300] if said else type(error).__name__
    lower = said.lower()
    if any(word in lower for word in _REFUSED):
        hint = "set GROUNDWIRE_MILVUS_TOKEN to user:password or an API key"
        return Unavailable(f"{address} refuses the token", hint)
    if "unimplemented" in lower:
        return NetworkError(f"what answers at {address} is no Milvus", "Milvus listens on port 19530")
    if any(word in lower for word in _UNREACHED):
        why = "" if said.startswith("Fail connecting") else f": {said}"
        return NetworkError(f"{address} does not answer{why}", "is the server up? Milvus listens on port 19530")
    return Unavailable(f"{address}: {said}", "groundwire needs Milvus 2.5, or milvus-lite 3.2, or later")


@cache
def package(name: str) -> Any:
    """Import a package of the extra; it may neither fill the environment from a .env file nor write tracebacks.

    Raises MissingExtra where it is not installed.
    """
    with _env.kept():
        found = require(name, EXTRA)
    for logger in ("pymilvus", "pymilvus.milvus_client", "milvus_lite"):
        logging.getLogger(logger).setLevel(logging.CRITICAL)
    return found


@dataclass(slots=True)
class _Served:
    """A file that is being served, and by how many it is used."""

    server: Any
    store: Any
    port: int
    users: int = 0


_served: dict[Path, _Served] = {}
_lock = threading.Lock()


def _serve(address: Address, path: Path, *, make: bool) -> str:
    """Serve a file, or use the one that serves it already; return its address."""
    _check(address, path, make=make)
    with _lock:
        found = _served.get(path.resolve())
        if found is None:
            found = _served[path.resolve()] = _started(path)
        found.users += 1
        return f"http://127.0.0.1:{found.port}"


def _check(address: Address, path: Path, *, make: bool) -> None:
    """Raise where `path` is not what milvus-lite has written: it would put its own files there."""
    try:
        names = {entry.name for entry in path.iterdir()} if path.is_dir() else None
    except OSError as error:
        raise Unavailable(f"cannot read {path}: {error.strerror}") from error
    foreign = (names and "collections" not in names) if names is not None else path.exists()
    if foreign and make:
        raise UsageError(f"{path} is something else, not a file of milvus-lite 3", "name another file for the index")
    if foreign:
        raise MissingIndex(str(address), "its file is something else, not a file of milvus-lite 3", taken=True)
    if not names and not make:
        raise MissingIndex(str(address), "there is no such file" if names is None else "it is empty")


def _started(path: Path) -> _Served:
    # Through its own entry point: the one that pymilvus uses logs what went wrong and returns nothing.
    starting = package("milvus_lite.adapter.grpc.server")
    locked = package("milvus_lite.exceptions").DataDirLockedError
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return _Served(*starting.start_server_in_thread(str(path.resolve())))
    except locked as error:
        raise Unavailable(f"another program has {path} open", "milvus-lite is for one process at a time") from error
    except OSError as error:
        raise Unavailable(f"cannot open {path}: {error.strerror or error}") from error


def _release(path: Path) -> None:
    with _lock:
        found = _served.get(path.resolve())
        if found is None:
            return
        found.users -= 1
        if found.users <= 0:
            del _served[path.resolve()]
            _stop(found)


def _stop(served: _Served) -> None:
    with suppress(Exception):
        served.server.stop(None).wait(1)
    with suppress(Exception):
        served.store.close()


@atexit.register
def _stop_all() -> None:
    """A server that nobody closed would keep the process alive."""
    with _lock:
        while _served:
            _stop(_served.popitem()[1])
