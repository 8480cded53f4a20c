"""The real engine with a network that computes nothing: everything but the matrices runs as it does in earnest."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from typing import Any

import httpx
import numpy as np

from groundwire.models.chat.endpoint import Endpoint
from groundwire.models.memory import ScoreMemory
from groundwire.server.engine import Engine
from groundwire.server.proxy.upstream import Upstream


@contextmanager
def quickly(engine: Engine) -> Iterator[None]:
    """Let the started engine's model say something at once that depends on nothing but what it reads."""
    assert engine._systems is not None
    model: Any = engine._systems.checker.model
    backend = model._kind.backend
    run, run_with_tokens = backend.run, backend.run_with_tokens
    seen: dict[str, int] = {}

    def logits(arrays: Mapping[str, Any]) -> Any:
        if not seen:
            seen["k"] = run(arrays).shape[1]
        read = next(iter(arrays.values())).astype(np.float64)
        signs = (read * (1 + np.arange(read.shape[1]) % 7)).sum(axis=1, keepdims=True)
        return (4 * np.sin(signs * (1 + np.arange(seen["k"])))).astype(np.float32)

    def both(arrays: Mapping[str, Any]) -> Any:
        return logits(arrays), np.sin(next(iter(arrays.values())).astype(np.float32))

    backend.run, backend.run_with_tokens = logits, both
    memory = model.remember_in(ScoreMemory())  # nobody else may be told these scores
    try:
        yield
    finally:
        backend.run, backend.run_with_tokens = run, run_with_tokens
        model.remember_in(memory)


def completion(*texts: str, **more: Any) -> dict[str, Any]:
    """Return a chat completion with a choice for each text."""
    choices = [
        {"index": n, "message": {"role": "assistant", "content": text}, "finish_reason": "stop", "logprobs": None}
        for n, text in enumerate(texts)
    ]
    return {"id": "c-1", "object": "chat.completion", "created": 1, "model": "m", "choices": choices, **more}


def _streamed(*texts: str) -> bytes:
    base = {"id": "c-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    chunks = [{**base, "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": None}]} for text in texts]
    chunks.append({**base, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    return b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks) + b"data: [DONE]\n\n"


_JSON = {"content-type": "application/json"}
_TOOL = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "t", "type": "function", "function": {"name": "f"}}],
}
SOUND: tuple[tuple[int, dict[str, str], bytes], ...] = (
    (200, _JSON, json.dumps(completion("It was finished in 1889.")).encode()),
    (200, _JSON, json.dumps(completion("It was finished in 1889. It is 900 metres high.", "Hello!", "")).encode()),
    (200, _JSON, json.dumps({"choices": [{"index": 0, "message": _TOOL, "finish_reason": "tool_calls"}]}).encode()),
    (200, _JSON, json.dumps(completion(usage={"total_tokens": 3})).encode()),
    (200, {"content-type": "text/event-stream"}, _streamed("It was ", "finished in 1889. ", "It is 900 metres high.")),
    (400, _JSON, b'{"error": {"message": "no such model", "type": "invalid_request_error", "code": null}}'),
    (429, {**_JSON, "retry-after": "2"}, b'{"error": {"message": "slow down"}}'),
)
"""What an upstream answers when it works: one after another."""
BROKEN: tuple[tuple[int, dict[str, str], bytes], ...] = (
    (200, _JSON, b"{"),
    (200, _JSON, b'{"choices": 7}'),
    (200, {"content-type": "text/html"}, b"<html>bad gateway</html>"),
    (302, {"location": "http://evil.example/"}, b""),
    (200, {"content-type": "text/event-stream"}, b"data: {\n\n"),
    (503, _JSON, b'{"error": {"message": "overloaded"}}'),
)
"""And when it does not: it is told as a 502, or passed on as it is."""


def upstream(replies: tuple[tuple[int, dict[str, str], bytes], ...] = (*SOUND, *BROKEN), key: str = "none") -> Upstream:
    """Return an upstream that gives these replies in turn, and opens no socket."""
    turn = count()

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/models"):
            return httpx.Response(200, headers=_JSON, content=b'{"object": "list", "data": [{"id": "m"}]}')
        status, headers, body = replies[next(turn) % len(replies)]
        return httpx.Response(status, headers=headers, content=body)

    made = Upstream(Endpoint(url="http://upstream.example/v1", key=key))
    made._client = httpx.AsyncClient(transport=httpx.MockTransport(answer), headers=made._client.headers)
    return made
