"""What the routes take, for the API's description: bodies are read by hand, so nothing else would tell.

Left out: the reading itself (`models`).
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from groundwire.server.own.models import ID_CHARS, MOST_CONTEXTS

_TEXT = {"type": "string", "maxLength": 200_000}
_PASSAGE = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "maxLength": ID_CHARS},
        "text": _TEXT,
        "title": {"type": ["string", "null"]},
        "uri": {"type": ["string", "null"]},
        "metadata": {"type": "object"},
    },
    "required": ["text"],
}
_CONTEXTS = {"type": "array", "maxItems": MOST_CONTEXTS, "items": {"anyOf": [_TEXT, _PASSAGE]}}
CASE: dict[str, Any] = {
    "id": {"type": ["string", "integer"], "maxLength": ID_CHARS},
    "question": {**_TEXT, "type": ["string", "null"], "description": "also: query, user_input, input, prompt, …"},
    "answer": {**_TEXT, "description": "also: response, actual_output, completion, claim, generated_text, …"},
    "contexts": {**_CONTEXTS, "description": "also: retrieved_contexts, retrieval_context, facts, docs, passage, …"},
}
"""A case by its own names."""

_ERROR = {
    "type": "object",
    "properties": {
        "error": {
            "type": "object",
            "properties": {
                "type": {"type": "string"},
                "code": {"type": "string"},
                "message": {"type": "string"},
                "param": {"type": ["string", "null"]},
                "request_id": {"type": "string"},
            },
            "required": ["type", "code", "message", "param", "request_id"],
        }
    },
    "required": ["error"],
}
_STATUSES = {
    400: "The body is not JSON.",
    401: "There is no key, or another.",
    403: "The request comes from another site.",
    408: "The request did not arrive in time.",
    413: "The body is too large.",
    422: "A field is missing, unknown, too long or not what it should be.",
    429: "The queue is full: ask again after Retry-After.",
    503: "The server is not ready: ask again after Retry-After.",
    504: "The verdict did not come in time.",
}
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"description": told, "content": {"application/json": {"schema": _ERROR}}}
    for status, told in _STATUSES.items()
}
"""What every route may answer instead."""

_LOST: dict[str, Any] = {"description": "Nothing here has this name.", "content": ERRORS[422]["content"]}
MISSING: dict[int | str, dict[str, Any]] = {404: _LOST}
"""What a route with a name in its path may answer besides."""


def objects(options: type[BaseModel], properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    """Return the schema of an object with these properties and those of the options, and no others."""
    found = options.model_json_schema()
    return {
        "type": "object",
        "properties": {**properties, **found["properties"]},
        "required": [*required, *found.get("required", [])],
        "additionalProperties": False,
    }


def taking(*schemas: dict[str, Any]) -> dict[str, Any]:
    """Return what an operation says of its body: one of these schemas."""
    schema = schemas[0] if len(schemas) == 1 else {"anyOf": list(schemas)}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}
