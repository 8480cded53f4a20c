"""Which names a request may have come to, and which pages may have sent it.

A page of somebody else's can make a browser send requests to a server on this machine: by a name that it points here (DNS
rebinding), or straight across origins. So `Host` has to be a name of ours, and what changes anything or costs work has to
come from no other page. Left out: keys, which come besides (`keys`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from groundwire.server.errors import BAD_REQUEST, PERMISSION, ApiError
from groundwire.server.guard.headers import SAFE_METHODS, values
from groundwire.server.settings import Settings, is_loopback

_HERE = frozenset({"localhost", "127.0.0.1", "::1"})
_HOST = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]{2,45})\]|(?P<name>[A-Za-z0-9._-]{1,253}))(?::(?P<port>[0-9]{1,5}))?")
_OWN_SITES = (b"same-origin", b"none")


class Hosts:
    """The names that this server answers to.

    An address in numbers needs no name to be pointed here, so a server that is open to others takes any; one on the
    loopback takes only its own.
    """

    __slots__ = ("_any", "_names", "_numbers")

    def __init__(self, settings: Settings) -> None:
        self._any = "*" in settings.allowed_hosts
        self._names = _HERE | {settings.host.lower()} | {name.lower() for name in settings.allowed_hosts}
        self._numbers = not is_loopback(settings.host)

    def check(self, scope: Mapping[str, Any]) -> None:
        """Raise ApiError (400) unless the request names this server once, by a name of its own."""
        given = values(scope, b"host")
        name = host_name(given[0]) if len(given) == 1 else None
        if name is None or not (self._any or name in self._names or (self._numbers and _is_number(name))):
            message = "this server does not answer to that Host: --allow-host says to which it does"
            raise ApiError(400, BAD_REQUEST, "host_not_allowed", message)


def check_origin(scope: Mapping[str, Any]) -> None:
    """Raise ApiError (403) when a browser says that another site's page sent something that is not merely looked at."""
    if scope["method"] in SAFE_METHODS:
        return
    sites = values(scope, b"sec-fetch-site")
    origins = values(scope, b"origin")
    if any(site not in _OWN_SITES for site in sites) or any(not _is_own(o, scope) for o in origins):
        raise ApiError(403, PERMISSION, "cross_origin", "requests of other sites' pages are not taken")


def host_name(value: bytes) -> str | None:
    """Return the name or address in a Host header, in lower case and without its port; None for one that is malformed."""
    found = _HOST.fullmatch(value.decode("latin-1"))
    return (found["six"] or found["name"]).lower() if found else None


def _is_own(origin: bytes, scope: Mapping[str, Any]) -> bool:
    hosts = values(scope, b"host")
    try:
        parts = urlsplit(origin.decode("ascii"))
    except ValueError:
        return False
    # Compared with the port: another server on this machine is another origin.
    return (
        parts.scheme in ("http", "https")
        and len(hosts) == 1
        and parts.netloc.lower() == hosts[0].decode("latin-1").lower()
    )


def _is_number(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
