"""What the server leans on in uvicorn beside what that promises: looked for before it listens.

Connections are read and ended by subclasses of uvicorn's (`protocol`, `run`), which touch its insides. pyproject.toml holds
it to the versions that the tests were run with; where another one was installed all the same, what it lacks is named at the
start, and not found out by a request. Left out: whether what is there does what it did, which only the tests can say.
"""

from __future__ import annotations

import dis
from collections.abc import Iterator, Mapping

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from groundwire.errors import Unavailable

LEANED_ON: Mapping[type, str] = {
    HttpToolsProtocol: "connections cycle headers loop parser pipeline scope server_state transport url "
    "connection_made connection_lost data_received on_message_begin on_header on_headers_complete on_body "
    "on_message_complete pause_writing resume_writing _unset_keepalive_if_required",
    RequestResponseCycle: "disconnected keep_alive message_event more_body response_complete response_started",
    ServerState: "connections default_headers tasks",
    uvicorn.Server: "force_exit lifespan server_state servers capture_signals handle_exit on_tick run shutdown startup",
}
"""Attributes and methods, by the class that has them."""


def fits() -> None:
    """Raise Unavailable, which names them, where the installed uvicorn lacks names that the server leans on."""
    lacking = [f"{kind.__name__}.{name}" for kind, names in LEANED_ON.items() for name in _lacking(kind, names)]
    if lacking:
        raise Unavailable(
            f"uvicorn {uvicorn.__version__} is not one that this server works with: it lacks {', '.join(lacking)}",
            "pip install 'groundwire[server]' takes one that it was tested with",
        )


def _lacking(kind: type, names: str) -> list[str]:
    has = {*dir(kind), *(name for base in kind.__mro__ for name in _set_by(base))}
    return [name for name in names.split() if name not in has]


def _set_by(kind: type) -> Iterator[str]:
    """Yield the attributes that the methods of a class set, on whatever object; those that are only declared too."""
    yield from vars(kind).get("__annotations__", {})
    for made in vars(kind).values():
        if code := getattr(made, "__code__", None):
            yield from (step.argval for step in dis.get_instructions(code) if step.opname == "STORE_ATTR")
