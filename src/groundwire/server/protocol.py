"""HTTP on a connection: uvicorn's, and what it leaves to a proxy in front.

Headers have to arrive in time and in a bounded size, whatever is malformed gets our envelope, a connection lingers when it
ends, and a client that reads nothing is let go. Left out: bodies and all that is known once headers are there
(`groundwire.server.guard`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from http import HTTPStatus
from secrets import token_hex
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from groundwire.server.errors import BAD_REQUEST, ApiError, envelope, unavailable
from groundwire.server.guard.body import too_slow
from groundwire.server.guard.headers import answering
from groundwire.server.lingering import Lingering
from groundwire.server.replies import encoded
from groundwire.server.settings import Limits


class GuardedProtocol(HttpToolsProtocol):
    """One connection. `rejected` is told the code of what never became a request."""

    def __init__(self, *, limits: Limits, rejected: Callable[[str], None], **given: Any) -> None:
        super().__init__(**given)
        self._limits, self._rejected = limits, rejected
        self._receipt: asyncio.TimerHandle | None = None
        self._stuck: asyncio.TimerHandle | None = None
        self._reading_headers = True
        self._header_bytes = 0
        self._deaf = False

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
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; what comes after the last answer is thrown away."""
        if self._deaf or self.transport.is_closing():
            return
        # Raw bytes, because a header that never ends is not told of by the parser until it does.
        self._header_bytes += len(data) if self._reading_headers else 0
        super().data_received(data)
        if self._reading_headers and self._header_bytes > self._limits.header_bytes:
            self._refuse_large()
        elif self._header_bytes and self._receipt is None:
            self._expect()

    def on_message_begin(self) -> None:
        """Note when a request began."""
        super().on_message_begin()
        self._header_bytes = max(1, self._header_bytes)
        self.scope["state"]["began"] = self.loop.time()

    def on_headers_complete(self) -> None:
        """Hand the request to the guard."""
        if self.transport.is_closing():
            return
        self._expect_nothing()
        self._reading_headers = False
        self._header_bytes = 0
        if sum(len(name) + len(value) + 4 for name, value in self.headers) > self._limits.header_bytes:
            self._refuse_large()
            return
        if not self.url.startswith(b"/") and self.url != b"*":
            # A target with a host of its own would leave two readers to choose between it and Host.
            self._refuse_malformed()
            return
        super().on_headers_complete()
        if self.pipeline:
            # It waits behind another request of this client, and that time is not its own.
            self.scope["state"].pop("began", None)

    def on_body(self, body: bytes) -> None:
        """Take a piece of a body, unless the request was turned away."""
        if not self.transport.is_closing():
            super().on_body(body)

    def on_message_complete(self) -> None:
        """Expect the next request."""
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

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP, in our envelope; `msg`, the parser's, is left unsaid."""
        del msg
        self._header_bytes = 0
        if self.cycle is not None and not self.cycle.response_complete and not self.cycle.more_body:
            # What is malformed came after a whole request: that one is answered, and nothing after it is listened to.
            self.cycle.keep_alive = False
            self._deaf = True
            self._expect_nothing()
            return
        if self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete:
            self.transport.abort()  # in the middle of an answer another one would be read as its body
            return
        self._refuse_malformed()

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

    def _refuse(self, error: ApiError) -> None:
        """Answer without a request: there is none, or none that can be read."""
        self._rejected(error.code)
        self._header_bytes = 0
        request = token_hex(12)
        body = encoded(envelope(error, request))
        told = {"content-type": "application/json", "content-length": str(len(body)), **error.headers}
        given = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in told.items()]
        headers = [*self.server_state.default_headers, *answering(given, request, closing=True)]
        lines = b"".join(name + b": " + value + b"\r\n" for name, value in headers)
        status = HTTPStatus(error.status)
        self.transport.write(f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode("ascii") + lines + b"\r\n" + body)
        self.transport.close()
