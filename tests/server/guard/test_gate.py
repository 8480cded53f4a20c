"""No request gets past the guard, and whatever happens behind it is answered in one shape."""

import io
import json
import logging
import re
import time
from collections.abc import Callable, Iterator

import pytest
from starlette.testclient import TestClient

from groundwire.server import logs
from groundwire.server.admission import Admission
from groundwire.server.guard import watch
from groundwire.server.settings import Limits

from ..doors import routes_of  # noqa: TID252 - what reads an application's routes, for several folders

KEY = "a-key-for-tests-0123456789"
SECRET = "canary-f00dfeed"
ENVELOPE = {"type", "code", "message", "param", "request_id"}
PATHS = (
    "/", "/readyz", "/metrics", "/v1/check", "/v1/operate", "/v1/openapi.json", "/page/index.html", "/nothing", "/docs",
    "/livez/", "//livez", "/%6civez", "/livez%2f", "/LIVEZ", "/livez;x", "/livez%00", "/predict", "/rerank", "/v2/rerank",
    "/v1/chat/completions", "/v1/models", "/contentsafety/text:detectGroundedness", "/guardrail/a/version/1/apply",
)  # fmt: skip
Browse = Callable[..., TestClient]


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    """What the server logs at its usual level."""
    root = logging.getLogger()
    before = root.handlers[:], root.level
    stream = io.StringIO()
    logs.set_up("info", stream)
    yield stream
    root.handlers[:], root.level = before


def test_a_request_is_answered_under_its_id(browse: Browse) -> None:
    answer = browse().post("/test/length", content=b"12345", headers={"x-request-id": "job-7"})
    assert answer.json() == {"length": 5}
    assert answer.headers["x-request-id"] == "job-7"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.contract("key")
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
def test_every_path_asks_for_the_key_before_it_says_whether_it_exists(browse: Browse, method: str) -> None:
    client = browse(keys=(KEY,))
    given: list[dict[str, str]] = [
        {},
        {"x-api-key": "wrong-key-0123456789"},
        {"x-http-method-override": "GET", "x-original-url": "/livez", "x-forwarded-for": "127.0.0.1"},
    ]
    known = {route.path for route in routes_of(client.app.app)} - {"/livez"}
    for path in [*PATHS, *known]:
        for headers in given:
            answer = client.request(method, f"http://localhost{path}", headers=headers)
            # Bedrock's clients know 403 for it; whatever the shape, nothing but the key is spoken of.
            assert answer.status_code == (403 if path.startswith("/guardrail") else 401), path
            assert "www-authenticate" in answer.headers


@pytest.mark.contract("key")
def test_only_livez_is_open_and_a_key_opens_the_rest(browse: Browse) -> None:
    client = browse(keys=(KEY,))
    assert client.get("/livez").status_code == 200
    assert client.post("/livez").status_code == 401
    assert client.get("/readyz", headers={"x-api-key": KEY}).status_code == 200
    assert client.get("/nothing", headers={"x-api-key": KEY}).status_code == 404
    assert client.put("/readyz", headers={"x-api-key": KEY}).status_code == 405


@pytest.mark.contract("livez")
def test_livez_answers_before_there_is_a_model_and_asks_none(browse: Browse, fake) -> None:
    fake.ready = False
    fake.wait = 9
    assert browse().get("/livez").json() == {"status": "alive"}
    assert fake.asked == 0


@pytest.mark.contract("readyz")
@pytest.mark.contract("unready")
def test_until_the_canary_has_answered_nothing_is_taken_on(browse: Browse, fake) -> None:
    client = browse()
    fake.ready = False
    for answer in (client.get("/readyz"), client.post("/test/length", content=b"x")):
        assert answer.status_code == 503
        assert answer.headers["retry-after"].isdigit()
        assert answer.json()["error"]["code"] == "not_ready"
    assert fake.asked == 0
    fake.ready = True
    assert client.get("/readyz").status_code == 200


