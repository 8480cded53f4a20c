"""Who may ask: a key in one of the headers that clients send one in.

Left out: which paths are open (`gate`), and where keys come from (`groundwire.cli.serve`).
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator, Mapping
from hashlib import sha256
from hmac import compare_digest
from typing import Any

from groundwire.server.errors import AUTHENTICATION, ApiError
from groundwire.server.guard.headers import values

ANYONE = "anyone"
"""Who asks a server without keys."""
_PLAIN = (b"x-api-key", b"api-key", b"ocp-apim-subscription-key", b"x-goog-api-key")
_LONGEST = 4096


class Keys:
    """The keys of a server; none of them is kept, only their digests."""

    __slots__ = ("_digests",)

    def __init__(self, keys: tuple[str, ...]) -> None:
        self._digests = [sha256(key.encode()).digest() for key in keys]

    def holder(self, scope: Mapping[str, Any]) -> str:
        """Return a name for the key that the request carries: the beginning of its digest, which gives nothing away.

        Every key is compared with every credential, digests against digests, so the time says nothing of how much of
        which key was right. Raises ApiError (401).
        """
        if not self._digests:
            return ANYONE
        found, message = None, "an API key is needed"
        for given in _credentials(scope):
            message = "this API key is not known"
            digest = sha256(given).digest()
            for known in self._digests:
                if compare_digest(digest, known):
                    found = known
        if found is None:
            # Basic, so that a browser asks for the key and can open the page; programs send a bearer token.
            asked = {"www-authenticate": 'Basic realm="groundwire", charset="UTF-8"'}
            raise ApiError(401, AUTHENTICATION, "invalid_api_key", message, headers=asked)
        return f"key-{found.hex()[:8]}"


def _credentials(scope: Mapping[str, Any]) -> Iterator[bytes]:
    for name in _PLAIN:
        for value in values(scope, name):
            yield value[:_LONGEST]
    for value in values(scope, b"authorization"):
        scheme, _, rest = value[:_LONGEST].partition(b" ")
        rest = rest.strip()
        if scheme.lower() == b"bearer":
            yield rest
        elif scheme.lower() == b"basic":
            yield _password(rest)


def _password(encoded: bytes) -> bytes:
    try:
        return b64decode(encoded, validate=True).partition(b":")[2]
    except ValueError:
        return b""
