"""JSON as the server writes it: compact, never NaN, and whole whatever code points a text holds.

Left out: what stands in it (the routes).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import JSONResponse


def encoded(content: Any) -> bytes:
    """Return the content as JSON in UTF-8. Raises ValueError for a number that is not finite.

    A lone surrogate has no UTF-8 form, so a text with one is written in escapes, as it came.
    """
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(content, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii")


class Reply(JSONResponse):
    """A JSON answer."""

    def render(self, content: Any) -> bytes:
        """Return the bytes of the body."""
        return encoded(content)


def reply(content: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    """Return a JSON answer that no cache keeps."""
    return Reply(content, status, {"cache-control": "no-store", **(headers or {})})
