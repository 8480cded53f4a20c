"""Secrets in every place that a request, a key or an upstream can put them, on every way that ends in an error.

Whoever sings is heard: what a client is told in an error, what others are told, the log, the metrics, the spans and stderr are
searched for the word, as it is and as JSON, addresses and base64 would write it.
"""

import asyncio
import json
import random
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from groundwire import errors

from .doors import BODIES, CASE, Route
from .wire import Line, Reply, request

WORD = "canary/zq7w+91kx"
"""It has what JSON, addresses and shells write otherwise."""
KEY = f"server-key-{WORD}"
UPSTREAM_KEY = f"upstream-key-{WORD}"
FORMS = tuple(
    form.encode()
    for form in ("zq7w", quote(WORD, safe=""), WORD.replace("/", "\\/"), b64encode(KEY.encode()).decode()[:20])
)
_KEYS = (b"server-key-canary", b"upstream-key-canary")
"""How the keys begin, in every way to write them."""
_PLAIN = {"index", "source", "qualifiers", "role", "model", "type", "mode", "task", "domain"}


def sung(told: bytes) -> bool:
    """Say whether the word is in this."""
    return any(form in told for form in FORMS)


@dataclass(frozen=True, slots=True)
class Try:
    """A request that ends in an error, most likely. `owns`: the reply is the upstream's, passed on to whose text it is."""

    name: str
    sent: bytes
    head: bool = False
    owns: bool = False


def heard(attempt: Try, reply: Reply) -> str | None:
    """Return where in a reply to its own sender the word is that should not be; what is no error may hold it."""
    if attempt.owns:
        told = reply.raw if any(key in reply.raw for key in _KEYS) else b""
    elif reply.headers.get("content-type", "").startswith("text/event-stream") and reply.status == 200:
        told = b"".join(block for block in reply.body.split(b"\n\n") if block.startswith(b"event: error"))
    else:
        told = reply.raw if reply.status >= 400 else b""
    return f"{attempt.name}: {reply.status} {told[:300]!r}" if sung(told) else None


def tries(routes: Sequence[Route]) -> Iterator[Try]:
    """Yield every error that a request can make by itself."""
    for route in routes:
        if "POST" in route.methods:
            yield from _bodies(route)
        yield from _addresses(route)
    yield from _headers()


