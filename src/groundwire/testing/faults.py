"""What an endpoint can do wrong, and the bytes that it does it with.

Left out: the server itself (`endpoint`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Any


class Fault(StrEnum):
    """One way to fail."""

    RATE_LIMIT = "429 with Retry-After in seconds"
    RATE_LIMIT_DATE = "429 with Retry-After as a date"
    SERVER_ERROR = "500"
    HTML = "502 with a page of HTML"
    HTML_OK = "200 with a page of HTML"
    HANG = "no reply at all"
    DRIP = "one byte now and then"
    RESET = "the connection is reset"
    TRUNCATED = "JSON that breaks off"
    WRONG_SCHEMA = "JSON of another shape"
    EMPTY_CHOICES = "no choices"
    REFUSAL = "the model refuses"
    FILTERED = "the endpoint's filter"
    HUGE = "a body of 50 MB"


TRANSIENT = tuple(fault for fault in Fault if fault not in (Fault.REFUSAL, Fault.FILTERED, Fault.HUGE))
"""Those that asking again may mend. A refusal is an answer, and a huge body takes a while to send."""
HUGE_BYTES = 50_000_000
PAGE = b"<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"


def chat_reply(text: str | None, model: str, *, prompt: str = "", **message: Any) -> dict[str, Any]:
    """Return a well-formed reply to a chat request. A token is a word here. `message` adds to or replaces its fields."""
    end = message.pop("finish_reason", "stop")
    tokens = {"prompt_tokens": len(prompt.split()), "completion_tokens": len((text or "").split())}
    return {
        "id": "chatcmpl-0",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": text, **message}, "finish_reason": end},
        ],
        "usage": {**tokens, "total_tokens": sum(tokens.values())},
    }


def body_of(fault: Fault, reply: Mapping[str, Any], model: str) -> bytes:
    """Return the body with which `fault` replaces a good reply, for those that are a whole body with the status 200."""
    if fault is Fault.HTML_OK:
        return PAGE
    if fault is Fault.TRUNCATED:
        whole = json.dumps(reply).encode()
        return whole[: len(whole) // 2]
    other: dict[Fault, dict[str, Any]] = {
        Fault.WRONG_SCHEMA: {"result": "Yes", "choices": "Yes"},
        Fault.EMPTY_CHOICES: {**reply, "choices": []},
        Fault.REFUSAL: chat_reply(None, model, refusal="I cannot help with that."),
        Fault.FILTERED: chat_reply("", model, finish_reason="content_filter"),
    }
    return json.dumps(other[fault]).encode()
