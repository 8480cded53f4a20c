"""Where a server stands in its life: starting, serving, draining; and the requests that are in flight.

Left out: who changes it (`groundwire.server.run`) and what follows from it (`groundwire.server.guard`).
"""

from __future__ import annotations

from time import monotonic

from groundwire.models.batcher.ticket import Ticket


class Standing:
    """Mutable, and only touched by the thread of the event loop (a signal handler runs in it too).

    `draining`: nothing new is taken on. `failure`: why the models could not be loaded, which ends the server.
    """

    __slots__ = ("_tickets", "began", "draining", "failure")

    def __init__(self) -> None:
        self.began = monotonic()
        self.draining = False
        self.failure: BaseException | None = None
        self._tickets: set[Ticket] = set()

    def enter(self, ticket: Ticket) -> None:
        """Count a request as in flight."""
        self._tickets.add(ticket)

    def leave(self, ticket: Ticket) -> None:
        """Count it no longer."""
        self._tickets.discard(ticket)

    @property
    def in_flight(self) -> int:
        """How many requests are being worked on."""
        return len(self._tickets)

    def give_up(self) -> None:
        """Cancel whatever is still in flight; each of them is told so."""
        for ticket in list(self._tickets):
            ticket.cancel()
