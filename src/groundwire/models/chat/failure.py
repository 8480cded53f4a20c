"""What can go wrong between a request and its reply, as one exception that stays inside this folder.

Left out: turning it into a value or an error for the caller (`calls`).
"""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """The class of a failure, as reports count it."""

    TIMEOUT = "timeout"
    CONNECTION = "connection"
    RATE_LIMITED = "rate_limited"
    SERVER = "server_error"
    MALFORMED = "malformed"
    TOO_LARGE = "too_large"
    REJECTED = "rejected"
    """The endpoint will not take this request, however often it is sent."""
    KEY = "key_refused"
    UNKNOWN = "unknown_model"
    NOT_ASKED = "not_asked"
    """The breaker is open, or the time of the batch is over."""


LASTING = frozenset({Kind.REJECTED, Kind.KEY, Kind.UNKNOWN, Kind.NOT_ASKED})
"""Never tried again."""
MISCONFIGURED = frozenset({Kind.KEY, Kind.UNKNOWN})
"""Of an endpoint that has never answered, these say that it is set up wrong."""
BY_STATUS = {401: Kind.KEY, 403: Kind.KEY, 404: Kind.UNKNOWN, 408: Kind.TIMEOUT, 429: Kind.RATE_LIMITED}


class Failure(Exception):
    """One failed exchange. `wait` is how many seconds the endpoint asks to be left alone, None where it says nothing."""

    def __init__(self, kind: Kind, message: str, *, wait: float | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.wait = wait

    @property
    def lasting(self) -> bool:
        """True when asking again cannot help."""
        return self.kind in LASTING

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"


def kind_of(status: int) -> Kind:
    """Return the class of an HTTP status that is no success."""
    if status >= 500 or status in (409, 425):
        return Kind.SERVER
    return BY_STATUS.get(status, Kind.REJECTED)
