"""Every route of the application, and every way that somebody without a key might try to get to it.

The routes are read off the application itself, so a new one is tried without being named here.
"""

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from .wire import Reply, request

KEY = "a-key-for-tests-0123456789"
OPEN = "/livez"
VALUES = {"identifier": "abc123", "version": "1", "name": "tiny", "file": "index.html"}
CASE = {"question": "When?", "answer": "In 1889.", "contexts": ["It was finished in 1889."]}
BODIES: dict[str, Any] = {
    "/v1/verify": {"index": "tiny", "question": "When?", "answer": "In 1889."},
    "/v1/search": {"index": "tiny", "query": "tower"},
    "/v1/generate": {"question": "When?", "contexts": ["It was in 1889."], "stream": False, "generations": 0},
    "/v1/chat/completions": {"model": "m", "messages": [{"role": "user", "content": "When?"}]},
    "/predict": {"inputs": ["It was in 1889.", "In 1889."]},
    "/rerank": {"query": "When?", "texts": ["In 1889."]},
    "/v2/rerank": {"model": "m", "query": "When?", "documents": ["In 1889."]},
    "/contentsafety/text:detectGroundedness": {"text": "In 1889.", "groundingSources": ["It was in 1889."]},
    "/guardrail/abc123/version/1/apply": {
        "source": "OUTPUT",
        "content": [
            {"text": {"text": "It was in 1889.", "qualifiers": ["grounding_source"]}},
            {"text": {"text": "In 1889."}},
        ],
    },
    "/v1/lettucedetect/spans": CASE,
}
_FACTS = {"answerCandidate": "In 1889.", "facts": [{"factText": "It was in 1889."}]}


@dataclass(frozen=True, slots=True)
class Route:
    """One route: its path with names in place of parameters, and the methods that it takes."""

    path: str
    methods: tuple[str, ...]

    def body(self, method: str) -> bytes | None:
        """Return what the route would take, so that an open door would be walked through."""
        if method in ("GET", "HEAD", "OPTIONS", "TRACE"):
            return None
        default = _FACTS if self.path.endswith(":check") else CASE
        return json.dumps(BODIES.get(self.path, default)).encode()


def routes_of(app: Any) -> list[Route]:
    """Return every route of the application, however deep its routers are included."""
    found: dict[str, set[str]] = {}
    for route in _leaves(app.routes):
        path = str(route.path)
        for name in getattr(route, "param_convertors", {}):
            stands = VALUES.get(name, "x")
            path = path.replace(f"{{{name}:path}}", stands).replace(f"{{{name}}}", stands)
        found.setdefault(path, set()).update(route.methods or {"GET"})
    return [Route(path, tuple(sorted(methods))) for path, methods in sorted(found.items())]


def _leaves(routes: Iterable[Any]) -> Iterator[Any]:
    """Yield the routes themselves: a router that was included stands as one entry with its own routes in it."""
    for route in routes:
        inner = getattr(getattr(route, "original_router", None), "routes", None) or getattr(route, "routes", None)
        if inner:
            yield from _leaves(inner)
        else:
            yield route


@dataclass(frozen=True, slots=True)
class Knock:
    """A request and what is tried by it. `lawful` may be answered: it is the open door, or has the key."""

    tried: str
    sent: bytes
    head: bool = False
    lawful: bool = False


def knocks(route: Route) -> Iterator[Knock]:
    """Yield every try at one route."""
    yield from _spelled(route)
    yield from _without_a_key(route)
    yield from _tricked(route)


def _spelled(route: Route) -> Iterator[Knock]:
    methods = dict.fromkeys((*route.methods, "GET", "HEAD", "POST", "OPTIONS", "TRACE"))
    for target in spellings(route.path):
        for method in methods:
            yield _knock(route, f"{method} {target}", method, target)
    for method in ("PUT", "PATCH", "DELETE", "PROPFIND", "MERGE", "PURGE", "SEARCH", "M-SEARCH"):
        yield _knock(route, f"{method} {route.path}", method, route.path)


def _without_a_key(route: Route) -> Iterator[Knock]:
    method = route.methods[0]
    for name, value in _credentials():
        yield _knock(route, f"{method} {route.path} with {name}: {value[:40]}", method, route.path, (name, value))
    for query in (f"key={KEY}", f"api_key={KEY}", f"api-key={KEY}", f"access_token={KEY}", f"token={KEY}"):
        target = f"{route.path}?{query}"
        yield _knock(route, f"{method} {target}", method, target)


