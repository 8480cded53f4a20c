"""A batch of prompts on an event loop: a few workers, one deadline, and every reply kept the moment it is there.

Left out: which prompts are known already (`chat`), and how one is asked (`calls`).
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator, Mapping

from groundwire.cache import Cache
from groundwire.errors import Unavailable
from groundwire.models.chat.calls import Calls, failed
from groundwire.models.chat.failure import Failure, Kind
from groundwire.models.chat.request import Request
from groundwire.models.chat.usage import Meter
from groundwire.types import Completion

_LOG = logging.getLogger(__name__)


class Batches:
    """What runs batches for one chat. It does not know the chat, so that a chat that nobody holds can go at any time."""

    def __init__(self, calls: Calls, cache: Cache | None, meter: Meter, *, workers: int) -> None:
        self.calls = calls
        self._cache = cache
        self._meter = meter
        self._workers = workers

    async def run(self, requests: Mapping[str, Request]) -> dict[str, Completion]:
        """Ask every request and return the completions under the same keys; what the deadline leaves over is an error."""
        done: dict[str, Completion] = {}
        waiting = iter(list(requests.items()))
        count = min(len(requests), self._workers)
        workers = [asyncio.create_task(self._work(waiting, done)) for _ in range(count)]
        deadline = self.calls.policy.batch
        try:
            async with asyncio.timeout(deadline):
                await asyncio.gather(*workers)
        except TimeoutError:
            pass
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
        late = failed(Failure(Kind.NOT_ASKED, f"the {deadline or 0:g} s of the batch were over"))
        return {key: done.get(key, late) for key in requests}

    async def _work(self, waiting: Iterator[tuple[str, Request]], done: dict[str, Completion]) -> None:
        for key, request in waiting:
            done[key] = completion = await self.calls.call(request)
            if self._cache is not None and completion.status == "ok":
                await asyncio.to_thread(self._keep, self._cache, key, completion)

    def _keep(self, cache: Cache, key: str, completion: Completion) -> None:
        """Put a reply in the cache. A cache that fails costs money later, and no reply now."""
        try:
            cache.put(key, encoded(completion))
        except Unavailable as error:
            self._meter.count(unkept=1)
            _LOG.warning("a reply could not be kept: %s", error)


def encoded(completion: Completion) -> bytes:
    """Return a reply as it is kept: its text and its reason, for tokens are paid once."""
    return json.dumps({"text": completion.text, "reason": completion.reason}).encode("ascii")


def decoded(value: bytes) -> Completion:
    """Return the reply that was kept."""
    kept = json.loads(value)
    return Completion(text=kept["text"], reason=kept["reason"], cached=True)
