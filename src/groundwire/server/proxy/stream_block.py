"""Mode `block`, streamed: a sentence goes on once it is judged; a choice ends at the first one that is not backed.

What is not text (a role apart) waits for the text before it. Events are written anew, without log probabilities, which would
tell the words that wait. Left out: passing on without waiting (`stream_annotate`).
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import suppress
from typing import Any

from groundwire.errors import GroundwireError
from groundwire.server.own.events import frame, framed
from groundwire.server.proxy.annotation import FILTERED, WITHHELD, chunk_of, meta_of, ours, speaks
from groundwire.server.proxy.chunks import DONE, Delta, Event
from groundwire.server.proxy.judging import Judging
from groundwire.server.proxy.upstream import broken
from groundwire.types import Verdict


async def held(events: AsyncIterator[Event], judging: Judging) -> AsyncGenerator[bytes, None]:
    """Yield the stream, each sentence once it is judged. Raises ApiError where the upstream's stream breaks off."""
    meta: dict[str, object] = {}
    choices: dict[int, Held] = {}
    done = False
    async for event in events:
        if event.done:
            done = True
            break
        deltas = event.deltas()
        if event.failed or not deltas:
            yield event.raw
            if event.failed:
                return
            continue
        meta = meta_of(event.chunk or {}) or meta
        for delta in deltas:
            choice = choices.setdefault(delta.index, Held(judging, delta.index))
            for told in await choice.take(delta):
                yield frame({**meta, "choices": [told]})
        if sum(choice.blocked for choice in choices.values()) >= judging.chat.n:
            done = True
            break
    if not done and (not choices or any(choice.verdict is None for choice in choices.values())):
        raise broken("the upstream's stream broke off")
    for choice in choices.values():
        for told in await choice.end(None):
            yield frame({**meta, "choices": [told]})
    verdicts = {index: choice.verdict for index, choice in choices.items() if choice.verdict is not None}
    blocked = [index for index, choice in choices.items() if choice.blocked]
    yield await framed(chunk_of(meta, verdicts, await ours(judging.chat, verdicts, blocked)))
    yield frame(DONE)


class Held:
    """One choice, and how much of it was let out. `verdict` is there once it has ended."""

    def __init__(self, judging: Judging, index: int) -> None:
        self._judging, self._index, self._growing = judging, index, judging.growing(index)
        self._out = 0
        self._others: list[Mapping[str, Any]] = []
        self.blocked = False
        self.verdict: Verdict | None = None

    async def take(self, delta: Delta) -> list[dict[str, Any]]:
        """Take what a chunk adds; return the choices of the chunks that may be sent for it."""
        if self.verdict is not None:
            return []
        told = self._other(delta.other)
        if delta.text:
            told += await self._text(delta.text)
        if delta.finish is not None:
            told += await self.end(delta.finish)
        return told

    async def end(self, finish: str | None) -> list[dict[str, Any]]:
        """Judge the whole, and let out the rest or say that it is withheld; nothing where that is done."""
        if self.verdict is not None:
            return []
        verdict = self.verdict = await self._judging.closed(self._growing)
        if not speaks(verdict):
            return self._withheld()
        told = [*self._until(self._growing.length), *map(self._chunk, self._others)]
        return [*told, self._chunk({}, finish or "stop")]

    async def _text(self, text: str) -> list[dict[str, Any]]:
        judging, growing = self._judging, self._growing
        if not judging.chat.contexts or growing.length + len(text) > judging.chars:
            growing.add(text)
            return []
        # What fails here is judged at the end; until then nothing more goes out.
        with suppress(GroundwireError):
            await growing.feed(text)
        if growing.standing is None or growing.settled <= self._out:
            return []
        if speaks(growing.standing):
            return self._until(growing.settled)
        growing.cut()
        self.verdict = growing.standing
        return self._withheld()

    def _other(self, other: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Let out what is not text, as long as no text waits before it; a role has nothing to hide."""
        role = {name: value for name, value in other.items() if name == "role"}
        rest = {name: value for name, value in other.items() if name != "role"}
        told = [self._chunk({**role, "content": ""})] if role else []
        if rest:
            self._others.append(rest)
        return told

    def _until(self, end: int) -> list[dict[str, Any]]:
        text, self._out = self._growing.text[self._out : end], max(end, self._out)
        return [self._chunk({"content": text})] if text else []

    def _withheld(self) -> list[dict[str, Any]]:
        self.blocked = True
        gap = "\n\n" if self._out else ""
        return [self._chunk({"content": gap + WITHHELD}), self._chunk({}, FILTERED)]

    def _chunk(self, delta: Mapping[str, Any], finish: str | None = None) -> dict[str, Any]:
        return {"index": self._index, "delta": dict(delta), "logprobs": None, "finish_reason": finish}
