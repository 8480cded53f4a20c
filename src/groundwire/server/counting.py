"""The engine as routes see it: the same, and every verdict that it gives is counted.

So no route can forget to count. Left out: the counting (`groundwire.server.metrics`), the work (`groundwire.server.engine`).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Any

from groundwire.server.metrics import Metrics
from groundwire.types import Answer, Case, Verdict

if TYPE_CHECKING:
    from groundwire.models.batcher.ticket import Ticket
    from groundwire.server.engine import Engine


class Counting:
    """An engine that counts. Whatever gives no verdict is the inner engine's own method."""

    def __init__(self, engine: Engine, metrics: Metrics) -> None:
        self._engine, self._metrics = engine, metrics

    @property
    def inner(self) -> Engine:
        """The engine that does not count: for verdicts on what is still growing, which are nobody's answer yet."""
        return self._engine

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    async def check(self, cases: Sequence[Case], ticket: Ticket, **options: Any) -> list[Verdict]:
        """Check, as `Engine.check`."""
        verdicts = await self._engine.check(cases, ticket, **options)
        self._metrics.verdicts(verdicts)
        return verdicts

    async def verify(self, case: Case, index_name: str, ticket: Ticket, **options: Any) -> Verdict:
        """Verify, as `Engine.verify`."""
        verdict = await self._engine.verify(case, index_name, ticket, **options)
        self._metrics.verdicts([verdict])
        return verdict

    async def unfold(self, case: Case, ticket: Ticket, **options: Any) -> AsyncIterator[Any]:
        """Unfold, as `Engine.unfold`; the verdict at its end is counted."""
        async for item in self._engine.unfold(case, ticket, **options):
            if isinstance(item, Verdict):
                self._metrics.verdicts([item])
            yield item

    async def generate(self, question: str, ticket: Ticket, **options: Any) -> AsyncIterator[Any]:
        """Generate, as `Engine.generate`; the verdict on the answer is counted."""
        async for item in self._engine.generate(question, ticket, **options):
            if isinstance(item, Answer):
                self._metrics.verdicts([item.verdict])
            yield item
