"""What an endpoint can do: asked once, with requests of a few tokens, and never taken from a cache.

Left out: what a model is worth. A probe that an endpoint does not pass is a fact about it, not an error.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from groundwire.errors import Unavailable, UsageError
from groundwire.models.chat import endpoint as endpoints
from groundwire.models.chat.failure import Failure, Kind
from groundwire.models.chat.loop import Loop
from groundwire.models.chat.reply import completion, document, first_choice
from groundwire.models.chat.wire import Wire
from groundwire.types import Noun

DEADLINE = 60.0
"""Seconds that one probe may take; a server on this machine may load the model at the first one."""
_LIMIT = 1 << 20
_TOKENS = 32
_SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string", "enum": ["yes", "no"]}},
    "required": ["answer"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe(Noun):
    """One finding. `ok` is None where the endpoint's answer says neither yes nor no."""

    name: str
    ok: bool | None
    note: str


def probe(model: str | None = None, *, base_url: str | None = None, deadline: float = DEADLINE) -> list[Probe]:
    """Return what there is to say of an endpoint: reachable, model, json_schema, logprobs, seed, in this order.

    Without a model the only one that the endpoint lists is meant. What follows a probe that failed is left out when it
    cannot be asked. Raises UsageError when the endpoint lists several, and what `endpoint.find` raises.
    """
    endpoint = endpoints.find(base_url)
    loop = Loop("groundwire-probe")
    try:
        return loop.run(_Prober(endpoint, deadline).all(model))
    finally:
        loop.close()


class _Prober:
    def __init__(self, endpoint: endpoints.Endpoint, deadline: float) -> None:
        self._endpoint = endpoint
        self._deadline = deadline
        self._model = ""

    async def all(self, model: str | None) -> list[Probe]:
        self._wire = Wire(self._endpoint, limit=_LIMIT, connections=1, timeout=self._deadline)
        try:
            return await self._ask(model)
        finally:
            await self._wire.close()

    async def _ask(self, model: str | None) -> list[Probe]:
        start = perf_counter()
        try:
            listed = _names(await self._timed(self._wire.models()))
        except Failure as failure:
            if failure.kind in (Kind.CONNECTION, Kind.TIMEOUT, Kind.KEY, Kind.RATE_LIMITED):
                return [Probe(name="reachable", ok=False, note=str(failure))]
            listed = []  # some servers list nothing or fail to; the model then has to be named
        found = [Probe(name="reachable", ok=True, note=f"{self._endpoint.url} in {perf_counter() - start:.2f} s")]
        self._model = model or _only(listed, self._endpoint.url)
        known = await self._known(listed)
        found.append(known)
        if known.ok:
            for name, ask in (("json_schema", self._schema), ("logprobs", self._logprobs), ("seed", self._seed)):
                found.append(await self._feature(name, ask))
        return found

    async def _known(self, listed: list[str]) -> Probe:
        """Ask for a word: a list may lack what the endpoint serves, and name what it does not."""
        try:
            await self._chat({})
        except Failure as failure:
            others = f"; it lists {', '.join(listed[:5])}" if listed and self._model not in listed else ""
            return Probe(name="model", ok=False, note=f"{self._model}: {failure}{others}")
        return Probe(name="model", ok=True, note=f"{self._model} answers")

    async def _feature(self, name: str, ask: Callable[[], Awaitable[tuple[bool | None, str]]]) -> Probe:
        try:
            ok, note = await ask()
        except Failure as failure:
            ok, note = (False if failure.kind in (Kind.REJECTED, Kind.MALFORMED) else None), str(failure)
        return Probe(name=name, ok=ok, note=note)

    async def _schema(self) -> tuple[bool | None, str]:
        schema = {"name": "reply", "strict": True, "schema": _SCHEMA}
        reply = await self._chat({"response_format": {"type": "json_schema", "json_schema": schema}})
        text = completion(reply).text or ""
        try:
            held = json.loads(text)
        except ValueError:
            return False, "accepted, but the reply is not JSON"
        if isinstance(held, dict) and set(held) == {"answer"}:
            return True, "replies follow a schema"
        return False, "accepted, but the reply does not follow the schema"

    async def _logprobs(self) -> tuple[bool | None, str]:
        choice = first_choice(document(await self._chat({"logprobs": True, "top_logprobs": 2})))
        logprobs = choice.get("logprobs")
        given = logprobs.get("content") if isinstance(logprobs, Mapping) else None
        return (True, "given for each token") if given else (False, "accepted, but none came")

    async def _seed(self) -> tuple[bool | None, str]:
        """Ask the same twice where chance has a say; equal replies to two seeds would show nothing."""
        hot = {"temperature": 1.0, "seed": 7}
        first, second = [completion(await self._chat(hot)).text for _ in range(2)]
        if first != second:
            return False, "accepted, but the same seed gave two different replies"
        return True, "the same seed gave the same reply twice"

    async def _chat(self, parameters: Mapping[str, Any]) -> bytes:
        prompt = 'Is water wet? Answer "yes" or "no", as JSON: {"answer": ...}'
        messages = [{"role": "user", "content": prompt}]
        fields: dict[str, Any] = {"temperature": 0.0, "max_tokens": _TOKENS, **parameters}
        try:
            return await self._timed(self._wire.chat(self._model, messages, fields))
        except Failure as failure:
            if failure.kind is not Kind.CONNECTION:
                raise
        # Some servers close a connection behind an error; the next request finds that out and says nothing of the endpoint.
        return await self._timed(self._wire.chat(self._model, messages, fields))

    async def _timed(self, sent: Awaitable[bytes]) -> bytes:
        try:
            async with asyncio.timeout(self._deadline):
                return await sent
        except TimeoutError:
            raise Failure(Kind.TIMEOUT, f"no whole reply within {self._deadline:g} s") from None


def _names(body: bytes) -> list[str]:
    """Return the ids of a list of models."""
    data = document(body).get("data")
    rows = data if isinstance(data, list) else []
    return [row["id"] for row in rows if isinstance(row, dict) and isinstance(row.get("id"), str)]


def _only(listed: list[str], url: str) -> str:
    if len(listed) == 1:
        return listed[0]
    if not listed:
        raise Unavailable(f"{url} lists no models", "name one: --llm NAME")
    more = ", …" if len(listed) > 10 else ""
    raise UsageError(f"{url} has {len(listed)} models", f"name one: --llm NAME, of {', '.join(listed[:10])}{more}")