@pytest.mark.contract("unready")
def test_while_it_is_stopped_nothing_is_taken_on_and_connections_end(browse: Browse, fake) -> None:
    client = browse()
    client.app.standing.draining = True
    for answer in (client.get("/readyz"), client.post("/test/length"), client.get("/v1/operate")):
        assert answer.status_code == 503
        assert answer.headers["retry-after"].isdigit()
        assert answer.headers["connection"] == "close"
        assert answer.json()["error"]["code"] == "draining"
    assert client.get("/livez").status_code == 200
    assert fake.asked == 0


@pytest.mark.contract("queue")
def test_a_full_queue_says_when_to_come_again_before_the_body_is_read(browse: Browse, fake) -> None:
    fake.wait = 7
    began = time.monotonic()
    answer = browse().post("/test/length", content=b"x" * 10)
    assert time.monotonic() - began < 0.5
    assert answer.status_code == 429
    assert answer.headers["retry-after"] == "7"
    assert answer.headers["connection"] == "close"  # its body lies unread on it
    assert fake.asked == 0


@pytest.mark.contract("queue")
def test_the_queue_is_full_for_one_client_and_not_for_another(browse: Browse, fake, monkeypatch) -> None:
    queue = Admission(1_000, lambda: None, patience=10)
    monkeypatch.setattr(fake, "full", queue.full)
    client = browse(keys=(KEY, KEY + "-another"))
    asked = lambda key: client.post("/test/client", headers={"x-api-key": key})  # noqa: E731
    greedy, other = asked(KEY).json()["client"], asked(KEY + "-another").json()["client"]
    assert greedy != other
    give_back = queue.admit(500, greedy), queue.admit(500, greedy)
    refused = asked(KEY)
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
    assert asked(KEY + "-another").status_code == 200
    give_back[0]()
    assert asked(KEY).status_code == 200


@pytest.mark.contract("body")
def test_a_body_of_one_mebibyte_is_taken_and_a_byte_more_is_not(browse: Browse) -> None:
    client = browse()
    assert client.post("/test/length", content=b"x" * 1_048_576).json() == {"length": 1_048_576}
    assert client.post("/test/length", content=b"x" * 1_048_577).status_code == 413


def test_a_body_of_values_without_end_reaches_no_parser(browse: Browse) -> None:
    answer = browse().post("/test/json", content=b'{"a":[' + b"[]," * 60_000 + b"[]]}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_json")


@pytest.mark.contract("body")
def test_a_body_that_does_not_say_its_length_is_counted(browse: Browse) -> None:
    client = browse()
    pieces = lambda n: (b"x" * 65_536 for _ in range(n))  # noqa: E731
    assert client.post("/test/length", content=pieces(16)).json() == {"length": 1_048_576}
    assert client.post("/test/length", content=pieces(17)).status_code == 413


