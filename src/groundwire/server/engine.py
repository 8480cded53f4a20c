"""The engine: what every route asks, answered in worker threads that share the models.

    route (event loop) → admission (tokens) → worker thread, the ticket held → path → batcher → worker → route

Nothing is computed on the event loop. Checkers, indexes and language models are opened once, by `start`, which ends with a
canary. A method ends with Busy when too much waits, Expired at the ticket's deadline and Cancelled when the ticket is
cancelled; what it began then ends by itself at its next question to a model, and what was admitted for it is given back when
it has ended. A threshold labels anew what the model says; no score depends on it.

Left out: HTTP, and which limits a single request has to keep.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any, TypeVar

from groundwire.errors import NotOpen
from groundwire.models.batcher import Ticket
from groundwire.protocols import Pair
from groundwire.server import admission, tasks
from groundwire.server.admission import Admission
from groundwire.server.settings import Settings
from groundwire.server.shares import alone
from groundwire.server.shelf import AnyInfo
from groundwire.server.systems import Grown, ModelInfo, Systems
from groundwire.server.workers import Workers
from groundwire.types import Answer, Case, ClaimVerdict, Entailment, Hit, Passage, Verdict

__all__ = ["Engine", "Grown", "ModelInfo"]
PATIENCE = 1 / 3
"""Of the time that a verdict may take, what may be spent in the queue at most."""
RANKED = 150
"""Tokens that ranking one found passage is estimated at."""
GENERATED = 6_000
"""Tokens that an answer from an index is estimated at: the fifty passages that are ranked, of which many are remembered."""
_T = TypeVar("_T")


class Engine:
    """One a process. `start`, then any number of calls from one event loop, then `drain` and `close`.

    Every method that takes a ticket works on it; raises Busy, Expired, Cancelled, Unavailable while there is nothing to
    answer by, and what the systems themselves raise (InputError, UnknownName, CorruptIndex, …).
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.draining = False
        self._systems: Systems | None = None
        self._workers = Workers()
        self._running: set[Future[Any]] = set()
        patience = min(settings.limits.queue_seconds, settings.limits.verdict_seconds * PATIENCE)
        limit = int(alone(settings.limits.queue_tokens))
        self._admission = Admission(limit, self._rate, patience=alone(patience))

    @property
    def ready(self) -> bool:
        """True from the moment the canary was right, until it drains."""
        return self._systems is not None and not self.draining

    @property
    def threshold(self) -> float:
        """The score in [0, 1] from which an answer is supported, where a request does not say."""
        return self._open().checker.threshold

    @property
    def model(self) -> ModelInfo:
        """The model that judges."""
        return self._open().model

    async def start(self) -> None:
        """Load the models, open the indexes and try them. Raises what that raises; then nothing stays open."""
        await asyncio.wrap_future(self._workers.submit("", self._load))

    async def drain(self, seconds: float) -> bool:
        """Take nothing more; wait so long for what is in flight. Return whether all of it has ended."""
        self.draining = True
        if seconds > 0 and (running := [tasks.on_loop(future) for future in list(self._running)]):
            await asyncio.wait(running, timeout=seconds)
        return not self._running

    async def close(self) -> None:
        """End everything; what is still in flight ends with Cancelled. Twice is once."""
        self.draining = True
        await asyncio.to_thread(self._close)

    def _load(self) -> None:
        # Here and not on the loop, so that nothing is lost when whoever awaits the start goes away.
        self._systems = Systems(self.settings)

    def _close(self) -> None:
        if self._systems is not None:
            self._systems.stop()
        self._workers.close()
        systems, self._systems = self._systems, None
        if systems is not None:
            systems.close()

    def full(self, client: str = "") -> int | None:
        """Return in how many seconds a client may come again where the queue has no room for anything of it, else None."""
        return self._admission.full(client)

    def state(self) -> dict[str, Any]:
        """Return what waits now and what was done since the start, by name; numbers alone.

        queue_tokens is the estimate of all that was admitted, and queue_limit its bound; waiting_tokens what the models
        have to read yet; jobs are requests; rate_tokens_s is None before anything was measured.
        """
        systems = self._systems
        load = None if systems is None else systems.batcher.load()
        return {
            "queue_tokens": self._admission.held,
            "queue_limit": self._admission.bound,
            "jobs": len(self._running),
            "workers_busy": self._workers.busy,
            "workers_waiting": self._workers.waiting,
            "waiting_tokens": load.waiting_tokens if load else 0,
            "rate_tokens_s": load.tokens_a_second if load else None,
            "batches": load.batches if load else 0,
            "items": load.items if load else 0,
            "tokens": load.tokens if load else 0,
            "padded_tokens": load.padded_tokens if load else 0,
        }

    def indexes(self) -> dict[str, AnyInfo]:
        """Return what is in each index, by its name."""
        return dict(self._open().shelf.infos)

    async def check(self, cases: Sequence[Case], ticket: Ticket, *, threshold: float | None = None) -> list[Verdict]:
        """Check the cases, as one batch."""
        systems = self._open()
        cost = admission.of_cases(cases, ranked=systems.ranked)
        return await self._done(ticket, cost, lambda: systems.at(threshold).check(cases))

    def unfold(
        self, case: Case, ticket: Ticket, *, threshold: float | None = None, known: Sequence[ClaimVerdict] = ()
    ) -> AsyncIterator[ClaimVerdict | Verdict]:
        """Check a case and give each claim's verdict as it is judged, then the whole one's; see `CheckPath.unfold`."""
        systems = self._open()
        cost = admission.of_cases([case], ranked=systems.ranked)

        def work(tell: Callable[[ClaimVerdict | Verdict], None]) -> None:
            for one in systems.at(threshold).unfold(case, known=known):
                tell(one)

        return self._told(ticket, cost, work)

    async def verify(
        self,
        case: Case,
        index_name: str,
        ticket: Ticket,
        *,
        passages: int | None = None,
        threshold: float | None = None,
    ) -> Verdict:
        """Find evidence for an answer in an index and judge it; the case's own contexts are not read."""
        path = self._open().verifier(index_name, passages=passages, threshold=threshold)
        bare = replace(case, contexts=(), reason=None)  # as a row of a file it may have said that it has no contexts
        cost = path.passages * RANKED + admission.of_found(case.answer, path.passages)
        found = await self._done(ticket, cost, lambda: path.verify([bare]), slow=self._asks)
        return found[0]

    async def search(
        self, index_name: str, query: str, k: int, ticket: Ticket, *, stack: str | None = None
    ) -> list[Hit]:
        """Find at most `k` passages of an index, best first."""
        shelf = self._open().shelf
        return await self._done(ticket, k * RANKED, lambda: shelf.retriever(index_name, stack).retrieve([query], k)[0])

    async def passages(self, index_name: str, ticket: Ticket, *, offset: int = 0, limit: int = 20) -> list[Passage]:
        """Return a page of an index's passages, in its order."""
        shelf = self._open().shelf
        return await self._done(ticket, 0, lambda: shelf.passages(index_name, offset, limit))

    def generate(
        self,
        question: str,
        ticket: Ticket,
        *,
        index_name: str | None = None,
        passages: Sequence[Passage] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> AsyncIterator[Grown | Answer]:
        """Grow an answer; give every generation that ended with the best candidate so far, and last the answer.

        `options` are those of `systems.OPTIONS`; others raise InputError.
        """
        path = self._open().generator(index_name, options or {})
        cost = GENERATED if passages is None else admission.of_passages(question, passages)

        def work(tell: Callable[[Grown | Answer], None]) -> None:
            tell(path.generate(question, passages=passages, watch=lambda turn, best: tell((turn, best))))

        return self._told(ticket, cost, work, slow=self._asks)

    async def entail(self, pairs: Sequence[Pair], ticket: Ticket) -> list[Entailment]:
        """Judge (premise, claim) pairs."""
        model = self._open().checker.model
        return await self._done(ticket, admission.of_pairs(pairs), lambda: model.entail(pairs))

    async def score(self, pairs: Sequence[Pair], ticket: Ticket) -> list[float]:
        """Score (query, passage) pairs: raw logits of relevance. Raises UsageError for a model without."""
        scorer = self._open().scorer
        return await self._done(ticket, admission.of_pairs(pairs), lambda: scorer().score(pairs))

    async def truncated(self, pairs: Sequence[Pair], ticket: Ticket, *, relevance: bool = False) -> list[bool]:
        """Say which pairs are longer than the model reads, in the order that `entail` (or `score`) takes; best after it."""
        systems = self._open()
        return await self._done(
            ticket, 0, lambda: (systems.ranks_cut if relevance else systems.checker.model.truncated)(pairs)
        )

    @property
    def _asks(self) -> bool:
        """Whether a language model may be asked, which takes its own time."""
        return self.settings.llm is not None

    def _rate(self) -> float | None:
        systems = self._systems
        return None if systems is None else systems.batcher.load().tokens_a_second

    def _open(self) -> Systems:
        systems = self._systems
        if systems is None or self.draining:
            doing = "is ending" if self.draining else "is still loading its models"
            raise NotOpen(f"the server {doing}", "try again in a moment")
        return systems

    async def _done(self, ticket: Ticket, cost: int, call: Callable[[], _T], *, slow: bool = False) -> _T:
        """Call this in a worker on the ticket, and wait for what it returns."""
        return await tasks.result(self._begin(ticket, cost, slow), call)

    def _told(
        self, ticket: Ticket, cost: int, work: Callable[[Callable[[_T], None]], None], *, slow: bool = False
    ) -> AsyncIterator[_T]:
        """Do this in a worker on the ticket, from now on, and give what it tells."""
        return tasks.told(self._begin(ticket, cost, slow), work)

    def _begin(self, ticket: Ticket, cost: int, slow: bool) -> tasks.Task:
        ticket.check()
        return tasks.Task(ticket, self._admission.admit(cost, ticket.client), self._workers, self._running, slow=slow)
