"""A chat request, read: what of it is ours, what is evidence, and what goes to the upstream.

Messages are read with patience: what is not understood is the upstream's to refuse. Left out: sending (`upstream`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeGuard, get_args

from starlette.requests import Request

from groundwire.server.errors import invalid
from groundwire.server.own.body import aside, object_of
from groundwire.server.own.models import ID_CHARS, Options, Reader, options_of
from groundwire.server.settings import Limits
from groundwire.types import Passage

Mode = Literal["annotate", "block"]
MODE_HEADER = "x-groundwire-mode"
FIELD = "groundwire"
SOURCE, QUERY = "grounding_source", "query"
EVIDENCE_ROLES = frozenset(("system", "developer", "tool", "function"))


class ChatOptions(Options):
    """The `groundwire` object of a request."""

    mode: Mode | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """`body` is what the upstream gets, `n` how many choices it is asked for. `cut`: a text of the evidence was cut."""

    body: bytes
    mode: Mode
    options: ChatOptions
    question: str | None
    contexts: tuple[Passage, ...]
    n: int = 1
    cut: bool = False


async def chat_of(request: Request) -> Chat:
    """Read a request. Raises ApiError: 400 for a body that is not JSON, 422 for options and texts that cannot be taken."""
    raw = await request.body()
    row = await aside(object_of, raw)
    options = _options(row.get(FIELD))
    mode = _mode(options, request.headers.get(MODE_HEADER))
    messages = [message for message in _list(row.get("messages")) if isinstance(message, dict)]
    found, question = _evidence(row), _question(messages)
    limits: Limits = request.app.state.settings.limits
    reader = Reader(limits, truncate=options.truncate)
    reader.counted(len(found), "messages")
    if question is not None:
        question = reader.text(question, "messages")
    contexts = tuple(
        replace(
            passage, text=reader.text(passage.text, place), title=passage.title and reader.text(passage.title, place)
        )
        for place, passage in found
    )
    body = _untagged(row) if FIELD in row or _tagged(messages) else raw
    n = row.get("n")
    return Chat(
        body=body,
        mode=mode,
        options=options,
        question=question,
        contexts=contexts,
        n=n if type(n) is int and n > 0 else 1,
        cut=reader.cut,
    )


def text_of(content: Any) -> str | None:
    """Return the text of a message's content: a string, or its text parts joined; None where there is no text."""
    if isinstance(content, str):
        return content
    texts = [text for part in _list(content) if (text := _text(part)) is not None]
    return "".join(texts) if texts else None


def _options(given: Any) -> ChatOptions:
    if given is None:
        return ChatOptions()
    if not isinstance(given, dict):
        raise invalid("invalid_field", f"{FIELD} must be an object", FIELD)
    return options_of(ChatOptions, given, f"{FIELD}.")


def _mode(options: ChatOptions, header: str | None) -> Mode:
    """Return the mode; where the field and the header differ, nobody could say which one is meant."""
    if header is None:
        return options.mode or "annotate"
    wanted = header.strip().lower()
    if not _is_mode(wanted):
        raise invalid("invalid_header", f"the header {MODE_HEADER} says {' or '.join(get_args(Mode))}", MODE_HEADER)
    if options.mode not in (None, wanted):
        raise invalid("ambiguous_field", f"{FIELD}.mode and the header {MODE_HEADER} differ", f"{FIELD}.mode")
    return wanted


def _is_mode(said: str) -> TypeGuard[Mode]:
    return said in get_args(Mode)


def _evidence(row: Mapping[str, Any]) -> list[tuple[str, Passage]]:
    """Return the evidence with its places: tagged parts, else the messages that only the application writes."""
    tagged: list[tuple[str, Passage]] = []
    spoken: list[tuple[str, Passage]] = []
    for n, message in enumerate(_list(row.get("messages"))):
        if not isinstance(message, dict):
            continue
        at = f"messages[{n}]"
        for m, part in _tagged_parts(message, SOURCE):
            place = f"{at}.content[{m}]"
            text = _text(part)
            if text is None:
                raise invalid("invalid_field", f"{place}.text must be a string", f"{place}.text")
            tagged.append((place, _passage(part, place, text)))
        text = text_of(message.get("content"))
        if message.get("role") in EVIDENCE_ROLES and text:
            spoken.append((at, Passage(id=_id(message.get("tool_call_id")) or at, text=text)))
    return tagged or spoken


def _passage(part: Mapping[str, Any], place: str, text: str) -> Passage:
    title = part.get("title")
    return Passage(id=_id(part.get("id")) or place, text=text, title=title if isinstance(title, str) else None)


def _id(value: Any) -> str | None:
    return value if isinstance(value, str) and 0 < len(value) <= ID_CHARS else None


def _question(messages: list[dict[str, Any]]) -> str | None:
    """Return the tagged question, else what the user said last."""
    asked = [text for message in messages for _, part in _tagged_parts(message, QUERY) if (text := _text(part))]
    if asked:
        return "\n".join(asked)
    said = next((message.get("content") for message in reversed(messages) if message.get("role") == "user"), None)
    if isinstance(said, list):
        said = [part for part in said if not (isinstance(part, dict) and part.get("type") == SOURCE)]
    return text_of(said)


def _tagged_parts(message: Mapping[str, Any], tag: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for n, part in enumerate(_list(message.get("content"))):
        if isinstance(part, dict) and part.get("type") == tag:
            yield n, part


def _tagged(messages: list[dict[str, Any]]) -> bool:
    return any(True for message in messages for tag in (SOURCE, QUERY) for _ in _tagged_parts(message, tag))


def _untagged(row: Mapping[str, Any]) -> bytes:
    """Return the request as the upstream knows it: without our field, and tagged parts as texts."""
    messages = [_plain(message) for message in _list(row.get("messages"))]
    rest = {name: value for name, value in row.items() if name != FIELD}
    if "messages" in row and isinstance(row["messages"], list):
        rest["messages"] = messages
    return json.dumps(rest, allow_nan=False, separators=(",", ":")).encode("ascii")


def _plain(message: Any) -> Any:
    if not isinstance(message, dict) or not isinstance(message.get("content"), list):
        return message
    parts = [
        {"type": "text", "text": part.get("text")}
        if isinstance(part, dict) and part.get("type") in (SOURCE, QUERY)
        else part
        for part in message["content"]
    ]
    return {**message, "content": parts}


def _text(part: Any) -> str | None:
    """Return the text of a part of any kind that has one."""
    text = part.get("text") if isinstance(part, dict) else None
    return text if isinstance(text, str) else None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
