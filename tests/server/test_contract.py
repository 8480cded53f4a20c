"""The lines of the contract that need the routes, the real model or a real process; the others stand beside what they test."""

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from groundwire.errors import CorruptModel
from groundwire.server import canary
from groundwire.server.app import build
from groundwire.server.engine import Engine
from groundwire.server.settings import Limits, Settings

BASE = "http://localhost"
SECRET = "canary-f00dfeed"
CASE = {"question": "When?", "answer": "The tower was finished in 1889.", "contexts": ["It was finished in 1889."]}


def opened(settings: Settings, engine: Engine) -> TestClient:
    return TestClient(build(settings, engine), base_url=BASE, raise_server_exceptions=False)


def large(claims: int) -> dict[str, Any]:
    """A case whose check takes a while."""
    sentences = [f"Item {n} was finished in {1000 + n} by the builders of town number {n * 7}." for n in range(claims)]
    return {"answer": " ".join(sentences), "contexts": [" ".join(sentences), " ".join(reversed(sentences))]}


@pytest.mark.contract("items")
def test_thirty_two_items_are_taken_and_one_more_is_not(client: TestClient) -> None:
    taken = client.post("/v1/check", json={"items": [CASE] * 32})
    assert [record["verdict"] for record in taken.json()["results"]] == ["supported"] * 32
    refused = client.post("/v1/check", json={"items": [CASE] * 33})
    assert refused.status_code == 422
    assert refused.json()["error"]["param"] == "items"


@pytest.mark.contract("text")
@pytest.mark.parametrize("field", ["question", "answer", "contexts"])
def test_a_text_over_the_limit_is_refused_and_cut_only_when_asked(client: TestClient, field: str) -> None:
    text = "It was finished in 1889. ".ljust(200_001, "x")
    case = {**CASE, field: [text] if field == "contexts" else text}
    refused = client.post("/v1/check", json=case)
    assert refused.status_code == 422
    assert refused.json()["error"]["param"].startswith(field)
    assert "xxx" not in refused.text
    if field == "contexts":
        cut = client.post("/v1/check", json={**case, "truncate": True}).json()
        assert cut["truncated"] is True
        whole = client.post("/v1/check", json={**case, "contexts": [text[:200_000]]})
        assert whole.status_code == 200
        assert "truncated" not in whole.json() or whole.json()["truncated"] is False


