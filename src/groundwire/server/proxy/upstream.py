"""The one upstream: where it is, its key, how long it is waited for and how much is read of it.

The address is the operator's, the key the environment's; a request changes neither, and nothing of a client's headers goes
there. Redirects are not followed and proxies of the environment not used: who names the upstream says where texts go. Left
out: trying again (the client knows best whether it wants to), and what the replies mean.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any
from urllib.parse import quote

import httpx

from groundwire.models.chat.endpoint import NO_KEY, Endpoint, find
from groundwire.server.errors import TIMEOUT, ApiError, not_found
from groundwire.server.settings import Settings

FAILED = "upstream_error"
PASSED = ("content-type", "retry-after", "retry-after-ms", "x-should-retry")
"""Headers of an upstream's reply that its reader needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Seconds: to connect, without a byte, and for a whole reply. Bytes: of a reply, and of one event of a stream."""

    connect: float = 10.0
    silence: float = 60.0
    whole: float = 600.0
    reply_bytes: int = 32 << 20
    event_bytes: int = 1 << 20


class Upstream:
    """Connections to the upstream, kept open between requests; bound to one event loop."""

    def __init__(self, endpoint: Endpoint, patience: Patience | None = None) -> None:
        self.patience = patience or Patience()
        self._endpoint = endpoint
        silence, connect = self.patience.silence, self.patience.connect
        self._client = httpx.AsyncClient(
            follow_redirects=False,
            trust_env=False,
            timeout=httpx.Timeout(silence, connect=connect, pool=connect),
            limits=httpx.Limits(max_connections=512, max_keepalive_connections=64),
            headers={
                "authorization": f"Bearer {endpoint.key}",
                "accept-encoding": "identity",
                "user-agent": "groundwire",
            },
        )

    async def close(self) -> None:
        """Close every connection."""
        await self._client.aclose()

    @asynccontextmanager
    async def ask(self, method: str, path: str, body: bytes | None = None) -> AsyncIterator[Answering]:
        """Send a request and give the reply once its head is there. Raises ApiError: 502, 504."""
        kind = {} if body is None else {"content-type": "application/json"}
        request = self._client.build_request(method, self._endpoint.url + path, content=body, headers=kind)
        async with _told(), asyncio.timeout(self.patience.whole):
            response = await self._client.send(request, stream=True)
        try:
            if response.is_redirect:
                raise broken("the upstream answered with a redirect, which is not followed")
            if not 200 <= response.status_code < 600:
                raise broken("the upstream answered with a status that is none")
            yield Answering(response, self._endpoint, self.patience)
        finally:
            await response.aclose()


class Answering:
    """A reply of the upstream whose body is still to be read."""

    def __init__(self, response: httpx.Response, endpoint: Endpoint, patience: Patience) -> None:
        self._response, self._patience = response, patience
        self.status = response.status_code
        self._forms = _forms(endpoint.key)
        self.headers = {
            name: self.redacted(response.headers[name].encode("latin-1", "replace")).decode("latin-1")
            for name in PASSED
            if name in response.headers
        }
        self.streams = response.headers.get("content-type", "").partition(";")[0].strip() == "text/event-stream"
        self.ok = 200 <= self.status < 300

    async def whole(self) -> bytes:
        """Return the body, redacted. Raises ApiError: 502 where it breaks off or is too large, 504 where it is late."""
        return self.redacted(b"".join([piece async for piece in self.pieces()]))

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield the body as it comes. Raises ApiError as `whole` does."""
        size, until = 0, monotonic() + self._patience.whole
        async with _told():
            async for piece in self._response.aiter_bytes():
                size += len(piece)
                if monotonic() > until:  # a drip: every piece came in time, and all of them together do not
                    raise TimeoutError
                if size > self._patience.reply_bytes:
                    raise broken(f"the upstream's reply is larger than {self._patience.reply_bytes} bytes")
                yield piece

    def redacted(self, body: bytes) -> bytes:
        """Return a body without the upstream's key, which some repeat in what they say of it."""
        for form in self._forms:
            body = body.replace(form, b"[key]")
        return body


def upstream_of(app: Any) -> Upstream:
    """Return the application's upstream, opened once. Raises ApiError (404) without one, Unavailable without a key for it."""
    found: Upstream | None = getattr(app.state, "upstream", None)
    if found is None:
        settings: Settings = app.state.settings
        if settings.upstream is None:
            raise not_found("no_upstream", "this server passes no chats on: it was started without --upstream")
        found = app.state.upstream = Upstream(find(settings.upstream))
    return found


@asynccontextmanager
async def closing(app: Any) -> AsyncIterator[None]:
    """Close the application's upstream when the application ends."""
    yield
    found: Upstream | None = getattr(app.state, "upstream", None)
    if found is not None:
        await found.close()


def _forms(key: str) -> list[bytes]:
    """Return the ways in which a key is written in JSON, in an address and in plain text; none for what is no key."""
    if key in ("", NO_KEY):
        return []
    return [form.encode() for form in dict.fromkeys((key, key.replace("/", "\\/"), quote(key, safe="")))]


def broken(message: str) -> ApiError:
    """A reply that is none (502)."""
    return ApiError(502, FAILED, "upstream_invalid", message)


@asynccontextmanager
async def _told() -> AsyncIterator[None]:
    """Turn what goes wrong on the way to the upstream into what the client is told."""
    try:
        yield
    except (httpx.TimeoutException, TimeoutError):
        raise ApiError(504, TIMEOUT, "upstream_timeout", "the upstream did not answer in time") from None
    except httpx.ConnectError:
        raise ApiError(502, FAILED, "upstream_unreachable", "the upstream could not be reached") from None
    except (httpx.HTTPError, httpx.StreamError, OSError):
        raise ApiError(502, FAILED, "upstream_broke_off", "the connection to the upstream broke off") from None
