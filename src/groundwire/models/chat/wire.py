"""One request to an endpoint over the openai SDK, and the bytes that come back: bounded in size, never retried here.

The SDK makes the requests and keeps the connections. Its retries are off, redirects are not followed (the one who names
the endpoint chooses where prompts go), a body is read piece by piece against a limit, and of an error no more than its
first kilobytes. Left out: deadlines, which cancel from outside (`calls`), and what the bytes mean (`reply`).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any, NoReturn

from groundwire._optional import require
from groundwire.models.chat.endpoint import Endpoint
from groundwire.models.chat.failure import Failure, Kind, kind_of
from groundwire.models.chat.policy import retry_after

ERROR_BYTES = 16_384
"""How much of an error is read."""
SHOWN = 200
"""How many characters of what an endpoint says of an error are passed on."""


class Wire:
    """A client of one endpoint, bound to the event loop that first uses it."""

    def __init__(self, endpoint: Endpoint, *, limit: int, connections: int, timeout: float) -> None:
        openai = require("openai", "llm")
        web = sys.modules[openai.DefaultAsyncHttpxClient.__mro__[1].__module__.partition(".")[0]]
        self._endpoint = endpoint
        self._limit = limit
        self._errors: tuple[type[Exception], ...] = (openai.OpenAIError, web.HTTPError, web.StreamError, OSError)
        self._late: tuple[type[Exception], ...] = (openai.APITimeoutError, web.TimeoutException)
        # A proxy of the environment stands between this machine and others, never before this machine itself.
        http = openai.DefaultAsyncHttpxClient(
            event_hooks={"response": [self._refuse]},
            follow_redirects=False,
            trust_env=not endpoint.local,
            timeout=timeout,
            limits=web.Limits(max_connections=connections, max_keepalive_connections=connections),
        )
        absent = openai.Omit()
        self._client = openai.AsyncOpenAI(
            api_key=endpoint.key,
            base_url=endpoint.url,
            max_retries=0,
            http_client=http,
            default_headers={
                "Accept-Encoding": "identity",
                "OpenAI-Organization": absent,
                "OpenAI-Project": absent,
            },
        )

    async def chat(self, model: str, messages: list[dict[str, str]], parameters: Mapping[str, Any]) -> bytes:
        """Send a chat request and return the body of its reply. Raises Failure."""
        send = self._client.chat.completions.with_streaming_response.create
        return await self._body(send(model=model, messages=messages, extra_body=dict(parameters)))

    async def models(self) -> bytes:
        """Ask for the list of models and return the body. Raises Failure."""
        return await self._body(self._client.models.with_streaming_response.list())

    async def close(self) -> None:
        """Close every connection."""
        await self._client.close()

    async def _body(self, sent: Any) -> bytes:
        parts, size = [], 0
        try:
            async with sent as response:
                async for part in response.iter_bytes():
                    size += len(part)
                    if size > self._limit:
                        raise Failure(Kind.TOO_LARGE, f"the reply is larger than {self._limit} bytes")
                    parts.append(part)
        except self._late:
            raise Failure(Kind.TIMEOUT, "no reply in time") from None
        except self._errors as error:
            self._pass_on(error)
        return b"".join(parts)

    async def _refuse(self, response: Any) -> None:
        """Raise Failure for every status that is no success, before the SDK reads a body of unknown length."""
        if 200 <= response.status_code < 300:
            return
        body = b""
        async for part in response.aiter_bytes():
            body += part
            if len(body) >= ERROR_BYTES:
                break
        wait = retry_after(response.headers.get("retry-after"), response.headers.get("date"))
        said = self._endpoint.redacted(_said(body))[:SHOWN]
        message = f"the endpoint answered {response.status_code}" + (f": {said}" if said else "")
        raise Failure(kind_of(response.status_code), message, wait=wait)

    def _pass_on(self, error: Exception) -> NoReturn:
        cause = error.__cause__
        if isinstance(cause, Failure):  # earlier releases of the SDK wrap what a hook raises
            raise cause from None
        said = self._endpoint.redacted(" ".join(str(cause or error).split()))[:SHOWN]
        raise Failure(Kind.CONNECTION, f"{said or type(cause or error).__name__}") from None


def _said(body: bytes) -> str:
    """Return what an endpoint says of its error, on one line; nothing for a page of HTML."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    while isinstance(found, Mapping):
        found = found.get("error") or found.get("message") or found.get("detail")
    return " ".join(found.split()) if isinstance(found, str) else ""
