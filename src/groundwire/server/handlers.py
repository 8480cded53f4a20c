"""Whatever a route raises, turned into the answer that `groundwire.server.errors` says.

Left out: what goes wrong before a route is reached (`groundwire.server.guard`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from groundwire.errors import Cancelled, GroundwireError, NotOpen
from groundwire.server.errors import BAD_REQUEST, NOT_FOUND, ApiError, Shapes, explained, internal, invalid, shape_of
from groundwire.server.logs import Log
from groundwire.server.replies import reply

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,47}")
_ECHOING = {"union_tag_invalid": "the value says none of the kinds that are known"}
"""Kinds of pydantic's errors whose message holds what was sent, and what is said instead."""
_HTTP = {
    400: ApiError(400, BAD_REQUEST, "invalid_json", "the body is not JSON that can be read"),
    404: ApiError(404, NOT_FOUND, "unknown_path", "there is nothing at this path"),
    405: ApiError(405, BAD_REQUEST, "method_not_allowed", "this path does not take this method"),
}


def register(app: FastAPI, shapes: Shapes, log: Log) -> None:
    """Let the application answer every error, in the shape of its path.

    On the event loop: a plain function would be called in a thread, and a 429 would wait for one of few.
    """

    def answering(told: Callable[[Any], ApiError]) -> Callable[[Request, Exception], Coroutine[Any, Any, Response]]:
        async def handler(request: Request, error: Exception) -> Response:
            said = told(error)
            # Any other error the framework raises on, once it is answered, and the gate logs it.
            if said.status == 500 and isinstance(error, (ApiError, GroundwireError, HTTPException)):
                log.bug(request.scope["state"]["request_id"], error)
            elif said.status == 503 and not isinstance(error, (ApiError, Cancelled, NotOpen)):
                log.failure("unavailable", error)
            return answer(said, request.scope, shapes)

        return handler

    app.add_exception_handler(ApiError, answering(explained))
    app.add_exception_handler(GroundwireError, answering(explained))
    app.add_exception_handler(RequestValidationError, answering(of_validation))
    app.add_exception_handler(HTTPException, answering(of_http))
    app.add_exception_handler(Exception, answering(explained))


def answer(error: ApiError, scope: Mapping[str, Any], shapes: Shapes) -> Response:
    """Return the answer that says this error."""
    shape = shape_of(scope.get("path", ""), shapes)
    body = shape.body(error, scope.get("state", {}).get("request_id", ""))
    return reply(body, shape.status(error), {**error.headers, **shape.headers(error)})


def of_validation(error: RequestValidationError) -> ApiError:
    """Say the first thing that is wrong with a request, by the field's name and never by its value."""
    first = error.errors()[0]
    kind = str(first["type"])
    if kind == "json_invalid":
        return _HTTP[400]
    where = [_named(part) for part in first["loc"] if part not in ("body", "query", "path", "header")]
    message = _ECHOING.get(kind) or str(first["msg"]).removeprefix("Value error, ")
    return invalid(kind, message, ".".join(where) or None)


def of_http(error: HTTPException) -> ApiError:
    """Say what the framework says, in our words."""
    known = _HTTP.get(error.status_code)
    if known is None:
        known = internal() if error.status_code >= 500 else _refused(error.status_code)
    return ApiError(known.status, known.type, known.code, known.message, headers=error.headers)


def _refused(status: int) -> ApiError:
    return ApiError(status, BAD_REQUEST, "bad_request", "the request cannot be served")


def _named(part: Any) -> str:
    """Return a field's name as it may be said: a key is the client's text too, unless it looks like a name."""
    if isinstance(part, int):
        return str(part)
    return part if _NAME.fullmatch(part) else "(unnamed)"