@pytest.mark.contract("verdict")
@pytest.mark.parametrize("path", ["/test/sleep/20", "/test/stubborn"])
def test_what_takes_too_long_is_given_up(browse: Browse, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setattr(watch, "SLACK", 0.2)
    client = browse(limits=Limits(verdict_seconds=0.3))
    began = time.monotonic()
    answer = client.post(path)
    assert time.monotonic() - began < 2
    assert answer.status_code == 504
    assert answer.json()["error"]["code"] == "deadline_exceeded"
    assert client.app.standing.in_flight == 0


@pytest.mark.contract("verdict")
def test_whatever_a_route_does_it_is_answered_within_the_time_that_is_promised(browse: Browse) -> None:
    client = browse(limits=Limits(verdict_seconds=1.5))
    began = time.monotonic()
    answer = client.post("/test/stubborn")
    assert 1.4 < time.monotonic() - began < 1.9
    assert answer.status_code == 504


@pytest.mark.contract("verdict")
def test_work_ends_in_time_for_its_route_to_say_so_itself(browse: Browse) -> None:
    limits = Limits(verdict_seconds=3)
    assert limits.work_seconds + limits.last_words == limits.verdict_seconds
    told = browse(limits=limits).post("/test/client").json()
    assert 2.5 < told["remaining"] <= limits.work_seconds < 3


def test_a_stream_that_has_begun_takes_its_time(browse: Browse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "SLACK", 0.1)
    answer = browse(limits=Limits(verdict_seconds=0.1)).post("/test/drip/5")
    assert answer.text == "drop\n" * 5


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/test/error/input", b"", 422),
        ("POST", "/test/error/index", b"", 503),
        ("POST", "/test/error/bug", SECRET.encode(), 500),
        ("POST", "/test/error/group", SECRET.encode(), 422),
        ("POST", "/test/error/none", SECRET.encode(), 500),
        ("POST", "/test/json", f'{{"{SECRET}'.encode(), 400),
        ("POST", "/test/json", b"[" * 100_000, 400),
        ("POST", "/test/json", b'{"a":' + b"9" * 10_000 + b"}", 400),
        ("POST", "/test/json", b'"\\ud800"', 422),
        ("POST", "/test/json", f'"{SECRET}"'.encode(), 422),
        ("POST", "/test/json", b"\xff\xfe", 400),
        ("GET", f"/{SECRET}", b"", 404),
        ("GET", "/test/json", b"", 405),
        ("POST", "/test/sleep/abc", b"", 422),
    ],
)
@pytest.mark.contract("envelope")
def test_every_error_has_the_envelope_and_echoes_nothing(
    browse: Browse, logged: io.StringIO, method: str, path: str, body: bytes, status: int
) -> None:
    headers = {"content-type": "application/json", "x-request-id": "job-8"}
    answer = browse().request(method, path, content=body, headers=headers)
    assert answer.status_code == status
    error = answer.json()["error"]
    assert set(error) == ENVELOPE
    assert error["request_id"] == answer.headers["x-request-id"] == "job-8"
    assert SECRET not in answer.text
    assert "secret" not in answer.text
    assert SECRET not in logged.getvalue()
    if status == 405:
        assert answer.headers["allow"] == "POST"


def test_a_bug_says_nothing_but_the_request_and_the_log_says_where(browse: Browse, logged: io.StringIO) -> None:
    answer = browse().post("/test/error/bug", content=SECRET, headers={"x-request-id": "job-9"})
    assert SECRET not in answer.text
    assert "RuntimeError" not in answer.text
    lines = [json.loads(line) for line in logged.getvalue().splitlines()]
    bug = next(line for line in lines if line["event"] == "bug")
    assert bug["request_id"] == "job-9"
    assert bug["error"]["type"] == "RuntimeError"
    assert any("conftest.py" in place for place in bug["error"]["at"])


@pytest.mark.contract("silence")
def test_nothing_that_was_sent_reaches_the_log_or_the_metrics(browse: Browse, logged: io.StringIO) -> None:
    client = browse(keys=(KEY,))
    good = {"x-api-key": KEY, "user-agent": SECRET}
    for path in ("/test/length", "/test/error/bug", f"/test/length?q={SECRET}", f"/{SECRET}", "/test/json"):
        client.post(path, content=SECRET, headers=good)
        client.post(path, content=SECRET, headers={"x-api-key": SECRET * 2})
    told = client.get("/metrics", headers=good).text
    assert len(logged.getvalue().splitlines()) >= 10
    for text in (logged.getvalue(), told):
        assert SECRET not in text
        assert KEY not in text
    assert 'route="/test/length"' in told
    assert re.search(r'groundwire_rejected_total\{reason="invalid_api_key"\} 5\.0', told)


def test_a_page_of_another_site_is_turned_away(browse: Browse) -> None:
    client = browse()
    assert client.post("/test/length", headers={"origin": "https://evil.example"}).status_code == 403
    assert client.post("/test/length", headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert client.post("/test/length", headers={"origin": "http://localhost"}).status_code == 200
    assert client.get("/livez", headers={"host": "evil.example"}).status_code == 400
