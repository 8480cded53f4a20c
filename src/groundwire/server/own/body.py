"""The body of a request as one JSON object, read so that it has one meaning only.

Refused are NaN and infinities (also those that a number overflows to), a name that stands twice in one object, text that
is not UTF-8, and nesting without end. Lone surrogates are text like any other. Left out: how long a body may be
(`groundwire.server.guard`), and what its fields mean.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from starlette.requests import Request

from groundwire.server.errors import BAD_REQUEST, ApiError
from groundwire.server.replies import LIGHT

T = TypeVar("T")
DEEPEST = 64
"""Objects and arrays inside each other; a case needs four."""


async def read_object(request: Request) -> dict[str, Any]:
    """Return the object that the body is. Raises ApiError (400) for everything else, without a word of what it holds."""
    return await aside(object_of, await request.body())


async def aside(read: Callable[[bytes], T], body: bytes) -> T:
    """Return what is read of a body, in a thread where it is so large that others would wait for it."""
    return read(body) if len(body) <= LIGHT else await asyncio.to_thread(read, body)


def object_of(body: bytes) -> dict[str, Any]:
    """Return the object that these bytes are. Raises ApiError (400)."""
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise refused("the body is not UTF-8 text") from None
    if not text.strip():
        raise refused("the body is empty: it has to be a JSON object")
    try:
        found = strict_json(text)
    except json.JSONDecodeError as error:
        raise refused(f"the body is not JSON (line {error.lineno}, column {error.colno})") from None
    except RecursionError:
        raise refused("the body is nested too deeply") from None
    except ValueError:  # an integer of more digits than Python converts
        raise refused("the body holds a number with too many digits") from None
    if not isinstance(found, dict):
        raise refused("the body has to be a JSON object")
    if _deeper_than(found, DEEPEST):
        raise refused("the body is nested too deeply")
    return found


def strict_json(text: str) -> Any:
    """Parse JSON. Raises ApiError for what is read in two ways, ValueError and RecursionError for what is not JSON."""
    return json.loads(text, parse_constant=_no_number, parse_float=_finite, object_pairs_hook=_once)


def refused(message: str) -> ApiError:
    """A body that is no request."""
    return ApiError(400, BAD_REQUEST, "invalid_json", message)


def _no_number(name: str) -> NoReturn:
    raise refused(f"{name} is not JSON: numbers are finite")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise refused("the body holds a number that is too large")
    return number


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise refused("a name stands twice in one object of the body")
    return found


def _deeper_than(value: Any, levels: int) -> bool:
    """Say whether a value holds more than so many levels; level by level, so that no nesting is too deep to be seen."""
    layer = [value]
    for _ in range(levels + 1):
        layer = [
            inner
            for outer in layer
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, (dict, list))
        ]
        if not layer:
            return False
    return True
