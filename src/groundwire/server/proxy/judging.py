"""The checks of one chat request: of whole replies as one batch, and of replies that grow.

Left out: what is sent because of them (`nonstreaming`, `stream_annotate`, `stream_block`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any

from groundwire.errors import GroundwireError
from groundwire.models.batcher.ticket import Ticket
from groundwire.server.growing import Growing
from groundwire.server.proxy.annotation import NO_EVIDENCE, NO_TEXT, TOO_LONG, failure, unjudged
from groundwire.server.proxy.request import Chat
from groundwire.types import Case, Verdict


@dataclass(frozen=True, slots=True)
class Judging:
    """Checks answers against the evidence of one request. A check that fails leaves a verdict that says so."""

    engine: Any
    chat: Chat
    ticket: Ticket
    seconds: float
    chars: int

    @property
    def threshold(self) -> float:
        """The threshold in use."""
        given = self.chat.options.threshold
        return float(self.engine.threshold) if given is None else given

    def growing(self, index: int) -> Growing:
        """Return a choice that will grow."""
        return Growing(
            self.engine,
            self.chat.question,
            self.chat.contexts,
            self.ticket,
            threshold=self.chat.options.threshold,
            seconds=self.seconds,
            name=str(index),
        )

    def idle(self, text: str | None) -> str | None:
        """Return why a text is not checked, None where it is."""
        if not text or not text.strip():
            return NO_TEXT
        if not self.chat.contexts:
            return NO_EVIDENCE
        return TOO_LONG if len(text) > self.chars else None

    async def whole(self, texts: Mapping[int, str | None]) -> dict[int, Verdict]:
        """Return the verdict on each choice, all as one batch."""
        found = {index: self.without(self._case(index, text), self.idle(text)) for index, text in texts.items()}
        live = {index: verdict.case for index, verdict in found.items() if self.idle(verdict.case.answer) is None}
        if not live:
            return found
        lent = Ticket(self.ticket.id, self.ticket.client, monotonic() + self.seconds)
        try:
            with self.ticket.watched(lent.cancel):
                judged = await self.engine.check(list(live.values()), lent, threshold=self.chat.options.threshold)
        except GroundwireError as error:
            judged = [self.without(case, failure(error)) for case in live.values()]
        return {**found, **dict(zip(live, judged, strict=True))}

    async def closed(self, growing: Growing) -> Verdict:
        """Return the verdict on a choice that has grown."""
        reason = self.idle(growing.text)
        if reason is not None:
            return self.without(growing.case, reason)
        try:
            return await growing.close()
        except GroundwireError as error:
            return self.without(growing.case, failure(error))

    def without(self, case: Case, reason: str | None) -> Verdict:
        """Return the verdict on what is not judged."""
        return unjudged(case, reason or "", self.threshold)

    def _case(self, index: int, text: str | None) -> Case:
        chat = self.chat
        return Case(id=str(index), question=chat.question, answer=text or "", contexts=chat.contexts)
