"""The headers of a request, read strictly, and those that every answer carries.

Left out: who may ask (`hosts`, `keys`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from secrets import token_hex
from typing import Any

from groundwire.server.errors import BAD_REQUEST, ApiError

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_REQUEST_ID = re.compile(rb"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_SECURITY = (
    (
        b"content-security-policy",
        b"default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
)
_UNKEPT = (b"cache-control", b"no-store")


def values(scope: Mapping[str, Any], name: bytes) -> list[bytes]:
    """Return every value of a header; `name` in lower case."""
    return [value for key, value in scope["headers"] if key == name]


def request_id(scope: Mapping[str, Any]) -> str:
    """Return the id that the client gave, when it is a sane one, else a new one."""
    given = values(scope, b"x-request-id")
    if len(given) == 1 and _REQUEST_ID.fullmatch(given[0]):
        return given[0].decode("ascii")
    return token_hex(12)


def declared_length(scope: Mapping[str, Any]) -> int | None:
    """Return how long the body says it is, None where it says nothing.

    Raises ApiError (400) for a length that is said twice, is no number, or stands beside a transfer coding: where two
    readers could disagree about the end of a request, neither may guess. And (415) for a body that is compressed.
    """
    lengths = values(scope, b"content-length")
    if len(lengths) > 1 or (lengths and values(scope, b"transfer-encoding")):
        raise _malformed("the length of the body is said twice")
    if any(coding.strip().lower() != b"identity" for coding in values(scope, b"content-encoding")):
        raise ApiError(415, BAD_REQUEST, "compressed_body", "bodies are taken as they are, without a content coding")
    if not lengths:
        return None
    if not (lengths[0].isdigit() and len(lengths[0]) <= 18):
        raise _malformed("the length of the body is no number")
    return int(lengths[0])


def answering(given: Iterable[tuple[bytes, bytes]], request: str, *, closing: bool) -> list[tuple[bytes, bytes]]:
    """Return an answer's headers with those that every answer has; what the route said itself stands.

    `closing` says that the connection ends with this answer.
    """
    headers = [(name.lower(), value) for name, value in given]
    said = {name for name, _ in headers}
    headers += [header for header in (*_SECURITY, _UNKEPT) if header[0] not in said]
    headers.append((b"x-request-id", request.encode("ascii")))
    if closing and b"connection" not in said:
        headers.append((b"connection", b"close"))
    return headers


def _malformed(message: str) -> ApiError:
    return ApiError(400, BAD_REQUEST, "malformed_request", message)