@pytest.mark.contract("queue")
def test_a_full_queue_is_told_by_the_measured_rate_and_gives_everything_back(tiny_index: Path) -> None:
    settings = Settings(limits=Limits(queue_tokens=3_000))
    with TestClient(build(settings), base_url=BASE, raise_server_exceptions=False) as client:
        wait_for(lambda: client.get("/readyz").status_code == 200, 60)
        client.post("/v1/check", json=CASE)
        answers: list[httpx.Response] = []
        threads = [
            threading.Thread(target=lambda: answers.append(client.post("/v1/check", json=large(8)))) for _ in range(6)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert {answer.status_code for answer in answers} == {200, 429}
        for answer in answers:
            if answer.status_code == 429:
                assert 1 <= int(answer.headers["retry-after"]) <= 600
        wait_for(lambda: client.get("/v1/operate").json()["queue"]["tokens"] == 0, 30)
        assert client.post("/v1/check", json=CASE).status_code == 200


@pytest.mark.contract("verdict")
def test_a_verdict_that_takes_too_long_is_given_up_and_its_work_with_it(engine: Engine) -> None:
    with opened(Settings(limits=Limits(verdict_seconds=0.05)), engine) as client:
        began = time.monotonic()
        answer = client.post("/v1/check", json=large(20))
        assert answer.status_code == 504
        assert time.monotonic() - began < 2.5
        wait_for(lambda: engine.state()["queue_tokens"] == 0, 30)


@pytest.mark.contract("readyz")
@pytest.mark.contract("livez")
def test_it_is_ready_only_after_the_canary_has_sung(monkeypatch: pytest.MonkeyPatch) -> None:
    sung, real = threading.Event(), canary.sing

    def sing(path: Any) -> None:
        assert sung.wait(60)
        real(path)

    monkeypatch.setattr(canary, "sing", sing)
    with TestClient(build(Settings()), base_url=BASE, raise_server_exceptions=False) as client:
        time.sleep(0.3)
        assert client.get("/livez").status_code == 200
        for answer in (client.get("/readyz"), client.post("/v1/check", json=CASE)):
            assert answer.status_code == 503
            assert answer.headers["retry-after"].isdigit()
        sung.set()
        wait_for(lambda: client.get("/readyz").status_code == 200)
        assert client.post("/v1/check", json=CASE).json()["verdict"] == "supported"


@pytest.mark.contract("readyz")
def test_a_model_that_answers_nonsense_never_becomes_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    def sing(path: Any) -> None:
        raise CorruptModel("nonsense")

    monkeypatch.setattr(canary, "sing", sing)
    app = build(Settings())
    with TestClient(app, base_url=BASE, raise_server_exceptions=False) as client:
        wait_for(lambda: app.standing.failure is not None, 60)
        assert isinstance(app.standing.failure, CorruptModel)
        assert client.get("/readyz").status_code == 503


@pytest.mark.contract("fields")
def test_no_field_reaches_an_address_or_a_file(client: TestClient, tmp_path: Path) -> None:
    """Every POST route is sent fields that name a place, at the top and inside; nobody knocks there, and nothing is read."""
    file = tmp_path / "secret.txt"
    file.write_text(SECRET, encoding="utf-8")
    with listener() as (address, knocked):
        names = (
            "url uri base_url baseUrl api_base upstream endpoint host proxy callback webhook file path model_path modelPath "
            "index_path folder api_key apiKey key token authorization model_file weights checkpoint trust_remote_code"
        ).split()
        shapes: list[dict[str, Any]] = [
            CASE,
            {"items": [CASE]},
            {"query": "When?", "index": "tiny"},
            {"question": "When?", "answer": "In 1889.", "index": "tiny"},
            {"query": "When?", "texts": ["In 1889."]},
            {"inputs": ["When?", "In 1889."]},
            {"query": "When?", "documents": ["In 1889."], "model": "rerank-v3.5"},
            {"answerCandidate": "In 1889.", "facts": [{"factText": "It was in 1889."}]},
            {
                "domain": "Generic",
                "task": "QnA",
                "qna": {"query": "When?"},
                "text": "1889.",
                "groundingSources": ["1889."],
            },
            {"source": "OUTPUT", "content": [{"text": {"text": "1889.", "qualifiers": ["grounding_source"]}}]},
            {"model": "m", "messages": [{"role": "user", "content": "When?"}]},
        ]
        for path in paths(client):
            for shape in shapes:
                for place in (address, str(file), f"file://{file}", "../../../../etc/passwd"):
                    answer = client.post(path, json={**shape, **dict.fromkeys(names, place)})
                    assert answer.status_code < 500 or answer.status_code == 503, (path, shape, answer.text)
                    assert SECRET not in answer.text
                    assert str(file) not in answer.text
        assert knocked == []


@pytest.mark.contract("fields")
@pytest.mark.parametrize(
    "index", ["../tiny", "/etc", "milvus:http://example.org", "tiny/../tiny", "C:\\", "tiny\x00", ""]
)
def test_an_index_is_a_name_and_never_a_place(client: TestClient, index: str) -> None:
    for path in ("/v1/verify", "/v1/search", "/v1/generate"):
        body = {"index": index, "query": "When?"} if path == "/v1/search" else {"index": index, "question": "When?"}
        answer = client.post(path, json={**body, "answer": "In 1889."} if path == "/v1/verify" else body)
        assert 400 <= answer.status_code < 500
        assert set(answer.json()["error"]) == {"type", "code", "message", "param", "request_id"}


@pytest.mark.contract("drain")
@pytest.mark.contract("bind")
def test_a_process_ends_with_0_after_sigterm_and_what_was_asked_is_answered(tiny_index: Path) -> None:
    with running("--index", f"tiny={tiny_index}") as (process, address, lines):
        assert address.startswith("http://127.0.0.1:")
        wait_for(lambda: httpx.get(f"{address}/readyz").status_code == 200, 60)
        answers: list[httpx.Response] = []
        ask = lambda: answers.append(httpx.post(f"{address}/v1/check", json=large(15), timeout=60))  # noqa: E731
        threads = [threading.Thread(target=ask) for _ in range(3)]
        for thread in threads:
            thread.start()
        wait_for(lambda: httpx.get(f"{address}/v1/operate").json()["in_flight"] == 4)  # three, and this one
        process.terminate()
        for thread in threads:
            thread.join(30)
        assert process.wait(25) == 0
    assert [answer.status_code for answer in answers] == [200] * 3
    told = [json.loads(line) for line in lines if line.startswith("{")]
    events = ["starting", "listening", "draining", "ended"]
    assert [line["event"] for line in told if line["event"] != "request"] == events
    assert "builders of town" not in "".join(lines)


@pytest.mark.contract("bind")
def test_a_process_refuses_to_be_open_to_others_without_a_key() -> None:
    command = [sys.executable, "-m", "groundwire", "serve", "--host", "0.0.0.0", "--port", "0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")


def paths(client: TestClient) -> Iterator[str]:
    """Yield every path that takes a POST, with names in the place of its parameters."""
    found = client.get("/v1/openapi.json").json()["paths"]
    assert len(found) > 10
    for path, methods in found.items():
        if "post" in methods:
            yield path.replace("{", "").replace("}", "")


@contextmanager
def listener() -> Iterator[tuple[str, list[str]]]:
    """An address at which everybody who knocks is noted."""
    knocked: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def note() -> None:
            while True:
                try:
                    connection, peer = server.accept()
                except OSError:
                    return
                knocked.append(str(peer))
                connection.close()

        threading.Thread(target=note, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/x", knocked
        server.shutdown(socket.SHUT_RDWR)


@contextmanager
def running(*args: str) -> Iterator[tuple["subprocess.Popen[str]", str, list[str]]]:
    """Run `groundwire serve` on a free port; give the process, its address, and the lines of stderr as they come."""
    command = [sys.executable, "-m", "groundwire", "serve", "--port", "0", *args]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    lines: list[str] = []
    reader = threading.Thread(target=lambda: lines.extend(iter(process.stderr.readline, "")), daemon=True)  # type: ignore[union-attr]
    reader.start()
    said = "groundwire listens on "
    try:
        wait_for(lambda: process.poll() is not None or any(line.startswith(said) for line in lines), 60)
        yield process, next(line for line in lines if line.startswith(said)).removeprefix(said).strip(), lines
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        reader.join(5)
        if process.stderr:
            process.stderr.close()


def wait_for(holds: Callable[[], bool], seconds: float = 10.0) -> None:
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.02)
