"""Jobs and whose they are: one call's items, and the order in which many calls take turns.

Left out: threads (`batcher`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heapify, heappop, heapreplace
from itertools import count
from threading import Event
from typing import Any

from groundwire.models.batcher.ticket import Ticket
from groundwire.models.execution import Kind
from groundwire.models.pairing import TokenPair

QUANTUM = 1024
"""Tokens of a turn: about a batch, so that small jobs end one after the other and not all at the end."""


class Job:
    """One call: its items, those that still wait, and what is known of the others."""

    __slots__ = ("client", "done", "error", "items", "kind", "left", "number", "served", "ticket", "values", "waiting")

    def __init__(self, kind: Kind[Any], items: Sequence[TokenPair], ticket: Ticket | None) -> None:
        self.kind, self.items, self.ticket = kind, items, ticket
        self.client = "" if ticket is None else ticket.client
        # The longest last, so that it is taken first and from the end of the list: of one job, lengths go together.
        self.waiting = sorted(range(len(items)), key=lambda i: items[i].length)
        self.values: list[Any] = [None] * len(items)
        self.left = len(items)
        self.served = self.number = 0
        self.error: Exception | None = None
        self.done = Event()

    @property
    def tokens(self) -> int:
        """The tokens of the items that wait."""
        return sum(self.items[i].length for i in self.waiting)


Seat = tuple[Job, int]
"""An item's place: its job, and its position there."""


class Client:
    """Whoever jobs are fair to: the jobs of one client."""

    __slots__ = ("jobs", "number", "served")

    def __init__(self, number: int, served: int) -> None:
        self.number, self.served = number, served
        self.jobs: list[Job] = []


class Turns:
    """Deficit round robin, by client and inside a client by job: a turn is worth `QUANTUM` tokens.

    Whoever was served least, counted in whole turns, is next, and of those the one who waits longest: whoever has used up a
    turn goes behind all who wait. A newcomer has its first turn in the next round, however often it comes, so nobody saves
    turns up, small jobs that never end do not keep a large one out, and a job of any size delays others by a turn of its own
    a round. What was taken ahead of a turn, to fill a batch, is paid for all the same.
    """

    def __init__(self) -> None:
        self._clients: dict[str, Client] = {}
        self._number = 0

    def __len__(self) -> int:
        return sum(len(client.jobs) for client in self._clients.values())

    def jobs(self) -> list[Job]:
        """Return every job with items that wait."""
        return [job for client in self._clients.values() for job in client.jobs]

    def add(self, job: Job) -> None:
        """Give a job its place."""
        self._number += 1
        client = self._clients.get(job.client)
        if client is None:
            client = self._clients[job.client] = Client(self._number, _next_round(self._clients.values()))
        job.number, job.served = self._number, _next_round(client.jobs)
        client.jobs.append(job)

    def drop(self, job: Job) -> None:
        """Take a job's place away, if it still has one."""
        client = self._clients.get(job.client)
        if client is not None and job in client.jobs:
            client.jobs.remove(job)
            if not client.jobs:
                del self._clients[job.client]

    def seats(self, batches: int) -> list[Seat]:
        """Return items in the order of their turns, all of the first one's kind, for about so many of its batches."""
        found: list[Seat] = []
        left = 0
        for job, i in self._in_turn():
            if not found:
                kind, left = job.kind, batches * job.kind.budget
            if job.kind is kind:
                found.append((job, i))
                left -= job.items[i].length
                if left <= 0:
                    break
        return found

    def take(self, seats: Sequence[Seat]) -> None:
        """Take these items out, and count them as served. They stand near the end of their jobs' lists."""
        for part in by_job(seats):
            job, gone, kept = part[0][0], {i for _, i in part}, []
            cost = sum(job.items[i].length for i in gone)
            self._serve(job, cost)
            self._serve(self._clients[job.client], cost)
            while gone:
                i = job.waiting.pop()
                if i in gone:
                    gone.remove(i)
                else:
                    kept.append(i)
            job.waiting += reversed(kept)
            if not job.waiting:
                self.drop(job)

    def _serve(self, one: Job | Client, cost: int) -> None:
        """Count what one was served; at the end of its turn it goes behind the others."""
        turn = one.served // QUANTUM
        one.served += cost
        if one.served // QUANTUM > turn:
            self._number += 1
            one.number = self._number

    def _in_turn(self) -> Iterator[Seat]:
        """Give every waiting item in the order of turns, as if each were served when it is given."""
        heap = [
            (client.served // QUANTUM, client.number, client.served, _Served(client))
            for client in self._clients.values()
        ]
        heapify(heap)
        later = count(self._number + 1)
        while heap:
            turn, _, served, items = heap[0]
            while served // QUANTUM == turn:
                seat = items.next()
                if seat is None:
                    heappop(heap)
                    break
                served += seat[0].items[seat[1]].length
                yield seat
            else:
                heapreplace(heap, (served // QUANTUM, next(later), served, items))


class _Served:
    """A client's items in the order of its jobs' turns."""

    __slots__ = ("_heap", "_later")

    def __init__(self, client: Client) -> None:
        self._heap = [(job.served // QUANTUM, job.number, job.served, len(job.waiting), job) for job in client.jobs]
        heapify(self._heap)
        self._later = count(1 + max(job.number for job in client.jobs))

    def next(self) -> Seat | None:
        if not self._heap:
            return None
        turn, number, served, left, job = self._heap[0]
        i = job.waiting[left - 1]
        if left == 1:
            heappop(self._heap)
        else:
            served += job.items[i].length
            if served // QUANTUM > turn:
                number = next(self._later)
            heapreplace(self._heap, (served // QUANTUM, number, served, left - 1, job))
        return job, i


def _next_round(waiting: Iterable[Job | Client]) -> int:
    """Return what a newcomer counts as served beside those who wait: the whole turns of the least, and one."""
    return (1 + min((one.served // QUANTUM for one in waiting), default=-1)) * QUANTUM


def by_job(seats: Sequence[Seat]) -> list[list[Seat]]:
    """Return the places of each job, in the order in which the jobs come."""
    parts: dict[int, list[Seat]] = {}
    for seat in seats:
        parts.setdefault(id(seat[0]), []).append(seat)
    return list(parts.values())
