"""What the API's description says of every operation besides its own: how it asks for a key, and how each error looks there.

Errors are described by making them: each is put into the shape of its path, so a wire's statuses and bodies are those that it
answers with. Left out: what an operation takes and gives (its route).
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI

from groundwire.server.errors import BAD_REQUEST, ApiError, Shapes, internal, shape_of

_ANY = (400, 401, 403, 408, 413, 415, 503, 504)
"""Statuses that the guard may answer any operation with."""
_ASKED = (422, 429)
"""And those of a request that has a body."""
_NAMED = (404, 422)
"""And of one with a name in its path or a field in its query."""
_SCHEMES: dict[str, dict[str, str]] = {
    "bearer": {"type": "http", "scheme": "bearer"},
    "password": {"type": "http", "scheme": "basic", "description": "the key is the password, the user any"},
    **{
        name: {"type": "apiKey", "in": "header", "name": name}
        for name in ("x-api-key", "api-key", "Ocp-Apim-Subscription-Key", "x-goog-api-key")
    },
}


def describe(app: FastAPI, shapes: Shapes) -> None:
    """Let the application's description tell all of it, once every route is there."""
    plain = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _completed(plain(), shapes)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _completed(description: dict[str, Any], shapes: Shapes) -> dict[str, Any]:
    for path, methods in description["paths"].items():
        for operation in methods.values():
            responses = operation["responses"]
            responses.pop("422", None) if _frameworks(responses.get("422")) else None
            for status in _statuses(operation):
                told, response = _failing(status, path, shapes)
                responses.setdefault(told, response)
    components = description.setdefault("components", {})
    for name in ("HTTPValidationError", "ValidationError"):
        components.get("schemas", {}).pop(name, None)
    components["securitySchemes"] = _SCHEMES
    description["security"] = [{name: []} for name in _SCHEMES]
    return description


def _statuses(operation: dict[str, Any]) -> list[int]:
    asked = _ASKED if "requestBody" in operation else ()
    named = _NAMED if operation.get("parameters") else ()
    return sorted({*_ANY, *asked, *named})


def _failing(status: int, path: str, shapes: Shapes) -> tuple[str, dict[str, Any]]:
    """Return the status and the description of an error with our `status`, as it looks on this path."""
    known = internal()
    error = ApiError(status, BAD_REQUEST, known.code, known.message)
    shape = shape_of(path, shapes)
    told = shape.status(error)
    schema = _schema_of(shape.body(error, ""))
    return str(told), {
        "description": HTTPStatus(told).phrase,
        "content": {"application/json": {"schema": schema}},
    }


def _schema_of(value: Any) -> dict[str, Any]:
    """Return the schema of values like this one; what is null may also be a string."""
    if isinstance(value, dict):
        return {
            "type": "object",
            "properties": {name: _schema_of(inner) for name, inner in value.items()},
            "required": list(value),
        }
    if value is None:
        return {"type": ["string", "null"]}
    return {"type": "integer"} if isinstance(value, int) else {"type": "string"}


def _frameworks(response: Any) -> bool:
    """Say whether this is the framework's own description of what cannot be validated, which it never answers here."""
    return "HTTPValidationError" in str(response)
