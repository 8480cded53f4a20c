"""Many prompts to one model: what is known already comes from the cache, the rest is asked at once.

A reply is kept the moment it is there, under the endpoint, the model, the messages and the parameters; only replies with
the status "ok" are kept. Left out: the ledger of a run over items (`groundwire.ledger`), streaming, and conversations.
"""

from __future__ import annotations

import logging
import os
import threading
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from groundwire import _env
from groundwire._optional import require
from groundwire.cache import Cache
from groundwire.closing import Closing
from groundwire.errors import NetworkError, Unavailable, UsageError
from groundwire.models.chat import endpoint as endpoints
from groundwire.models.chat.batch import Batches, decoded
from groundwire.models.chat.calls import Calls
from groundwire.models.chat.loop import Loop
from groundwire.models.chat.policy import Policy
from groundwire.models.chat.request import Request, seeds_of
from groundwire.models.chat.usage import Meter, Prices, Usage
from groundwire.protocols import Prompt
from groundwire.types import Completion

_LOG = logging.getLogger(__name__)
LIMIT = 8 << 20
"""The largest reply that is read, in bytes."""


class Chat(Closing):
    """A model behind an endpoint that speaks OpenAI's chat protocol; fills the role LLM, and is safe to share by threads.

    `base_url` is the endpoint (None: GROUNDWIRE_LLM_BASE_URL, OPENAI_BASE_URL); the key comes from the environment alone.
    `options` are further fields of the request, such as `response_format`. `temperature` None sends none, for models that
    take only their own. At most `concurrency` prompts are asked at a time. Raises Unavailable without an endpoint or a
    key, UsageError for arguments that make no sense, MissingExtra without the extra `llm`. Nothing is asked before
    `complete`. A context manager; `close` frees its connections and its thread, the cache stays the caller's.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        cache: Cache | None = None,
        policy: Policy | None = None,
        concurrency: int = 8,
        temperature: float | None = 0.0,
        seed: int | None = 0,
        options: Mapping[str, Any] | None = None,
        prices: Prices | None = None,
        limit: int = LIMIT,
    ) -> None:
        if not model.strip() or concurrency < 1 or limit < 1:
            raise UsageError("a chat needs a model, and a concurrency and limit above 0", "Chat('NAME')")
        require("openai", "llm")
        self._endpoint = endpoints.find(base_url)
        self._model = model
        self._cache = cache
        self._policy = policy or Policy()
        self._seed = seed
        self._fixed = {**({} if temperature is None else {"temperature": temperature}), **(options or {})}
        self._meter = Meter(prices)
        self._bounds = {"concurrency": concurrency, "limit": limit}
        self._session: _Session | None = None
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"Chat({self._model!r}, base_url={self._endpoint.url!r})"

    @property
    def name(self) -> str:
        """The model."""
        return self._model

    @property
    def endpoint(self) -> str:
        """The base URL that is asked."""
        return self._endpoint.url

    @property
    def usage(self) -> Usage:
        """What was asked and counted so far."""
        return self._meter.read()

    def complete(
        self, prompts: Sequence[Prompt], *, max_tokens: int | None = None, seed: int | Sequence[int] | None = None
    ) -> list[Completion]:
        """Answer each prompt, a user message with or without a system message; a failed call is one with status "error".

        `seed` (None: that of the chat) is for all prompts, or one for each. Equal prompts with equal seeds are asked once.
        Raises Unavailable for an endpoint that has never answered and refuses the key or the model, NetworkError when it
        would have to be asked and GROUNDWIRE_OFFLINE forbids it, UsageError for more or fewer seeds than prompts.
        """
        keyed = self._keyed(prompts, max_tokens, seed)
        by_key = dict(keyed)
        found = {key: kept for key in by_key if (kept := self._kept(key)) is not None}
        missing = {key: request for key, request in by_key.items() if key not in found}
        fresh = self._asked(missing) if missing else {}
        replies = []
        for key, _ in keyed:
            completion = fresh.pop(key, None)
            if completion is not None:
                found[key] = _again(completion)
            replies.append(completion or found[key])
        self._meter.count(cached=sum(reply.cached for reply in replies))
        return replies

    def forget(
        self, prompts: Sequence[Prompt], *, max_tokens: int | None = None, seed: int | Sequence[int] | None = None
    ) -> None:
        """Take the replies to these prompts out of the cache: for a caller who found that they cannot be parsed.

        A cache that fails keeps them, which is no reason to lose what the caller has; the log warns of it.
        """
        if self._cache is None:
            return
        try:
            for key, _ in self._keyed(prompts, max_tokens, seed):
                self._cache.drop(key)
        except Unavailable as error:
            _LOG.warning("a reply that cannot be read could not be forgotten: %s", error)

    def close(self) -> None:
        """Close the connections and end the thread; the next `complete` starts anew. Twice is once."""
        with self._lock:
            session, self._session = self._session, None
        if session is not None:
            session.close()

    def _keyed(
        self, prompts: Sequence[Prompt], max_tokens: int | None, seed: int | Sequence[int] | None
    ) -> list[tuple[str, Request]]:
        """Return each prompt's request, and the key that its reply is kept under."""
        pairs = zip(prompts, seeds_of(prompts, seed), strict=True)
        requests = [self._request(prompt, max_tokens, of_prompt) for prompt, of_prompt in pairs]
        return [(request.key(self._endpoint.url), request) for request in requests]

    def _request(self, prompt: Prompt, max_tokens: int | None, seed: int | None) -> Request:
        limits = {"max_tokens": max_tokens, "seed": self._seed if seed is None else seed}
        given = {name: value for name, value in limits.items() if value is not None}
        return Request(model=self._model, prompt=prompt, parameters={**given, **self._fixed})

    def _kept(self, key: str) -> Completion | None:
        value = self._cache.get(key) if self._cache else None
        return None if value is None else decoded(value)

    def _asked(self, requests: Mapping[str, Request]) -> dict[str, Completion]:
        if _env.offline() and not self._endpoint.local:
            hint = "unset GROUNDWIRE_OFFLINE"
            raise NetworkError(f"{self._endpoint.url} would have to be asked, and this run is offline", hint)
        session = self._opened()
        return session.loop.run(session.batches.run(requests))

    def _opened(self) -> _Session:
        """Return what runs the calls of this process; a forked one has neither its parent's thread nor its sockets."""
        with self._lock:
            if self._session is None or self._session.process != os.getpid():
                calls = Calls(self._endpoint, self._policy, self._meter, **self._bounds)
                batches = Batches(calls, self._cache, self._meter, workers=self._bounds["concurrency"])
                self._session = _Session(self, batches)
            return self._session


class _Session:
    """The loop of one chat in one process, and what runs on it."""

    def __init__(self, owner: Chat, batches: Batches) -> None:
        self.process = os.getpid()
        self.loop = Loop("groundwire-chat")
        self.batches = batches
        # Also at the end of the interpreter, before its threads are stopped in the middle of something.
        self.close = weakref.finalize(owner, _ended, self.loop, batches, self.process)


def _ended(loop: Loop, batches: Batches, process: int) -> None:
    if process == os.getpid():
        loop.run(batches.calls.close())
        loop.close()


def _again(completion: Completion) -> Completion:
    """Return a reply that was not asked for a second time: no tokens were paid."""
    return replace(completion, prompt_tokens=0, reply_tokens=0, cached=completion.status != "error")
