"""The server that fails, seen by a client that knows nothing of it."""

import json
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlsplit

import pytest

from groundwire.testing import Fault, FaultServer
from groundwire.testing.faults import HUGE_BYTES


@pytest.fixture
def server() -> Iterator[FaultServer]:
    with FaultServer("Yes", pause=0.002) as running:
        yield running


def post(server: FaultServer, prompt: str = "q", **fields: Any) -> tuple[int, dict[str, str], bytes]:
    connection = HTTPConnection(urlsplit(server.url).netloc, timeout=0.2)
    body = {"model": "m", "messages": [{"role": "user", "content": prompt}], **fields}
    try:
        connection.request("POST", "/v1/chat/completions", json.dumps(body))
        response = connection.getresponse()
        return response.status, dict(response.headers), response.read()
    finally:
        connection.close()


def test_it_listens_on_this_machine_alone(server: FaultServer) -> None:
    assert urlsplit(server.url).hostname == "127.0.0.1"


def test_a_good_reply_and_what_was_asked(server: FaultServer) -> None:
    status, _, body = post(server, "one two", seed=3)
    reply = json.loads(body)
    assert (status, reply["choices"][0]["message"]["content"]) == (200, "Yes")
    assert reply["usage"] == {"prompt_tokens": 2, "completion_tokens": 1, "total_tokens": 3}
    assert [(e.prompt, e.request["seed"], e.wrong) for e in server.exchanges] == [("one two", 3, None)]


@pytest.mark.parametrize(
    ("fault", "status", "begins"),
    [
        (Fault.RATE_LIMIT, 429, b'{"error"'),
        (Fault.RATE_LIMIT_DATE, 429, b'{"error"'),
        (Fault.SERVER_ERROR, 500, b'{"error"'),
        (Fault.HTML, 502, b"<!DOCTYPE html>"),
        (Fault.HTML_OK, 200, b"<!DOCTYPE html>"),
        (Fault.WRONG_SCHEMA, 200, b'{"result"'),
        (Fault.DRIP, 200, b'{"id"'),
    ],
    ids=str,
)
def test_faults_with_a_body(fault: Fault, status: int, begins: bytes, server: FaultServer) -> None:
    server.faults, server.retry_after = [fault], 5
    got, headers, body = post(server)
    assert got == status
    assert body.startswith(begins)
    if status == 429:
        assert headers["Retry-After"] == "5" or headers["Retry-After"].endswith(" GMT")


def test_faults_that_read_as_json(server: FaultServer) -> None:
    server.faults = [Fault.EMPTY_CHOICES, Fault.REFUSAL, Fault.FILTERED, Fault.TRUNCATED]
    replies = [post(server)[2] for _ in range(4)]
    empty, refusal, filtered = (json.loads(reply)["choices"] for reply in replies[:3])
    assert empty == []
    assert refusal[0]["message"]["refusal"]
    assert filtered[0]["finish_reason"] == "content_filter"
    with pytest.raises(ValueError):
        json.loads(replies[3])


@pytest.mark.parametrize(("fault", "error"), [(Fault.HANG, TimeoutError), (Fault.RESET, (OSError, HTTPException))])
def test_faults_without_a_reply(fault: Fault, error: type[Exception], server: FaultServer) -> None:
    server.faults = [fault]
    with pytest.raises(error):
        post(server)


def test_a_huge_body_says_so(server: FaultServer) -> None:
    server.faults = [Fault.HUGE]
    connection = HTTPConnection(urlsplit(server.url).netloc, timeout=5)
    connection.request("POST", "/v1/chat/completions", json.dumps({"model": "m", "messages": [{"content": "q"}]}))
    response = connection.getresponse()
    assert int(response.headers["Content-Length"]) == HUGE_BYTES
    assert len(response.read(1000)) == 1000
    response.close()
    connection.close()


def test_faults_by_a_function_and_any_status(server: FaultServer) -> None:
    server.faults = lambda number, prompt: 418 if prompt == "tea" and number else None
    assert [post(server, prompt)[0] for prompt in ("tea", "tea", "q")] == [200, 418, 200]


def test_keys_and_models_are_checked() -> None:
    with FaultServer(key="k", models=["other"]) as server:
        assert post(server)[0] == 401
        server.key = None
        assert post(server)[0] == 404
        assert server.exchanges == []
