"""An upstream that streams what a test writes, and the application over the library in front of it, on a real port."""

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import openai
import pytest
import uvicorn

from groundwire.models.chat.endpoint import Endpoint
from groundwire.server.app import build
from groundwire.server.proxy.upstream import Patience, Upstream
from groundwire.server.settings import Limits, Settings

_SPEC = spec_from_file_location("library_of_tests", Path(__file__).parents[1] / "library.py")
assert _SPEC is not None
assert _SPEC.loader is not None
library_of_tests = module_from_spec(_SPEC)
_SPEC.loader.exec_module(library_of_tests)

Step = bytes | float | str
"""Bytes to send, seconds to wait, or "reset"."""


def chunk(text: str | None = None, *, index: int = 0, finish: str | None = None, **more: Any) -> bytes:
    """Return an event with one choice; `more` are further fields of the delta."""
    delta = {**({} if text is None else {"content": text}), **more}
    choice = {"index": index, "delta": delta, "finish_reason": finish, "logprobs": None}
    return event({"id": "c-1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]})


def event(data: Any) -> bytes:
    return b"data: " + (data if isinstance(data, str) else json.dumps(data)).encode() + b"\n\n"


@dataclass
class Talking:
    """`steps` are what is sent of a stream, `requests` what came: path, headers, body."""

    steps: Sequence[Step] = ()
    status: int = 200
    kind: str = "text/event-stream"
    requests: list[SimpleNamespace] = field(default_factory=list)
    left: threading.Event = field(default_factory=threading.Event)
    url: str = ""

    def words(self, text: str, pause: float = 0.0) -> None:
        """Stream a text by the word, as an upstream does."""
        parts = [part + " " for part in text.split(" ")]
        parts[-1] = parts[-1][:-1]
        said: list[Step] = [step for part in parts for step in (chunk(part), pause)]
        self.steps = [chunk("", role="assistant"), *said, chunk(finish="stop"), event("[DONE]")]


class _Handler(BaseHTTPRequestHandler):
    disable_nagle_algorithm = True

    def log_message(self, *args: Any) -> None: ...

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers["content-length"])))

    def _answer(self, body: bytes) -> None:
        talking: Talking = self.server.talking  # type: ignore[attr-defined]
        talking.requests.append(SimpleNamespace(path=self.path, headers=dict(self.headers), body=body))
        self.send_response(talking.status)
        self.send_header("content-type", talking.kind)
        self.send_header("location", "http://127.0.0.1:9/elsewhere")
        self.end_headers()
        try:
            for step in talking.steps:
                self._do(step)
        except OSError:
            talking.left.set()

    def _do(self, step: Step) -> None:
        if isinstance(step, bytes):
            self.wfile.write(step)
        elif isinstance(step, float):
            time.sleep(step)
        else:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            raise OSError


@pytest.fixture
def talking() -> Iterator[Talking]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads, server.block_on_close = True, False
    server.handle_error = lambda *_: None  # type: ignore[assignment]
    server.talking = Talking(url=f"http://127.0.0.1:{server.server_port}/v1")  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server.talking  # type: ignore[attr-defined]
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def library() -> Any:
    return library_of_tests.Library()


@pytest.fixture
def read_events() -> Callable[[str], list[tuple[str | None, Any]]]:
    return library_of_tests.events_of


Front = Callable[..., SimpleNamespace]


@pytest.fixture
def front(library: Any) -> Iterator[Front]:
    """Serve the application in front of an upstream: `url`, `http` (httpx), `openai` (the SDK); takes the URL and Patience."""
    running: list[tuple[uvicorn.Server, threading.Thread, SimpleNamespace]] = []

    def made(url: str | None, patience: Patience | None = None, key: str = "none", **limits: Any) -> SimpleNamespace:
        served = build(Settings(upstream=url, limits=Limits(**limits)), library)
        if url is not None:
            served.app.state.upstream = Upstream(Endpoint(url=url, key=key), patience)
        listener = socket.create_server(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(served, log_level="critical"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        base = f"http://127.0.0.1:{listener.getsockname()[1]}"
        sdk = openai.OpenAI(base_url=f"{base}/v1", api_key="the client's own", max_retries=0)
        found = SimpleNamespace(url=base, http=httpx.Client(base_url=base, timeout=30), openai=sdk, app=served.app)
        running.append((server, thread, found))
        return found

    yield made
    for server, thread, found in running:
        found.http.close()
        found.openai.close()
        server.should_exit = True
        thread.join(10)


@pytest.fixture
def chunks() -> SimpleNamespace:
    """`chunk` and `event`, which write what an upstream sends."""
    return SimpleNamespace(chunk=chunk, event=event)
