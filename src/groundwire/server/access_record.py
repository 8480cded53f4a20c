"""What may be said of a request afterwards, to a log, a metric or a trace.

Left out, by construction: texts, keys, addresses, paths and queries; a client is the beginning of its key's digest.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessRecord:
    """One request. `route` is the template of its path, `none` where none was reached; `refused` the code of the guard's
    refusal, empty for what a route answered; `status` 499 for a client that left."""

    id: str
    client: str
    method: str
    route: str
    status: int
    refused: str
    seconds: float
