"""Many callers, one model: their pairs run in joint batches, fairly, and only while somebody waits for them.

`groundwire.models.loading.execute_by(Batcher())` makes every model of the process run so. Tickets are here by name, because
paths look at them too and must be cheap to import. Left out: how (`batcher`).
"""

from groundwire.models.batcher.ticket import Ticket, current, wanted

__all__ = ["Ticket", "current", "wanted"]
