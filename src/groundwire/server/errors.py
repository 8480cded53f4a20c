"""What a request is told when it is not answered: one envelope for every route.

    {"error": {"type", "code", "message", "param", "request_id"}}

A message says what is wrong and never what was sent: no text, key, path or name of a model file comes back in it. Wires
that speak another service's language say by a `Shape` how an error looks there; which one is used is said by a mapping from
path prefixes that the application is built with. Left out: the handlers (`groundwire.server.handlers`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, TypeAlias

from groundwire import errors

BAD_REQUEST = "invalid_request_error"
AUTHENTICATION = "authentication_error"
PERMISSION = "permission_error"
NOT_FOUND = "not_found_error"
BUSY = "rate_limit_error"
TIMEOUT = "timeout_error"
UNAVAILABLE = "unavailable_error"
INTERNAL = "internal_error"
SOON = 2
"""Seconds after which one may ask again where nothing better is known: a start or a drain is a matter of seconds."""


class ApiError(Exception):
    """An answer that is an error: an HTTP status, a coarse type, a fine code, one sentence, and the field it is about.

    `headers` are added to the answer, names in lower case. The message must not hold anything that the request sent.
    """

    def __init__(
        self,
        status: int,
        type: str,  # noqa: A002 - the envelope's own word
        code: str,
        message: str,
        param: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.type = type
        self.code = code
        self.message = message
        self.param = param
        self.headers: dict[str, str] = dict(headers or {})


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How errors look below one path: the JSON for an error and a request's id, the status, and further headers."""

    body: Callable[[ApiError, str], dict[str, Any]]
    status: Callable[[ApiError], int] = attrgetter("status")
    headers: Callable[[ApiError], Mapping[str, str]] = attrgetter("headers")


Shapes: TypeAlias = Mapping[str, Shape]
"""Shapes by the prefix of the paths that they are for."""


def envelope(error: ApiError, request_id: str) -> dict[str, Any]:
    """Return the JSON of an error in our own shape."""
    told = {"type": error.type, "code": error.code, "message": error.message, "param": error.param}
    return {"error": {**told, "request_id": request_id}}


OURS = Shape(body=envelope)


def shape_of(path: str, shapes: Shapes) -> Shape:
    """Return the shape of the longest prefix of `path` in `shapes`, our own where there is none."""
    prefix = max((p for p in shapes if path.startswith(p)), key=len, default=None)
    return OURS if prefix is None else shapes[prefix]


def invalid(code: str, message: str, param: str | None = None) -> ApiError:
    """A request that can be read but not accepted (422)."""
    return ApiError(422, BAD_REQUEST, code, message, param)


def too_long(param: str, chars: int) -> ApiError:
    """A text over the limit (422); `chars` is the limit."""
    return invalid("text_too_long", f"a text has at most {chars} characters", param)


def too_many(param: str, items: int) -> ApiError:
    """More items than a request may hold (422); `items` is the limit."""
    return invalid("too_many_items", f"a request has at most {items} items", param)


def not_found(code: str, message: str, param: str | None = None) -> ApiError:
    """Nothing here has this name (404)."""
    return ApiError(404, NOT_FOUND, code, message, param)


def busy(retry_after: int) -> ApiError:
    """The queue is full (429); `retry_after` in whole seconds, from the measured rate."""
    told = "the queue is full: ask again after the seconds in Retry-After"
    return ApiError(429, BUSY, "queue_full", told, headers={"retry-after": str(max(1, retry_after))})


def unavailable(code: str, message: str, retry_after: int = SOON) -> ApiError:
    """Something that the request needs is not there now (503)."""
    return ApiError(503, UNAVAILABLE, code, message, headers={"retry-after": str(max(1, retry_after))})


def late() -> ApiError:
    """The verdict did not come in time and the work was given up (504)."""
    return ApiError(504, TIMEOUT, "deadline_exceeded", "the verdict took too long, so the work was given up")


def internal() -> ApiError:
    """A bug (500): nothing is said but the request's id, under which the log has the rest."""
    return ApiError(500, INTERNAL, "internal_error", "this is a bug in Groundwire; the log has it under the request_id")


def explained(error: BaseException) -> ApiError:
    """Turn any error into what the client is told of it.

    What is wrong with the machine (a path, an address) is for the log and not for the client, who gets a fixed sentence.
    """
    if isinstance(error, ApiError):
        return error
    if isinstance(error, BaseExceptionGroup):
        return explained(error.exceptions[0])
    if isinstance(error, errors.UnknownName):
        return invalid("unknown_name", "nothing has the name that was asked for")
    if isinstance(error, errors.UsageError):
        return invalid("invalid_input", error.message)
    for kind, made in _UNAVAILABLE:
        if isinstance(error, kind):
            return made(error)
    return internal()


_UNAVAILABLE: tuple[tuple[type[BaseException], Callable[[Any], ApiError]], ...] = (
    (errors.Busy, lambda e: busy(e.retry_after)),
    (errors.Expired, lambda e: late()),
    (errors.Cancelled, lambda e: unavailable("cancelled", "the request was given up")),
    (errors.CorruptIndex, lambda e: unavailable("index_damaged", "the index is damaged and is not used", 60)),
    (errors.MissingIndex, lambda e: unavailable("index_missing", "the index is not there", 60)),
    (errors.NetworkError, lambda e: unavailable("upstream_unreachable", "an endpoint could not be reached")),
    (
        errors.MissingExtra,
        lambda e: unavailable("not_installed", "this server was not installed with what it takes", 60),
    ),
    (errors.NotOpen, lambda e: unavailable("not_ready", e.message)),
    (errors.Unavailable, lambda e: unavailable("unavailable", "something that this request needs is not there", 5)),
)
