"""From the event loop into a worker thread and back: one call, or one that tells of its progress.

The worker gets a ticket of its own, which the request's cancels: ending one call of a request ends no other. Whoever waits
is free at once when the ticket is cancelled or its deadline passes, whatever the worker does then. Left out: what is called.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, TypeVar

from groundwire.models.batcher import Ticket
from groundwire.server.workers import Workers

_T = TypeVar("_T")
_END = object()


class Task:
    """One call's way through a worker. It is made and used on the event loop; `give_back` is called when the call ended."""

    def __init__(
        self,
        ticket: Ticket,
        give_back: Callable[[], None],
        workers: Workers,
        running: set[Future[Any]],
        *,
        slow: bool,
    ) -> None:
        self.asked = ticket
        self.lent = Ticket(ticket.id, ticket.client, ticket.deadline)
        self.loop = asyncio.get_running_loop()
        self._give_back, self._workers, self._running, self._slow = give_back, workers, running, slow

    def begin(self, call: Callable[[], _T]) -> tuple[Future[_T], asyncio.Future[_T]]:
        """Hand the call to the workers; return its future, and the same on this loop."""

        def work() -> _T:
            self.lent.check()
            with self.lent.held():
                return call()

        try:
            future = self._workers.submit(self.lent.client, work, slow=self._slow)
        except BaseException:
            self._give_back()
            raise
        self._running.add(future)
        future.add_done_callback(self._ended)
        return future, on_loop(future)

    def _ended(self, future: Future[Any]) -> None:
        self._running.discard(future)
        self._give_back()

    def soon(self, call: Callable[..., object], *given: Any) -> None:
        """Call this on the loop, from any thread; not at all when the loop has ended."""
        with suppress(RuntimeError):
            self.loop.call_soon_threadsafe(call, *given)

    def drop(self, future: Future[Any]) -> None:
        """Nobody waits any more."""
        if not future.done():
            self.lent.cancel()
            future.cancel()


def on_loop(future: Future[_T]) -> asyncio.Future[_T]:
    """Return a future as one of this event loop; where nobody asks any more how it ended, that is no error."""
    waiting = asyncio.wrap_future(future)
    waiting.add_done_callback(lambda done: done.cancelled() or done.exception())
    return waiting


async def result(task: Task, call: Callable[[], _T]) -> _T:
    """Return what the call returns, or raise what it raises; Cancelled and Expired as soon as the ticket says so."""
    future, waiting = task.begin(call)
    wake = asyncio.Event()
    waiting.add_done_callback(lambda _: wake.set())
    try:
        with task.asked.watched(lambda: task.soon(wake.set)):
            await _within(task.lent, wake.wait())
        if not future.done():
            task.asked.check()
        return await waiting
    finally:
        task.drop(future)


def told(task: Task, work: Callable[[Callable[[_T], None]], None]) -> AsyncIterator[_T]:
    """Begin the work at once, and give what it tells as it does; ends as `result` does."""
    queue: asyncio.Queue[Any] = asyncio.Queue()

    def tell(item: _T) -> None:
        task.lent.check()
        task.soon(queue.put_nowait, item)

    future, waiting = task.begin(lambda: work(tell))
    waiting.add_done_callback(lambda _: queue.put_nowait(_END))
    return _given(task, future, waiting, queue)


async def _given(
    task: Task, future: Future[None], waiting: asyncio.Future[None], queue: asyncio.Queue[Any]
) -> AsyncIterator[Any]:
    try:
        with task.asked.watched(lambda: task.soon(queue.put_nowait, _END)):
            while (item := await _within(task.lent, queue.get())) is not _END:
                yield item
        if not future.done():
            task.asked.check()
        await waiting
    finally:
        task.drop(future)


async def _within(ticket: Ticket, awaited: Any) -> Any:
    """Wait for this until the ticket's deadline. Raises Expired."""
    try:
        async with asyncio.timeout(ticket.remaining()):
            return await awaited
    except TimeoutError:
        raise ticket.late() from None