def _tricked(route: Route) -> Iterator[Knock]:
    method = route.methods[0]
    for headers in _tricks():
        for key in ((), (("x-api-key", "wrong-key-0123456789"),)):
            tried = f"{method} {route.path} with {'; '.join(': '.join(header) for header in (*headers, *key))[:90]}"
            yield _knock(route, tried, method, route.path, *headers, *key)
    for host in HOSTS:
        for key in ((), (("x-api-key", KEY),)):  # with the key too: a name that is not ours opens nothing
            tried = f"{method} {route.path} for host {host!r}{' and the key' if key else ''}"
            yield Knock(tried, request(method, route.path, *key, body=route.body(method), host=host), method == "HEAD")
    for method in ("GET", "POST"):
        for form in (
            "http://localhost{}",
            "http://evil.example{}",
            "https://localhost{}",
            "localhost{}",
            "*{}",
            "//evil.example{}",
        ):
            tried = f"{method} {form.format(route.path)} and the key"
            target, key = form.format(route.path), ("x-api-key", KEY)
            lawful = form.startswith("//")  # an ordinary path that begins with two slashes: there is nothing there
            yield Knock(tried, request(method, target, key, body=route.body(method)), lawful=lawful)


HOSTS = (
    "evil.example", "localhost.evil.example", "localhost@evil.example", "evil.example#localhost",
    "localhost:80@evil.example",
    "localhost/livez", "localhost, evil.example", "localhost evil.example", "127.0.0.1.nip.io", "[::ffff:8.8.8.8]",
    "0", "2130706433",
    "localhost:99999999", "%6cocalhost", "loc\xe4lhost", "localhost\t.evil", "..", "",
)  # fmt: skip


def spellings(path: str) -> list[str]:
    """Return other ways to write a path, which some server or proxy has once taken for the same."""
    first, _, rest = path[1:].partition("/")
    tail = f"/{rest}" if rest else ""
    coded = "".join(f"%{ord(c):02x}" if c.isalnum() else c for c in path)
    return list(
        dict.fromkeys(
            [
                path, f"{path}/", f"{path}//", f"/{path}", f"//{path}", f"/.{path}", f"/x/..{path}", f"/%2e{path}",
                f"/x/%2e%2e{path}",
                f"/..;{path}", f"/;{path}", f"/livez/..{path}", f"/livez/%2e%2e{path}", f"/livez/..%2f{path[1:]}",
                f"/livez%2f..%2f{path[1:]}",
                f"/livez;/..{path}", f"/livez%00{path}", f"/livez%0a{path}", f"/livez%3f{path}", f"/livez%23{path}",
                f"/livez\\..{path}",
                f"/livez/%252e%252e{path}", f"{OPEN}{path}", f"{path}/..{OPEN}", f"{path}/../..{OPEN}",
                f"{path}%2f..%2flivez",
                f"/%2f{path[1:]}", coded, f"/%{ord(first[:1] or 'x'):02x}{first[1:]}{tail}", path.upper(),
                path.title(), path.swapcase(),
                f"{path}.", f"{path}..", f"{path}/.", f"{path}%2e", f"{path}%20", f"{path}%09", f"{path}%00",
                f"{path}%0d%0a", f"{path};", f"{path};x=1",
                f"{path}.json", f"{path}.css", f"{path}?", f"{path}?/livez", f"{path}?path=/livez", f"{path}#",
                f"{path}#/livez", f"{path}?_method=GET",
                f"{path}&/livez", f"{path}\\", f"{path}%5c", f"{path}/%c0%ae%c0%ae/livez", f"/%c0%af{path[1:]}",
                f"/%ef%bc%8f{path[1:]}",
                path.replace("/", "%2f").replace("%2f", "/", 1), path.replace("/", "//"), path.replace("/", "\\"),
                f"http://localhost{path}", f"http://evil.example{path}", f"http://localhost@evil.example{path}",
                f"https://localhost{path}",
            ]
        )
    )  # fmt: skip


def _credentials() -> Iterator[tuple[str, str]]:
    wrong = [
        "", "x", "wrong-key-0123456789", KEY[:-1], f"{KEY}0", KEY.upper(), f"0{KEY}", f"{KEY}%00", f'"{KEY}"',
        f"{KEY},{KEY}", f"{KEY} {KEY}",
        sha256(KEY.encode()).hexdigest(), f"key-{sha256(KEY.encode()).hexdigest()[:8]}", "null", "undefined", "true",
        "*", "' OR 1=1 --",
        "anyone", "a" * 4096,
    ]  # fmt: skip
    for name in ("x-api-key", "api-key", "ocp-apim-subscription-key", "x-goog-api-key"):
        for value in wrong:
            yield name, value
        yield name, f"Bearer {KEY}"
    for value in wrong:
        yield "authorization", f"Bearer {value}"
    basic = lambda text: b64encode(text.encode()).decode()  # noqa: E731
    for value in (
        KEY, f"Token {KEY}", f"ApiKey {KEY}", f"Digest {KEY}", f"Negotiate {KEY}", f"Bearer{KEY}", f"Bearer:{KEY}",
        f"Bearer,{KEY}",
        f"Basic {KEY}", f"Basic {basic(KEY)}", f"Basic {basic(KEY + ':')}", f"Basic {basic(':' + KEY[:-1])}",
        f"Basic {basic(':' + KEY + ' ')}",
        "Basic !!!!", "Basic ====", "Basic " + "A" * 5000, "Bearer", "Basic", "AWS4-HMAC-SHA256 Credential=" + KEY,
    ):  # fmt: skip
        yield "authorization", value
    for name in (
        "x-auth-token", "x-access-token", "x-token", "token", "key", "apikey", "api_key", "x_api_key", "x-apikey",
        "x-api-key-", "x-functions-key",
        "proxy-authorization", "www-authenticate", "x-authorization", "authentication", "x-amz-security-token",
        "private-token", "x-original-authorization",
        "x-forwarded-authorization", "openai-api-key", "anthropic-api-key",
    ):  # fmt: skip
        yield name, KEY
        yield name, f"Bearer {KEY}"
    for cookie in (f"key={KEY}", f"api_key={KEY}", f"x-api-key={KEY}", f"authorization=Bearer {KEY}", f"session={KEY}"):
        yield "cookie", cookie


