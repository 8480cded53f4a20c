"""An endpoint of OpenAI's chat protocol on this machine, for tests: it answers as you say and fails when you say.

    with FaultServer("Yes", faults=[Fault.RATE_LIMIT, None]) as server:
        chat = Chat("test-model", base_url=server.url)

Left out: streaming, and every route but /v1/chat/completions and /v1/models.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import time
from types import TracebackType
from typing import Any, Self

from groundwire.testing.faults import HUGE_BYTES, PAGE, Fault, body_of, chat_reply

Reply = str | Callable[[str], str]
Wrong = Fault | int | None
"""A fault, an HTTP status, or None: nothing is wrong with this one."""
Faults = Sequence[Wrong] | Callable[[int, str], Wrong]
FEATURES = frozenset({"json_schema", "logprobs", "seed"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One request to the chat route: its last message as `prompt`, the fields of its body, and what went wrong on purpose."""

    prompt: str
    request: Mapping[str, Any]
    wrong: Wrong


class FaultServer:
    """A context manager; `url` is its base URL on 127.0.0.1.

    `reply` is the text of every good reply or a function of the prompt. `faults` says what goes wrong with each request to
    the chat route: by its number from 0 in the order of arrival (nothing once the list is at its end), or a function of that
    number and the prompt. `retry_after` is what a 429 asks for, in seconds. A drip sends a byte each `pause` seconds. `key`
    and `models`, when given, are the only ones accepted. `features` are those that it has of json_schema, logprobs and seed;
    with ignores_schema it accepts a schema and does not follow it.
    `echo_key` repeats the caller's key in every error, as some endpoints do.
    """

    def __init__(
        self,
        reply: Reply = "Yes",
        *,
        faults: Faults = (),
        retry_after: int = 0,
        pause: float = 0.01,
        key: str | None = None,
        models: Sequence[str] = (),
        features: frozenset[str] = FEATURES,
        echo_key: bool = False,
    ) -> None:
        self.exchanges: list[Exchange] = []
        """Every request to the chat route that had a key and a model that the server takes, in the order of arrival."""
        self.reply = reply
        self.faults = faults
        self.retry_after = retry_after
        self.pause = pause
        self.key = key
        self.models = tuple(models)
        self.features = features
        self.echo_key = echo_key
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.owner = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        """The base URL."""
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()  # wakes what hangs
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def received(self, request: Mapping[str, Any]) -> Exchange:
        """Remember a request and decide what goes wrong with it."""
        prompt = str(request["messages"][-1]["content"])
        with self._lock:
            number = len(self.exchanges)
            if callable(self.faults):
                wrong = self.faults(number, prompt)
            else:
                wrong = self.faults[number] if number < len(self.faults) else None
            exchange = Exchange(prompt=prompt, request=request, wrong=wrong)
            self.exchanges.append(exchange)
        return exchange

    def good_reply(self, exchange: Exchange) -> dict[str, Any]:
        """Return the reply to a request with which nothing is wrong."""
        request = exchange.request
        text = self.reply(exchange.prompt) if callable(self.reply) else self.reply
        if "seed" not in self.features and request.get("temperature"):
            text = f"{text} {len(self.exchanges)}"
        if "response_format" in request and "ignores_schema" not in self.features:
            text = json.dumps({"answer": text})
        asked = " ".join(str(message["content"]) for message in request["messages"])
        reply = chat_reply(text, str(request["model"]), prompt=asked)
        if request.get("logprobs") and "logprobs" in self.features:
            top = [{"token": text, "logprob": -0.1, "bytes": None}]
            reply["choices"][0]["logprobs"] = {"content": [{**top[0], "top_logprobs": top}]}
        return reply


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    owner: FaultServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Stay silent: clients that go away in the middle are what these tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are two writes, and a delayed acknowledgement is 40 ms
    server: _Http

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class names it
        """Say nothing."""

    def do_GET(self) -> None:
        """Answer /v1/models."""
        owner = self.server.owner
        if self.path != "/v1/models":
            self._error(404, f"no route {self.path}")
        elif not self._has_key():
            self._error(401, "Incorrect API key provided")
        else:
            self._json(200, {"object": "list", "data": [{"id": name, "object": "model"} for name in owner.models]})

    def do_POST(self) -> None:
        """Answer /v1/chat/completions, or do it wrong."""
        owner = self.server.owner
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path != "/v1/chat/completions":
            self._error(404, f"no route {self.path}")
        elif not self._has_key():
            self._error(401, "Incorrect API key provided")
        elif owner.models and request["model"] not in owner.models:
            self._error(404, f"The model {request['model']} does not exist")
        elif "response_format" in request and "json_schema" not in owner.features:
            self._error(400, "response_format is not supported")
        else:
            self._exchange(owner.received(request))

    def _exchange(self, exchange: Exchange) -> None:
        reply, wrong = self.server.owner.good_reply(exchange), exchange.wrong
        if wrong is None:
            self._json(200, reply)
        elif not isinstance(wrong, Fault):
            self._error(wrong, f"asked to answer {wrong}")
        else:
            special = {
                Fault.RATE_LIMIT: self._rate_limited,
                Fault.RATE_LIMIT_DATE: self._rate_limited_until,
                Fault.SERVER_ERROR: lambda: self._error(500, "asked to fail"),
                Fault.HTML: lambda: self._send(502, PAGE, "text/html"),
                Fault.HANG: lambda: self._hang(),
                Fault.DRIP: lambda: self._drip(json.dumps(reply).encode()),
                Fault.RESET: self._reset,
                Fault.HUGE: self._huge,
            }
            act = special.get(wrong)
            if act is None:
                self._send(200, body_of(wrong, reply, str(exchange.request["model"])), "application/json")
            else:
                act()

    def _has_key(self) -> bool:
        wanted = self.server.owner.key
        return wanted is None or self.headers.get("Authorization") == f"Bearer {wanted}"

    def _rate_limited(self) -> None:
        self._error(429, "slow down", {"Retry-After": str(self.server.owner.retry_after)})

    def _rate_limited_until(self) -> None:
        until = formatdate(time() + self.server.owner.retry_after, usegmt=True)
        self._error(429, "slow down", {"Retry-After": until})

    def _hang(self) -> None:
        self.server.owner.closing.wait(60)
        self.close_connection = True

    def _drip(self, body: bytes) -> None:
        self._head(200, "application/json", len(body))
        for byte in body:
            self.wfile.write(bytes([byte]))
            if self.server.owner.closing.wait(self.server.owner.pause):
                break
        self.close_connection = True

    def _reset(self) -> None:
        """Close with what TCP calls a reset, in place of an orderly end."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def _huge(self) -> None:
        self._head(200, "application/json", HUGE_BYTES)
        piece = b" " * 100_000
        for _ in range(HUGE_BYTES // len(piece)):
            self.wfile.write(piece)

    def _error(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        if self.server.owner.echo_key:
            message = f"{message} {self.headers.get('Authorization', '')}"
        self._json(status, {"error": {"message": message, "type": "error", "code": None}}, headers)

    def _json(self, status: int, value: Any, headers: Mapping[str, str] | None = None) -> None:
        self._send(status, json.dumps(value).encode(), "application/json", headers)

    def _send(self, status: int, body: bytes, kind: str, headers: Mapping[str, str] | None = None) -> None:
        self._head(status, kind, len(body), headers)
        self.wfile.write(body)

    def _head(self, status: int, kind: str, length: int, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(length), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
