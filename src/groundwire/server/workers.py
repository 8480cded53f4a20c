"""Worker threads: what a request computes in Python, and where it waits for the models.

A thread spends most of its time waiting for the batcher, so there are many more of them than cores: what they have in the
queue together is what batches are made of. Requests are not put together here. To read one costs some milliseconds of
Python and a tenth of a second of the model, so nothing would be saved, and a ticket would no longer be one request's.

Clients take turns, one request each. No client has more than its share of the threads, and slow work (that asks a language
model) not more than half of them, so there is always a thread for somebody else. Left out: the queue's bound (`admission`).
"""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Condition, Thread
from time import monotonic
from typing import Any, TypeVar

from groundwire.closing import Closing
from groundwire.errors import Cancelled

THREADS = 48
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, eq=False)
class _Task:
    future: Future[Any]
    call: Callable[[], Any]
    client: str
    slow: bool


class Workers(Closing):
    """A pool of at most `threads` threads, started as they are needed; fair between clients.

    `close` cancels what waits and ends the threads once what they run has ended; it waits `patience` seconds for that.
    """

    def __init__(self, threads: int = THREADS, *, patience: float = 5.0) -> None:
        self._most, self._patience = threads, patience
        self._of_one, self._of_slow = max(1, threads * 3 // 4), max(1, threads // 2)
        self._work = Condition()
        self._waiting: OrderedDict[str, deque[_Task]] = OrderedDict()
        self._running: Counter[str] = Counter()
        self._slow = self._idle = 0
        self._threads: list[Thread] = []
        self._closed = False

    @property
    def busy(self) -> int:
        """How many calls run now."""
        return self._running.total()

    @property
    def waiting(self) -> int:
        """How many calls wait for a thread."""
        with self._work:
            return sum(map(len, self._waiting.values()))

    def submit(self, client: str, call: Callable[[], _T], *, slow: bool = False) -> Future[_T]:
        """Call this in a thread when it is the client's turn. A future that is cancelled before is forgotten at once."""
        task = _Task(Future(), call, client, slow)
        with self._work:
            if self._closed:
                raise Cancelled("the server is being closed")
            self._waiting.setdefault(client, deque()).append(task)
            # A thread that was woken for the call before counts as idle until it runs, so idle ones have to be enough for all.
            if self._idle < sum(map(len, self._waiting.values())) and len(self._threads) < self._most:
                self._threads.append(
                    Thread(target=self._serve, name=f"groundwire-worker-{len(self._threads)}", daemon=True)
                )
                self._threads[-1].start()
            self._work.notify()
        task.future.add_done_callback(lambda future: self._forget(task) if future.cancelled() else None)
        return task.future

    def close(self) -> None:
        """End. Twice is once."""
        with self._work:
            self._closed = True
            waiting = [task for tasks in self._waiting.values() for task in tasks]
            self._work.notify_all()
        for task in waiting:
            task.future.cancel()
        until = monotonic() + self._patience
        for thread in self._threads:
            thread.join(max(0.0, until - monotonic()))

    def _forget(self, task: _Task) -> None:
        with self._work:
            tasks = self._waiting.get(task.client)
            if tasks is not None and task in tasks:
                tasks.remove(task)
                if not tasks:
                    del self._waiting[task.client]

    def _serve(self) -> None:
        while (task := self._next()) is not None:
            if task.future.set_running_or_notify_cancel():
                try:
                    result = task.call()
                except BaseException as error:
                    task.future.set_exception(error)
                else:
                    task.future.set_result(result)
                    del result
            with self._work:
                self._running -= Counter((task.client,))
                self._slow -= task.slow
                self._work.notify()  # what was held back by a share may go on
            del task

    def _next(self) -> _Task | None:
        """Wait for a call whose turn it is, and take it; None at the end."""
        with self._work:
            self._idle += 1
            while not self._closed and (task := self._choose()) is None:
                self._work.wait()
            self._idle -= 1
            return None if self._closed else task

    def _choose(self) -> _Task | None:
        for client, tasks in self._waiting.items():
            if self._running[client] < self._of_one:
                task = next((task for task in tasks if not task.slow or self._slow < self._of_slow), None)
                if task is not None:
                    tasks.remove(task)
                    self._waiting.move_to_end(client)
                    if not tasks:
                        del self._waiting[client]
                    self._running[client] += 1
                    self._slow += task.slow
                    return task
        return None
