"""Mode `annotate`, streamed: every event goes on as it comes, and is judged beside it; the verdict is the last one.

Nothing that is passed on waits for a check. Left out: holding back (`stream_block`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress

from groundwire.errors import GroundwireError
from groundwire.server.own.events import frame, framed
from groundwire.server.proxy.annotation import chunk_of, meta_of, ours
from groundwire.server.proxy.chunks import DONE, Event
from groundwire.server.proxy.judging import Judging
from groundwire.server.proxy.upstream import broken
from groundwire.types import Verdict


async def passed(events: AsyncIterator[Event], judging: Judging) -> AsyncGenerator[bytes, None]:
    """Yield the stream with the verdict before its end. Raises ApiError where the upstream's stream breaks off."""
    meta: dict[str, object] = {}
    followed: dict[int, Follower] = {}
    ended: set[int] = set()
    done = False
    try:
        async for event in events:
            if event.done:
                done = True
                break
            deltas = event.deltas()
            yield event.raw
            if event.failed:
                return
            meta = meta_of(event.chunk or {}) or meta
            for delta in deltas:
                if delta.index not in followed:
                    followed[delta.index] = Follower(judging, delta.index)
                followed[delta.index].take(delta.text)
                ended |= {delta.index} if delta.finish else set()
        if not done and (not followed or ended != followed.keys()):
            raise broken("the upstream's stream broke off")
        found = await asyncio.gather(*(follower.verdict() for follower in followed.values()))
        verdicts = dict(zip(followed, found, strict=True))
        yield await framed(chunk_of(meta, verdicts, await ours(judging.chat, verdicts)))
        yield frame(DONE)
    finally:
        for follower in followed.values():
            follower.stop()


class Follower:
    """Judges one choice while it grows, in a task of its own: what comes while a check runs is one piece for the next."""

    def __init__(self, judging: Judging, index: int) -> None:
        self._judging, self._growing = judging, judging.growing(index)
        self._waiting: list[str] = []
        self._more = asyncio.Event()
        self._ended = False
        self._length = 0
        self._task = asyncio.create_task(self._follow())

    def take(self, text: str) -> None:
        """Take more of the choice."""
        if text:
            self._length += len(text)
            self._waiting.append(text)
            self._more.set()

    async def verdict(self) -> Verdict:
        """Return the verdict on the whole."""
        self._ended = True
        self._more.set()
        return await self._task

    def stop(self) -> None:
        """End it; nobody waits for the verdict any more."""
        self._task.cancel()

    async def _follow(self) -> Verdict:
        while not self._ended:
            await self._more.wait()
            self._more.clear()
            text = self._taken()
            # What fails here is judged at the end, and said then.
            with suppress(GroundwireError):
                await self._judge(text)
        await self._judge(self._taken(), growing=False)
        return await self._judging.closed(self._growing)

    async def _judge(self, text: str, *, growing: bool = True) -> None:
        if growing and self._judging.chat.contexts and self._length <= self._judging.chars:
            await self._growing.feed(text)
        else:
            self._growing.add(text)

    def _taken(self) -> str:
        text = "".join(self._waiting)
        self._waiting.clear()
        return text
