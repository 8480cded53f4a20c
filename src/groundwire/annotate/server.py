"""The page's server: on this machine alone, behind an address that nobody can guess.

GET gives pages and files, POST writes one judgement. Every address begins with a random token; a request has to name this
server as its host (so that no foreign name that leads here will do), and a POST must come from its own page. Items are named
by their position and choices by theirs: nothing that is sent is ever taken for a path.

Left out: encryption, since nothing leaves the machine, and what the pages look like.
"""

from __future__ import annotations

import hmac
import json
import re
import secrets
import sys
from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

from groundwire.annotate.desk import Desk
from groundwire.annotate.page import look
from groundwire.errors import GroundwireError, InputError, Unavailable
from groundwire.pages.style import packaged, policy

HOST = "127.0.0.1"
MOST_BODY = 16 * 1024
"""Bytes of a request's body; a judgement has some two hundred."""
_TIMEOUT = 30.0
_LENGTH = re.compile(r"[0-9]{1,9}")


class Server(ThreadingHTTPServer):
    """Serves one annotation until `shutdown`; a context manager. `port` 0 takes any that is free.

    Raises Unavailable where the port is taken.
    """

    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, desk: Desk, port: int = 0, *, token: str | None = None) -> None:
        self.desk = desk
        self.token = token or secrets.token_urlsafe(24)
        try:
            super().__init__((HOST, port), _Handler)
        except OSError as error:
            raise Unavailable(
                f"cannot serve on port {port}: {error.strerror}", "choose another --port, 0 for any"
            ) from error

    @property
    def address(self) -> str:
        """Return the address to open."""
        return f"http://{HOST}:{self.server_address[1]}/{self.token}/"

    def hosts(self) -> set[str]:
        """Return what a browser may call this server."""
        return {f"{name}:{self.server_address[1]}" for name in (HOST, "localhost")}

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing where a browser went away; anything else is a bug, and its traceback goes to standard error."""
        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: Server
    server_version, sys_version = "groundwire", ""
    timeout = _TIMEOUT
    _POLICY: ClassVar[dict[str, str]] = {}

    def do_GET(self) -> None:
        self._answer(self._get)

    def do_POST(self) -> None:
        self._answer(self._post)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class calls it so
        """Log nothing: addresses hold the token."""

    def _answer(self, made: Callable[[str, Mapping[str, str]], None]) -> None:
        path = self._path()
        if path is None:
            return self._send(HTTPStatus.NOT_FOUND, "text/plain", "There is nothing here.\n")
        try:
            return made(*path)
        except InputError as error:
            return self._json(HTTPStatus.BAD_REQUEST, {"error": error.message})
        except GroundwireError as error:
            return self._json(HTTPStatus.SERVICE_UNAVAILABLE, {"error": error.message})

    def _path(self) -> tuple[str, dict[str, str]] | None:
        """Return what is asked for behind the token, and the fields of the query; None for whom nothing is said to."""
        try:
            parts = urlsplit(self.path)
            fields = {name: values[-1] for name, values in parse_qs(parts.query, max_num_fields=8).items()}
        except ValueError:
            return None
        token, slash, rest = parts.path.removeprefix("/").partition("/")
        known = hmac.compare_digest(token.encode("utf-8", "replace"), self.server.token.encode())
        if not known or not slash or self.headers.get("Host") not in self.server.hosts():
            return None
        return rest, fields

    def _get(self, path: str, fields: Mapping[str, str]) -> None:
        if path == "export":
            form = "csv" if fields.get("form") == "csv" else "jsonl"
            text = self.server.desk.exported(form, final="final" in fields)
            named = {"Content-Disposition": f'attachment; filename="judgements.{form}"'}
            kind = "text/csv" if form == "csv" else "application/jsonl"
            return self._send(HTTPStatus.OK, kind, text, named)
        if path:
            return self._send(HTTPStatus.NOT_FOUND, "text/plain", "There is nothing here.\n")
        return self._send(HTTPStatus.OK, "text/html", self.server.desk.page(fields))

    def _post(self, path: str, fields: Mapping[str, str]) -> None:
        if path != "judge":
            return self._json(HTTPStatus.NOT_FOUND, {"error": "there is nothing here"})
        if self.headers.get("Origin") != f"http://{self.headers.get('Host')}":
            return self._json(HTTPStatus.FORBIDDEN, {"error": "only this server's own page may judge"})
        if self.headers.get_content_type() != "application/json":
            return self._json(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, {"error": "a judgement is JSON"})
        length = self.headers.get("Content-Length") or ""
        if not _LENGTH.fullmatch(length):
            return self._json(HTTPStatus.LENGTH_REQUIRED, {"error": "how long is it?"})
        if int(length) > MOST_BODY:
            return self._json(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, {"error": "that is too long for a judgement"})
        return self._json(HTTPStatus.OK, self.server.desk.judge(_body(self.rfile.read(int(length)))))

    def _json(self, status: HTTPStatus, told: Mapping[str, Any]) -> None:
        self._send(status, "application/json", json.dumps(told))

    def _send(self, status: HTTPStatus, kind: str, text: str, more: Mapping[str, str] | None = None) -> None:
        data = text.encode("utf-8", "backslashreplace")
        self.send_response(status)
        headers = {
            "Content-Type": f"{kind}; charset=utf-8",
            "Content-Length": str(len(data)),
            "Content-Security-Policy": self._policy(),
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cache-Control": "no-store",
            **(more or {}),
        }
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def _policy(self) -> str:
        if "policy" not in self._POLICY:
            style, script = look()
            told = policy(packaged("base.css") + style, script, connects=True)
            self._POLICY["policy"] = f"{told}; frame-ancestors 'none'"
        return self._POLICY["policy"]


def _body(data: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InputError("a judgement is a JSON object") from error
    if not isinstance(found, dict):
        raise InputError("a judgement is a JSON object")
    return found
