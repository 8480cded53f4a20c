"""The listening socket: bound before anything is loaded, and closed without resetting whom the kernel let in.

Left out: what is done with connections (`groundwire.server.protocol`).
"""

from __future__ import annotations

import ctypes
import socket
import struct
import sys
from contextlib import suppress

from groundwire.errors import UsageError

_OWN_FILES = 1_024
"""Descriptors that indexes, models, threads and the upstream's connections may take."""
_SO_ATTACH_FILTER = 26
_FLAGS, _SYN, _ALL = 13, 0x02, 0xFFFFFFFF
_NO_NEW = b"".join(
    struct.pack("HBBI", *instruction)
    for instruction in ((0x30, 0, 0, _FLAGS), (0x45, 0, 1, _SYN), (0x06, 0, 0, 0), (0x06, 0, 0, _ALL))
)
"""A classic BPF program: load the byte of TCP's flags; when SYN is set, keep nothing of the packet, else all of it."""


def bound(host: str, port: int) -> socket.socket:
    """Return a socket that is bound to the address. Raises UsageError where that is impossible."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, proto)
    except OSError as error:
        raise UsageError(f"{host} is no address of this machine: {error.strerror}", "--host 127.0.0.1") from error
    try:
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        listener.close()
        raise UsageError(
            f"{host}:{port} cannot be served on: {error.strerror}", "--port 0 takes any that is free"
        ) from error
    listener.setblocking(False)
    return listener


def refuse_new(listener: socket.socket) -> None:
    """Let nobody else in, while those who are in can still be accepted.

    Closing a listening socket resets the connections that the kernel has completed and nobody has accepted, with the
    requests that were sent on them. On Linux a filter keeps further ones out first, and only those: who is half-way in comes
    in. A client that was kept out tries again after a second and is then refused. Elsewhere nothing is done.
    """
    if sys.platform != "linux":
        return
    program = ctypes.create_string_buffer(_NO_NEW, len(_NO_NEW))
    told = struct.pack("HP", len(_NO_NEW) // 8, ctypes.addressof(program))
    try:
        listener.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, told)
    except OSError:
        return  # a sandbox may forbid it: then the connections of the last instant are reset, as everywhere else


def make_room(connections: int) -> None:
    """Let the process open so many connections besides its own files, as far as the system allows it.

    Many systems start a process with 1 024 descriptors and let it have more: with none left nobody is let in, and no file
    and no connection to an upstream is opened either. Elsewhere than on Unix nothing is done.
    """
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + _OWN_FILES
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
