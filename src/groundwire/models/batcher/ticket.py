"""A ticket: on whose behalf work is done, until when, and whether it is still wanted.

A thread that `held` a ticket scores on it: the batcher reads it to be fair between clients and to drop what nobody waits for
any more. Without one, work is nobody's in particular and has no deadline. Left out: who hands tickets out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event, Lock
from time import monotonic

from groundwire.errors import Cancelled, Expired

_held: ContextVar[Ticket | None] = ContextVar("groundwire_ticket", default=None)


class Ticket:
    """One request's right to be worked on. Safe for any number of threads.

    `client` is whom the work is shared out by, `deadline` a time of `time.monotonic`, None for no limit.
    """

    __slots__ = ("_lock", "_told", "_withdrawn", "client", "deadline", "id")

    def __init__(self, id: str = "", client: str = "", deadline: float | None = None) -> None:  # noqa: A002 - the field's name
        self.id, self.client, self.deadline = id, client, deadline
        self._lock = Lock()
        self._withdrawn = False
        self._told: list[Callable[[], None]] = []

    def __repr__(self) -> str:
        return f"Ticket({self.id!r}, cancelled={self._withdrawn}, remaining={self.remaining()})"

    @property
    def cancelled(self) -> bool:
        """True once `cancel` was called."""
        return self._withdrawn

    def cancel(self) -> None:
        """Say that the work is no longer wanted; whoever waits on this ticket is woken. Twice is once."""
        with self._lock:
            self._withdrawn = True
            told, self._told = self._told, []
        for tell in told:
            tell()

    def remaining(self) -> float | None:
        """Return the seconds until the deadline, 0 when it has passed, None without one."""
        return None if self.deadline is None else max(0.0, self.deadline - monotonic())

    def check(self) -> None:
        """Raise Cancelled or Expired when the work is no longer wanted."""
        if self._withdrawn:
            raise Cancelled("the request was cancelled")
        if self.deadline is not None and monotonic() >= self.deadline:
            raise self.late()

    def late(self) -> Expired:
        """Return the error of a deadline that has passed."""
        return Expired("the request took longer than it was given", "send less at once, or try again")

    def wait(self, done: Event) -> None:
        """Wait until `done` is set. Raises Cancelled or Expired as soon as either comes before."""
        with self.watched(done.set):
            while not done.wait(self.remaining()):
                self.check()
        self.check()

    @contextmanager
    def watched(self, tell: Callable[[], None]) -> Iterator[None]:
        """Call `tell`, in the thread that cancels, if the ticket is cancelled inside, and at once if it was before."""
        with self._lock:
            withdrawn = self._withdrawn
            if not withdrawn:
                self._told.append(tell)
        if withdrawn:
            tell()
        try:
            yield
        finally:
            with self._lock:
                if tell in self._told:
                    self._told.remove(tell)

    @contextmanager
    def held(self) -> Iterator[Ticket]:
        """Work on this ticket inside: whatever is scored in this thread (or task) is scored on it."""
        token = _held.set(self)
        try:
            yield self
        finally:
            _held.reset(token)


def current() -> Ticket | None:
    """Return the ticket that this thread (or task) holds, None without one."""
    return _held.get()


def wanted() -> None:
    """Raise Cancelled or Expired when the work of this thread is no longer wanted; without a ticket it always is."""
    ticket = _held.get()
    if ticket is not None:
        ticket.check()
