"""HTTP on a connection: uvicorn's, and what it leaves to a proxy in front.

Headers have to arrive in time and in a bounded size, whatever is malformed gets our envelope once what came before it is
answered, a connection lingers when it ends, and a client that reads nothing is let go. No other protocol is spoken: a request
that asks for one (as Java's client does each time, for HTTP/2) is taken as it is. Left out: bodies and all that is known once
headers are there (`groundwire.server.guard`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from http import HTTPStatus
from secrets import token_hex
from typing import Any, cast

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from groundwire.server.errors import BAD_REQUEST, ApiError, envelope, unavailable
from groundwire.server.guard.body import too_slow
from groundwire.server.guard.headers import answering
from groundwire.server.lingering import Lingering
from groundwire.server.replies import encoded
from groundwire.server.settings import Limits

FIRST_WORDS_SECONDS = 0.25
"""For how long whoever was just let in may be silent, when a server ends."""
_FRAMING = 8
"""Bytes that a body in chunks may take beside each of its own; chunks of one byte take five."""


class GuardedProtocol(HttpToolsProtocol):
    """One connection. `rejected` is told the code of what never became a request."""

    def __init__(self, *, limits: Limits, rejected: Callable[[str], None], **given: Any) -> None:
        super().__init__(**given)
        self._limits, self._rejected = limits, rejected
        self._receipt: asyncio.TimerHandle | None = None
        self._stuck: asyncio.TimerHandle | None = None
        self._reading_headers = True
        self._header_bytes = self._body_bytes = self._framing = 0
        self._deaf = self._begun = False
        self._asked: list[RequestResponseCycle] = []
        self._made = self.loop.time()

    @property
    def new(self) -> bool:
        """True for a moment after a connection was made, as long as nothing was asked on it: it may be on its way."""
        return self.cycle is None and self.loop.time() < self._made + FIRST_WORDS_SECONDS

    @property
    def unanswered(self) -> bool:
        """True while a request has come, in whole or in part, that has not been answered."""
        return self._header_bytes > 0 or (self.cycle is not None and not self.cycle.response_complete)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a connection, and expect a request on it."""
        self._lingering = Lingering(cast("asyncio.Transport", transport), self.loop)
        super().connection_made(self._lingering)
        self._expect()
        if len(self.connections) > self._limits.connections:
            self._refuse(unavailable("too_many_connections", "this server has as many connections as it takes"))

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of everything that was waited for."""
        self._expect_nothing()
        self.resume_writing()
        self._lingering.ended()
        # uvicorn tells only the last one, which may stand behind the one that is worked on.
        for cycle in self._waiting():
            cycle.disconnected = True
            cycle.message_event.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; what comes after the last answer is thrown away."""
        if self._deaf or self.transport.is_closing():
            return
        # Raw bytes, because a header that never ends is not told of by the parser until it does.
        self._header_bytes += len(data) if self._reading_headers else 0
        read, self._begun = self._body_bytes, False
        self._feed(data)
        # Beside a body there are the marks of its chunks and what stands behind the last one, which nobody reads.
        if self._begun or self._reading_headers:
            self._framing = 0
        else:
            self._framing += len(data) - (self._body_bytes - read)
        most = self._limits.header_bytes
        if self._header_bytes > most or self._framing > most + _FRAMING * self._body_bytes:
            self._refuse_large()
        elif self._header_bytes and self._receipt is None:
            self._expect()

    def _feed(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            self._feed_anew(data[upgrade.args[0] :])
        except httptools.HttpParserError:
            self._refuse_malformed()

    def _feed_anew(self, rest: bytes) -> None:
        """Read on behind the headers of a request for another protocol, whose body the parser passes over."""
        framing = self._body_follows()
        self.parser = httptools.HttpRequestParser(self)
        if framing:
            deaf, self._deaf = self._deaf, True
            self.parser.feed_data(b"POST / HTTP/1.1\r\n" + framing + b"\r\n\r\n")
            self._deaf = deaf
        if rest and not self.transport.is_closing():
            self._feed(rest)

    def _body_follows(self) -> bytes:
        """Return the header that says how long the body is which the parser passes over, empty where there is none."""
        if not self.parser.should_upgrade():
            return b""
        said = dict(self.headers)
        if b"transfer-encoding" in said:
            return b"transfer-encoding: chunked"
        return b"content-length: " + said[b"content-length"] if said.get(b"content-length", b"0").strip(b"0") else b""

    def on_message_begin(self) -> None:
        """Note when a request began."""
        if self._deaf:
            return
        super().on_message_begin()
        self._header_bytes = max(1, self._header_bytes)
        self._body_bytes, self._begun = 0, True
        self.scope["state"]["began"] = self.loop.time()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header; one that stands behind the body is nobody's."""
        if self._reading_headers and not self._deaf:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Hand the request to the guard."""
        if self._deaf or self.transport.is_closing():
            return
        self._expect_nothing()
        self._reading_headers = False
        self._header_bytes = 0
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > self._limits.header_bytes:
            self._refuse_large()
            return
        if not self.url.startswith(b"/") and self.url != b"*":
            # A target with a host of its own would leave two readers to choose between it and Host.
            self._refuse_malformed()
            return
        super().on_headers_complete()
        self._asked = [*self._waiting(), self.cycle]
        if self.pipeline:
            # It waits behind another request of this client, and that time is not its own.
            self.scope["state"].pop("began", None)

    def on_body(self, body: bytes) -> None:
        """Take a piece of a body, unless the request was turned away."""
        self._body_bytes += len(body)
        if not (self._deaf or self.transport.is_closing()):
            super().on_body(body)

    def on_message_complete(self) -> None:
        """Expect the next request."""
        if self._deaf or self._body_follows():
            return
        self._reading_headers = True
        if not self.transport.is_closing():
            super().on_message_complete()

    def pause_writing(self) -> None:
        """Give a client that does not read a while, then let it go."""
        super().pause_writing()
        if self._stuck is None:
            self._stuck = self.loop.call_later(self._limits.idle_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on writing."""
        super().resume_writing()
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None

    def let_go(self) -> None:
        """Close a connection on which nothing is being asked."""
        self.transport.close()

    def _expect(self) -> None:
        self._expect_nothing()
        self._receipt = self.loop.call_later(self._limits.receipt_seconds, self._too_slow)

    def _expect_nothing(self) -> None:
        if self._receipt is not None:
            self._receipt.cancel()
            self._receipt = None

    def _too_slow(self) -> None:
        self._receipt = None
        if self.transport.is_closing():
            return
        if self.cycle is not None and not self.cycle.response_complete:
            self._expect()  # an answer is being made, and another one cannot go before it
        elif self._header_bytes:
            self._refuse(too_slow())
        else:
            self.transport.close()  # nothing was asked, so nothing is answered

    def _refuse_malformed(self) -> None:
        self._refuse(ApiError(400, BAD_REQUEST, "malformed_request", "this is no HTTP request"))

    def _refuse_large(self) -> None:
        most = self._limits.header_bytes
        self._refuse(ApiError(431, BAD_REQUEST, "headers_too_large", f"headers have at most {most} bytes"))

    def _waiting(self) -> list[RequestResponseCycle]:
        """Return the requests that have no whole answer yet, in the order in which they came."""
        return [cycle for cycle in self._asked if not cycle.response_complete]

    def _refuse(self, error: ApiError) -> None:
        """Answer what is no request, or none that can be read, and end the connection.

        Behind requests that wait for their answers it is not answered, for that would be read as one of theirs: the
        connection ends with the last of these. One that waits so for its own body is told that it was too slow.
        """
        self._rejected(error.code)
        self._header_bytes = 0
        waiting = self._waiting()
        if waiting and (len(waiting) > 1 or not waiting[-1].more_body):
            waiting[-1].keep_alive = False
            self._deaf = True
            self._expect_nothing()
            return
        if waiting and waiting[-1].response_started:
            self.transport.abort()  # in the middle of an answer another one would be read as its body
            return
        request = token_hex(12)
        body = encoded(envelope(error, request))
        told = {"content-type": "application/json", "content-length": str(len(body)), **error.headers}
        given = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in told.items()]
        headers = [*self.server_state.default_headers, *answering(given, request, closing=True)]
        lines = b"".join(name + b": " + value + b"\r\n" for name, value in headers)
        status = HTTPStatus(error.status)
        self.transport.write(f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode("ascii") + lines + b"\r\n" + body)
        self.transport.close()