def _tricks() -> Iterator[tuple[tuple[str, str], ...]]:
    for name in ("x-http-method-override", "x-http-method", "x-method-override"):
        for value in ("GET", "HEAD", "OPTIONS", "POST"):
            yield ((name, value),)
    for name in (
        "x-original-url",
        "x-rewrite-url",
        "x-forwarded-uri",
        "x-forwarded-path",
        "x-original-uri",
        "x-envoy-original-path",
        "x-accel-redirect",
    ):
        yield ((name, OPEN),)
    for name in (
        "x-forwarded-for",
        "x-real-ip",
        "true-client-ip",
        "x-client-ip",
        "cf-connecting-ip",
        "x-originating-ip",
        "x-remote-ip",
        "x-cluster-client-ip",
    ):
        yield ((name, "127.0.0.1"),)
    yield (("forwarded", "for=127.0.0.1;host=localhost;proto=https"),)
    yield (("x-forwarded-host", "localhost"), ("x-forwarded-proto", "https"), ("x-forwarded-prefix", OPEN))
    for name in (
        "x-forwarded-user",
        "x-remote-user",
        "remote-user",
        "x-authenticated-user",
        "x-user",
        "x-ssl-client-verify",
        "x-webauth-user",
    ):
        yield ((name, "admin"),)
    yield (("connection", "x-api-key"),)
    yield (("connection", "authorization, x-api-key, host"),)
    yield (("te", "trailers"), ("trailer", "x-api-key"))
    socket = (("sec-websocket-version", "13"), ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="))
    yield (("connection", "Upgrade"), ("upgrade", "websocket"), *socket)
    yield (("connection", "Upgrade"), ("upgrade", "websocket"), *socket, ("sec-websocket-protocol", KEY))
    yield (("connection", "Upgrade, HTTP2-Settings"), ("upgrade", "h2c"), ("http2-settings", "AAMAAABkAAQAAP__"))
    yield (("origin", "http://localhost"), ("sec-fetch-site", "same-origin"))
    yield (("sec-fetch-site", "none"), ("sec-fetch-mode", "navigate"))
    yield (("user-agent", "kube-probe/1.30"),)
    yield (("user-agent", "GoogleHC/1.0"),)
    yield (("x-api-version", "1"), ("x-debug", "1"), ("x-internal", "true"), ("x-admin", "1"))


def _knock(route: Route, tried: str, method: str, target: str, *headers: tuple[str, str]) -> Knock:
    lawful = method in ("GET", "HEAD") and target.partition("?")[0].partition("#")[0] == OPEN
    sent = request(method, target, ("content-type", "application/json"), *headers, body=route.body(method))
    return Knock(tried, sent, method == "HEAD", lawful)


def opened(knock: Knock, reply: Reply) -> str | None:
    """Return how far a knock came that should have been turned away, None where it was, or had every right."""
    if reply.status >= 500:
        return f"{knock.tried}: {reply.status}"
    if knock.lawful:
        return None
    if reply.status not in (400, 401, 403):  # 404 and 405 would say what there is and what not
        return f"{knock.tried}: {reply.status} {reply.body[:80]!r}"
    if KEY.encode() in reply.raw:
        return f"{knock.tried}: the key comes back"
    return None


def with_the_key(route: Route) -> Iterator[Knock]:
    """Yield the lawful requests: they have to come through, or the doors were never there."""
    for method in route.methods:
        for header in (("authorization", f"Bearer {KEY}"), ("x-api-key", KEY)):
            sent = request(method, route.path, ("content-type", "application/json"), header, body=route.body(method))
            yield Knock(f"{method} {route.path} with {header[0]}", sent, method == "HEAD", lawful=True)
