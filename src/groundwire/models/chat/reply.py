"""Reading a reply of the protocol: bytes to a completion. Whatever is not one is a failure, never a text.

Left out: what the text means. A refusal in plain words is a reply like any other; here only the protocol's own marks count.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from groundwire.models.chat.failure import Failure, Kind
from groundwire.types import Completion

CUT = "cut at the limit of tokens"
"""The reason of a completion that the endpoint ended before the model did."""


def completion(body: bytes) -> Completion:
    """Return what a reply to a chat request says. Raises Failure (malformed) for everything else."""
    reply = document(body)
    choice = first_choice(reply)
    message = choice.get("message")
    if not isinstance(message, Mapping):
        raise Failure(Kind.MALFORMED, "the reply has a choice without a message")
    text, refusal, end = _text(message.get("content")), message.get("refusal"), choice.get("finish_reason")
    if isinstance(refusal, str) and refusal:
        text, status, reason = refusal, "refused", "the model refused"
    elif end == "content_filter":
        text, status, reason = text or "", "refused", "the endpoint's filter"
    else:
        status, reason = "ok", CUT if end == "length" else ""
    if text is None:
        raise Failure(Kind.MALFORMED, "the reply has no text")
    usage = reply.get("usage")
    counts = usage if isinstance(usage, Mapping) else {}
    return Completion(
        text=text,
        status=status,
        reason=reason or None,
        prompt_tokens=_count(counts, "prompt_tokens"),
        reply_tokens=_count(counts, "completion_tokens"),
    )


def document(body: bytes) -> Mapping[str, Any]:
    """Return the JSON object that a body is. Raises Failure (malformed)."""
    try:
        reply = json.loads(body)
    except (ValueError, RecursionError):
        kind = "HTML" if body.lstrip()[:1] == b"<" else "cut off or not JSON"
        raise Failure(Kind.MALFORMED, f"the reply is {kind}") from None
    if not isinstance(reply, dict):
        raise Failure(Kind.MALFORMED, "the reply is JSON of another shape")
    return reply


def first_choice(reply: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the first choice of a reply. Raises Failure (malformed) where there is none."""
    choices = reply.get("choices")
    if not isinstance(choices, list):
        raise Failure(Kind.MALFORMED, "the reply is JSON of another shape")
    if not choices:
        raise Failure(Kind.MALFORMED, "the reply has no choices")
    if not isinstance(choices[0], dict):
        raise Failure(Kind.MALFORMED, "the reply is JSON of another shape")
    return choices[0]


def _text(content: Any) -> str | None:
    """Return the text of a message: a string, or its parts joined as some servers send them."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list) or not content:
        return None
    parts = [part.get("text") if isinstance(part, Mapping) else None for part in content]
    texts = [part for part in parts if isinstance(part, str)]
    return "".join(texts) if len(texts) == len(parts) else None


def _count(counts: Mapping[str, Any], name: str) -> int:
    value = counts.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53 else 0