def marked(value: Any) -> Any:
    """Return the value with the word in every text that is not a name of ours."""
    if isinstance(value, dict):
        return {name: inner if name in _PLAIN else marked(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [marked(inner) for inner in value]
    return f"{value} {WORD}" if isinstance(value, str) else value


def body_of(route: Route) -> dict[str, Any]:
    """Return what the route takes, with the word in every text."""
    body: dict[str, Any] = marked(json.loads(route.body("POST") or b"{}"))
    return body


def _bodies(route: Route) -> Iterator[Try]:
    body, rng = body_of(route), random.Random(route.path)
    whole = json.dumps(body).encode()
    for n in range(5):
        at = len(whole) * (n + 1) // 6
        yield _post(route, f"cut at {n}/6", whole[:at])
        yield _post(
            route,
            f"nonsense at {n}/6",
            whole[:at] + rng.choice([b"\x00", b"\xff", b"}", b'"', b",", b"\\x"]) + whole[at:],
        )
    for name in body:
        for wrong in (WORD, {WORD: WORD}, [WORD], [{WORD: WORD}], [[WORD]], 7, None, True):
            yield _post(route, f"{name} is {json.dumps(wrong)[:12]}", {**body, name: wrong})
        yield _post(route, f"no {name}", {other: value for other, value in body.items() if other != name})
    yield _post(route, "an unknown field", {**body, "unknown": WORD})
    yield _post(route, "a field that is a text", {**body, f"{WORD} is no name": 1})
    yield _post(route, "a name twice", whole[:-1] + f', "answer": "{WORD}", "answer": "{WORD}"}}'.encode())
    yield _post(
        route,
        "a text too long",
        {
            name: f"{WORD} {'x' * 200_001}" if isinstance(value, str) and name not in _PLAIN else value
            for name, value in body.items()
        },
    )
    yield _post(route, "too many items", {"items": [{**CASE, "answer": WORD}] * 33})
    yield _post(route, "an item that is wrong", {"items": [{**CASE, "answer": [WORD], WORD: WORD}]})
    yield _post(
        route,
        "options that are wrong",
        {**body, "threshold": WORD, "explain": WORD, "offset_encoding": WORD, "stack": WORD, "k": WORD},
    )
    yield _post(route, "an index that is not there", {**body, "index": WORD})
    yield _post(route, "a list", [WORD])
    yield _post(route, "a text", WORD)
    yield _post(route, "too deep", json.dumps(WORD).encode().join([b'{"a":' * 100, b"}" * 100]))
    yield _post(route, "no number", f'{{"answer": "{WORD}", "threshold": NaN}}'.encode())
    yield _post(route, "a huge number", f'{{"answer": "{WORD}", "threshold": {"9" * 5000}}}'.encode())
    yield _post(route, "utf-16", json.dumps(body).encode("utf-16"))
    yield _post(route, "too large", b'{"answer": "' + WORD.encode() + b"x" * (1 << 20) + b'"}')
    for kind in (
        "text/plain",
        f"application/{WORD}",
        f"multipart/form-data; boundary={WORD}",
        "application/x-www-form-urlencoded",
    ):
        yield _post(route, f"as {kind}", whole, ("content-type", kind))
    yield _post(route, "compressed", whole, ("content-encoding", WORD))
    yield _post(route, "in another mode", whole, ("x-groundwire-mode", WORD))


def _addresses(route: Route) -> Iterator[Try]:
    for target in (
        f"{route.path}/{WORD}",
        f"{route.path}?{WORD}={WORD}",
        f"{route.path}?offset={WORD}&limit={WORD}",
        f"/{quote(WORD, safe='')}{route.path}",
    ):
        for method in (route.methods[0], "DELETE"):
            yield Try(
                f"{method} {target}",
                request(method, target, ("x-api-key", KEY), body=b"" if method == "POST" else None),
                method == "HEAD",
            )


def _headers() -> Iterator[Try]:
    names = (
        "host", "origin", "sec-fetch-site", "cookie", "user-agent", "referer", "accept", "accept-encoding",
        "accept-language", "if-none-match", "range", "te",
        "traceparent", "tracestate", "baggage", "x-forwarded-for", "forwarded", "via", "from", "expect", "upgrade",
        "content-length", "transfer-encoding", "x-request-id",
        "authorization", "x-api-key", "api-key", "proxy-authorization", "last-event-id", WORD.replace("/", "-"),
    )  # fmt: skip
    for name in names:
        for method, path in (("POST", "/v1/check"), ("GET", "/nothing"), ("GET", "/page/nothing.js")):
            own = () if name in ("authorization", "x-api-key", "api-key") else (("x-api-key", KEY),)
            value = f"Basic {b64encode(WORD.encode()).decode()}" if name == "authorization" else f"{WORD} {WORD}"
            body = b'{"answer": ' if method == "POST" and name != "content-length" else None
            host = "" if name == "host" else "localhost"
            yield Try(f"{method} {path} with {name}", request(method, path, *own, (name, value), body=body, host=host))
    yield Try("no HTTP", f"{WORD} {WORD}\r\n\r\n".encode())
    yield Try("a header without a colon", f"GET /livez HTTP/1.1\r\nHost: localhost\r\n{WORD}\r\n\r\n".encode())
    yield Try("a host in the target", f"GET http://{WORD}/livez HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    yield Try("a header too large", request("GET", "/livez", ("x", WORD * 5_000)))


def _post(route: Route, name: str, body: Any, *headers: tuple[str, str]) -> Try:
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    kind = () if any(name == "content-type" for name, _ in headers) else (("content-type", "application/json"),)
    owns = route.path == "/v1/chat/completions"  # what is sound goes to the upstream, whose words about it come back
    return Try(
        f"{route.path}: {name}", request("POST", route.path, ("x-api-key", KEY), *kind, *headers, body=sent), owns=owns
    )


CRASHES: tuple[Callable[[], BaseException], ...] = (
    lambda: RuntimeError(WORD), lambda: ValueError(WORD), lambda: KeyError(WORD), lambda: AssertionError(WORD),
    lambda: MemoryError(WORD),
    lambda: RecursionError(WORD), lambda: OSError(2, WORD, WORD), lambda: UnicodeEncodeError("utf-8", WORD, 0, 1,
    WORD), lambda: ConnectionResetError(WORD),
    lambda: TimeoutError(WORD), lambda: asyncio.CancelledError(WORD), lambda: StopAsyncIteration(WORD),
    lambda: ExceptionGroup(WORD, [ValueError(WORD)]),
    lambda: json.JSONDecodeError(WORD, WORD, 0), lambda: _caused(), lambda: errors.GroundwireError(WORD, WORD),
    lambda: errors.Unavailable(WORD, WORD),
    lambda: errors.NetworkError(WORD, WORD), lambda: errors.CorruptIndex(f"/{WORD}", WORD),
    lambda: errors.MissingIndex(f"/{WORD}"), lambda: errors.CorruptModel(WORD),
    lambda: errors.Busy(WORD, 3), lambda: errors.Expired(WORD), lambda: errors.Cancelled(WORD),
    lambda: errors.UnknownName("index", WORD, [WORD]),
)  # fmt: skip
"""What an engine may raise, the word in it."""


def _caused() -> BaseException:
    error = RuntimeError(WORD)
    error.__cause__ = ValueError(WORD)
    error.__context__ = KeyError(WORD)
    error.add_note(WORD)
    return error


class Crashing:
    """An engine in front of another: `crash` is raised by every method that works, by streams after their first item."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine
        self.crash: BaseException | None = None

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._engine, name)
        if self.crash is None or name in (
            "ready",
            "draining",
            "full",
            "state",
            "start",
            "drain",
            "close",
            "threshold",
            "settings",
        ):
            return found
        if name in ("unfold", "generate"):
            return lambda *given, **more: self._broken(found(*given, **more))
        if name in ("indexes", "model"):
            return self._raise if name == "indexes" else self._raise()
        return self._raises

    async def _broken(self, items: AsyncIterator[Any]) -> AsyncIterator[Any]:
        async for item in items:
            yield item
            self._raise()

    async def _raises(self, *_: Any, **__: Any) -> Any:
        self._raise()

    def _raise(self, *_: Any, **__: Any) -> Any:
        assert self.crash is not None
        raise self.crash


def crashes(routes: Sequence[Route], engine: Crashing) -> Iterator[Try]:
    """Yield requests that work, with an engine that does not; it is whole again after the last one."""
    asked = [
        route
        for route in routes
        if route.path.startswith(("/v1/", "/v2/", "/v1beta/", "/predict", "/rerank", "/info", "/content", "/guard"))
    ]
    try:
        for make in CRASHES:
            for route in asked:
                engine.crash = make()
                method = route.methods[0]
                body = json.dumps(body_of(route)).encode() if method == "POST" else None
                sent = request(method, route.path, ("x-api-key", KEY), ("content-type", "application/json"), body=body)
                owns = route.path == "/v1/chat/completions"
                yield Try(f"{route.path}: {type(engine.crash).__name__} in the engine", sent, owns=owns)
    finally:
        engine.crash = None


def echoes() -> tuple[tuple[int, dict[str, str], bytes], ...]:
    """Return what an upstream may say that repeats the key: errors, answers, streams, headers, in each way to write it."""
    plain = {"content-type": "application/json"}
    found: list[tuple[int, dict[str, str], bytes]] = []
    for key in (UPSTREAM_KEY, UPSTREAM_KEY.replace("/", "\\/"), quote(UPSTREAM_KEY, safe="")):
        said = f"Incorrect API key provided: {key}"
        error = f'{{"error": {{"message": "{said}"}}}}'.encode()
        found += [(status, plain, error) for status in (200, 400, 401, 403, 404, 429, 500, 503)]
        chat = {
            "choices": [{"index": 0, "message": {"role": "assistant", "content": "K"}, "finish_reason": "stop"}],
            "id": "K",
        }
        found.append((200, plain, json.dumps(chat).replace("K", said).encode()))
        found.append((502, {"content-type": "text/html"}, f"<html>{said}</html>".encode()))
        found.append((302, {"location": f"http://evil.example/?key={key}"}, b""))
        found.append((429, {**plain, "retry-after": key, "x-key": key, "set-cookie": f"key={key}"}, b"{}"))
        found.append((200, {"content-type": f"application/{key}"}, said.encode()))
        stream = {"content-type": "text/event-stream"}
        found.append((200, stream, f'data: {{"error": {{"message": "{said}"}}}}\n\n'.encode()))
        found.append(
            (
                200,
                stream,
                f': {said}\n\ndata: {{"choices": [{{"index": 0, "delta": {{"content": "{said}"}}}}]}}\n\n'.encode(),
            )
        )
        found.append((200, stream, f"data: {{{said}\n\n".encode()))
    return tuple(found)


def chats(n: int) -> Iterator[Try]:
    """Yield so many chats, streamed and not, in both modes."""
    body = {
        **BODIES["/v1/chat/completions"],
        "messages": [{"role": "system", "content": WORD}, {"role": "user", "content": WORD}],
    }
    for at in range(n):
        mode = ("x-groundwire-mode", "block" if at % 2 else "annotate")
        sent = request(
            "POST",
            "/v1/chat/completions",
            ("x-api-key", KEY),
            mode,
            body=json.dumps({**body, "stream": at % 3 == 0}).encode(),
        )
        yield Try(f"chat {at}", sent, owns=True)
    yield Try("models", request("GET", "/v1/models", ("x-api-key", KEY)), owns=True)


def bystander(line: Line) -> str | None:
    """Return what somebody else is told that holds the word, None where all is quiet."""
    own = {"answer": "In 1889.", "contexts": ["It was finished in 1889."]}
    for name, sent in (
        ("metrics", request("GET", "/metrics", ("x-api-key", KEY))),
        ("operate", request("GET", "/v1/operate", ("x-api-key", KEY))),
        ("indexes", request("GET", "/v1/indexes", ("x-api-key", KEY))),
        ("description", request("GET", "/v1/openapi.json", ("x-api-key", KEY))),
        ("page", request("GET", "/page/about.json", ("x-api-key", KEY))),
        ("check", request("POST", "/v1/check", ("x-api-key", KEY), body=json.dumps(own).encode())),
    ):
        if sung((reply := line.ask(sent)).raw):
            return f"somebody else's {name}: {reply.raw[:200]!r}"
    return None
