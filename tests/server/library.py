"""An engine that checks as the library does, and fails when a test says so; and what reads streams. For several folders."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from itertools import islice
from typing import Any

from groundwire.api import Checker, Generator, Verifier
from groundwire.index import LocalIndex
from groundwire.models.batcher.ticket import Ticket
from groundwire.types import Case, ClaimVerdict, Hit, Passage, Verdict


class Library:
    """The library behind an engine's methods; `fail_with` is raised before claim `fail_at`, `pause` seconds go by a claim."""

    ready, threshold = True, 0.5

    def __init__(self) -> None:
        self.fail_at: int | None = None
        self.fail_with: BaseException | None = None
        self.pause = 0.0
        self.tickets: list[Ticket] = []
        self.unfolded: list[str] = []
        self.checked: list[list[Case]] = []
        self.opened: dict[str, LocalIndex] = {}
        self.options: Any = None

    def full(self, client: str = "") -> int | None:
        return None

    def state(self) -> dict[str, Any]:
        names = ("queue_tokens", "queue_limit", "jobs", "rate_tokens_s", "batches", "items", "tokens")
        return dict.fromkeys(names, 0)

    def indexes(self) -> dict[str, Any]:
        return {name: index.info() for name, index in self.opened.items()}

    async def start(self) -> None: ...

    async def drain(self, seconds: float) -> bool:
        return True

    async def close(self) -> None: ...

    async def check(self, cases: Sequence[Case], ticket: Ticket, *, threshold: float | None = None) -> list[Verdict]:
        self.tickets.append(ticket)
        self.checked.append(list(cases))
        if self.fail_with is not None:
            raise self.fail_with
        return Checker(threshold=threshold).check(list(cases))

    async def unfold(
        self, case: Case, ticket: Ticket, *, threshold: float | None = None, known: Sequence[ClaimVerdict] = ()
    ) -> AsyncIterator[ClaimVerdict | Verdict]:
        self.tickets.append(ticket)
        self.unfolded.append(case.answer)
        [verdict] = Checker(threshold=threshold).check([case])
        for n, claim in enumerate(verdict.claims):
            await asyncio.sleep(self.pause)
            ticket.check()
            if n == self.fail_at and self.fail_with is not None:
                raise self.fail_with
            yield claim
        yield verdict

    async def verify(
        self,
        case: Case,
        index_name: str,
        ticket: Ticket,
        *,
        passages: int | None = None,
        threshold: float | None = None,
    ) -> Verdict:
        spec = "verify" if passages is None else f"verify(passages={passages})"
        with Verifier(self.opened[index_name], spec, stack="bm25", threshold=threshold) as verifier:
            return verifier.verify([case])[0]

    async def search(
        self, index_name: str, query: str, k: int, ticket: Ticket, *, stack: str | None = None
    ) -> list[Hit]:
        return self.opened[index_name].bm25().retrieve([query], k)[0]

    async def passages(self, index_name: str, ticket: Ticket, *, offset: int = 0, limit: int = 20) -> list[Passage]:
        return list(islice(self.opened[index_name].passages(), offset, offset + limit))

    async def generate(
        self,
        question: str,
        ticket: Ticket,
        *,
        index_name: str | None = None,
        passages: Sequence[Passage] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> AsyncIterator[Any]:
        self.options, seen = options, list[Any]()
        index = None if index_name is None else self.opened[index_name]
        with Generator(index, **(options or {})) as generator:
            answer = generator.generate(question, passages=passages, watch=lambda *one: seen.append(one))
        for one in seen:
            yield one
        yield answer


Event = tuple[str | None, Any]


def events_of(body: str) -> list[Event]:
    """Read a stream as a browser does; JSON where it is JSON. Comments are left out."""
    found: list[Event] = []
    for block in body.split("\n\n"):
        fields = [line.partition(":") for line in block.split("\n") if line and not line.startswith(":")]
        if not fields:
            continue
        data = "\n".join(value.removeprefix(" ") for name, _, value in fields if name == "data")
        event = next((value.removeprefix(" ") for name, _, value in fields if name == "event"), None)
        found.append((event, data if data == "[DONE]" else json.loads(data)))
    return found
