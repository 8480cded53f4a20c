"""The execution that all calls of a process share: pairs of many requests stand in one batch.

    calls (each in its own thread) → jobs → in turn, fair → planned by length → runner threads, one a stream → values → callers

- What costs Python time stays with the callers: they tokenise before and read logits after, in their own threads. A runner
  chooses a batch (a tenth of a millisecond), lays out its arrays and waits in the runtime, which needs no interpreter lock.
- Whoever is next in turn is in the next batch, whatever else is. The rest of the batch is what `plan` puts beside it out of
  the items whose turn comes soon (`AHEAD` batches' worth), so that lengths go together and batches are full.
- Nothing waits for a batch to fill. A runner that is free takes what is there; when that is little, no more than its share,
  so that a lone call uses every stream, as it would by itself.
- A caller that is cancelled, or whose deadline passes, leaves at once with its items; those in a batch that runs are lost.
- When a batch of several callers fails, each caller's part is run alone, and only those that fail again have the error.
- Runners and callers wait on conditions and events; nothing polls.

A pair's values do not depend on its batch (see `pair`), so they do not depend on who else is there. Left out: how much may
wait in all, which is decided before work is begun (`groundwire.server`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Condition, Lock, Thread
from typing import Any, TypeVar

from groundwire.closing import Closing
from groundwire.errors import Cancelled, CorruptModel
from groundwire.models.backend import usable_cores
from groundwire.models.batcher.job import Job, Seat, Turns, by_job
from groundwire.models.batcher.rate import DrainRate
from groundwire.models.batcher.ticket import current
from groundwire.models.batching import plan
from groundwire.models.execution import LEAST_TOKENS, Kind, shared
from groundwire.models.pairing import TokenPair

AHEAD = 6
"""Batches' worth of items that a batch is chosen from."""
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What a batcher has done and has to do. `tokens_a_second` is None before there was a backlog."""

    waiting_jobs: int
    waiting_tokens: int
    running: int
    batches: int
    items: int
    tokens: int
    padded_tokens: int
    tokens_a_second: float | None


class Batcher(Closing):
    """Fills the role Execution for any number of threads. `streams` None: one for each core that the process may use.

    `close` ends its threads and raises Cancelled in every call that still waits.
    """

    def __init__(self, streams: int | None = None) -> None:
        self._lock = Lock()
        self._work = Condition(self._lock)
        self._turns = Turns()
        self._waiting: dict[int, int] = {}
        self._idle = self._running = 0
        self._batches = self._items = self._tokens = self._padded = 0
        self._rate = DrainRate()
        self._closed = False
        self._runners = [
            Thread(target=self._serve, name=f"groundwire-runner-{n}", daemon=True)
            for n in range(streams or usable_cores())
        ]
        for runner in self._runners:
            runner.start()

    @property
    def streams(self) -> int:
        """How many batches run at the same time."""
        return len(self._runners)

    def run(self, kind: Kind[_T], items: Sequence[TokenPair]) -> list[_T]:
        """Return what `kind` makes of each item, in their order, on the ticket that this thread holds, if it holds one.

        Raises what `kind.run` raises, and Cancelled and Expired as the ticket says.
        """
        ticket = current()
        if ticket is not None:
            ticket.check()
        if not items:
            return []
        job = Job(kind, items, ticket)
        self._enter(job)
        try:
            if ticket is None:
                job.done.wait()
            else:
                ticket.wait(job.done)
        except BaseException:
            with self._lock:
                self._leave(job)
            raise
        if job.error is not None:
            raise job.error
        return job.values

    def load(self) -> Load:
        """Return what waits now and what was done so far."""
        with self._lock:
            return Load(
                waiting_jobs=len(self._turns),
                waiting_tokens=sum(self._waiting.values()),
                running=self._running,
                batches=self._batches,
                items=self._items,
                tokens=self._tokens,
                padded_tokens=self._padded,
                tokens_a_second=self._rate.tokens_a_second,
            )

    def close(self) -> None:
        """Take nothing more, let the callers that wait go with Cancelled, and end the threads. Twice is once."""
        with self._lock:
            self._closed = True
            for job in self._turns.jobs():
                self._fail(job, Cancelled("the models are being closed"))
            self._work.notify_all()
        for runner in self._runners:
            runner.join()

    def _enter(self, job: Job) -> None:
        tokens = job.tokens
        with self._lock:
            if self._closed:
                raise Cancelled("the models are closed")
            self._turns.add(job)
            self._count(job.kind, tokens)
            if self._backlog(job.kind):
                self._rate.begin()
            self._work.notify(-(-tokens // LEAST_TOKENS))

    def _leave(self, job: Job) -> None:
        """Forget a job's waiting items. The lock is held."""
        self._turns.drop(job)
        self._count(job.kind, -job.tokens)
        job.waiting = []

    def _count(self, kind: Kind[Any], tokens: int) -> None:
        """Count what waits of a kind. The lock is held."""
        left = self._waiting.get(id(kind), 0) + tokens
        if left > 0:
            self._waiting[id(kind)] = left
        else:
            self._waiting.pop(id(kind), None)

    def _backlog(self, kind: Kind[Any]) -> bool:
        """Say whether more waits than the runners take at once. The lock is held."""
        return sum(self._waiting.values()) >= kind.budget * len(self._runners)

    def _fail(self, job: Job, error: Exception) -> None:
        """Let a job's caller go with an error; the first one counts. The lock is held."""
        self._leave(job)
        job.error = job.error or error
        job.done.set()

    def _serve(self) -> None:
        """Run batches until the end: what a runner thread does."""
        while (chosen := self._next()) is not None:
            self._run(*chosen)

    def _next(self) -> tuple[list[Seat], int] | None:
        """Wait for work and take a batch of it with its width; None at the end."""
        with self._lock:
            self._idle += 1
            while not self._closed and not self._waiting:
                self._work.wait()
            chosen = None if self._closed else self._choose()
            self._idle -= 1
            self._running += chosen is not None
            return chosen

    def _choose(self) -> tuple[list[Seat], int]:
        """Take the next batch. The lock is held, and something waits."""
        seats = self._turns.seats(AHEAD)
        kind = seats[0][0].kind
        lengths = [job.items[i].length for job, i in seats]
        all_of_it = sum(lengths) == self._waiting[id(kind)]
        budget = shared(kind, lengths, self._idle) if all_of_it else kind.budget
        # The batch of whoever is next, however full others would be.
        batch = next(b for b in plan(lengths, max_length=kind.max_length, budget=budget) if 0 in b.rows)
        taken = [seats[n] for n in batch.rows]
        self._turns.take(taken)
        self._count(kind, -sum(lengths[n] for n in batch.rows))
        return taken, batch.width

    def _run(self, seats: list[Seat], width: int) -> None:
        """Run a batch and hand out its values, or its error."""
        outcomes = _outcomes(seats, width)
        tokens = sum(job.items[i].length for job, i in seats)
        with self._lock:
            for part, values in outcomes:
                if isinstance(values, Exception):
                    self._fail(part[0][0], values)
                    continue
                for (job, i), value in zip(part, values, strict=True):
                    job.values[i] = value
                    job.left -= 1
                    if not job.left:
                        job.done.set()
            self._running -= 1
            self._batches += 1
            self._items += len(seats)
            self._tokens += tokens
            self._padded += len(seats) * width
            self._rate.done(tokens, backlog=self._backlog(seats[0][0].kind))


def _outcomes(seats: list[Seat], width: int) -> list[tuple[list[Seat], Sequence[Any] | Exception]]:
    """Run a batch; return its values or its error. One of several jobs that fails is run again, job by job."""
    try:
        values = seats[0][0].kind.run([job.items[i] for job, i in seats], width)
    except Exception as error:
        parts = by_job(seats)
        if len(parts) == 1:
            return [(seats, error)]
    else:
        if len(values) == len(seats):
            return [(seats, values)]
        return [(part, CorruptModel("the model gave another number of values than of pairs")) for part in by_job(seats)]
    return [outcome for part in parts for outcome in _outcomes(part, width)]
