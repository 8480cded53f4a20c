"""Who runs batches: each call by itself (`Direct`), or the calls of many together (`groundwire.models.batcher`).

A model turns texts into token pairs and asks an execution for what its `Kind` makes of them; it gets them back in their
order and never knows which others they ran beside. Left out: what a kind's arrays are, and the runtime (`backend`).
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any, Protocol, TypeVar

from groundwire.models.batching import bucket, plan
from groundwire.models.pairing import TokenPair

LEAST_TOKENS = 128
"""The fewest tokens that a batch is cut down to so that every stream has work."""
_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)


class Kind(Protocol[_T_co]):
    """What can stand in one batch: token pairs of one model that are run and read alike. Hashable; safe for any threads.

    `max_length` is the most tokens of one pair, None for no limit; `budget` the tokens of a batch, `streams` how many
    batches run at the same time at best.
    """

    @property
    def max_length(self) -> int | None:
        """The most tokens of one pair."""
        ...

    @property
    def budget(self) -> int:
        """Tokens of a batch, padding counted."""
        ...

    @property
    def streams(self) -> int:
        """How many batches run at the same time at best."""
        ...

    def run(self, items: Sequence[TokenPair], width: int) -> Sequence[_T_co]:
        """Run these as one batch, padded to `width` tokens; return one checked value for each.

        Raises CorruptModel when the model gives what none may give.
        """
        ...


class Execution(Protocol):
    """Runs what models ask for. Safe for any number of threads."""

    def run(self, kind: Kind[_T], items: Sequence[TokenPair]) -> list[_T]:
        """Return what `kind` makes of each item, in the order of the items."""
        ...


class Direct:
    """Runs each call's own batches, a stream each."""

    def run(self, kind: Kind[_T], items: Sequence[TokenPair]) -> list[_T]:
        """Return what `kind` makes of each item; raises what `kind.run` raises."""
        lengths = [item.length for item in items]
        batches = plan(lengths, max_length=kind.max_length, budget=shared(kind, lengths, kind.streams))
        made: dict[int, _T] = {}

        def one(n: int) -> Sequence[_T]:
            return kind.run([items[i] for i in batches[n].rows], batches[n].width)

        if len(batches) == 1 or kind.streams == 1:
            values = list(map(one, range(len(batches))))
        else:
            with ThreadPoolExecutor(kind.streams) as pool:
                values = list(pool.map(one, range(len(batches))))
        for batch, found in zip(batches, values, strict=True):
            made.update(zip(batch.rows, found, strict=True))
        return [made[i] for i in range(len(items))]


class Switch:
    """An execution that hands on to another, which can be changed while models hold this one. The last one set is used; when
    it leaves, the one before it is again, down to the first. For any number of threads."""

    def __init__(self, execution: Execution) -> None:
        self._executions: tuple[Execution, ...] = (execution,)
        self._lock = Lock()

    def turn(self, execution: Execution) -> Execution:
        """Hand on to this execution from now on, and return the one before; calls that run end where they began."""
        with self._lock:
            before = self._executions[-1]
            self._executions = (*self._executions, execution)
        return before

    def leave(self, execution: Execution) -> None:
        """Hand on to this execution no longer; the first one stays."""
        with self._lock:
            first, *others = self._executions
            self._executions = (first, *(one for one in others if one is not execution))

    def run(self, kind: Kind[_T], items: Sequence[TokenPair]) -> list[_T]:
        """Return what `kind` makes of each item."""
        return self._executions[-1].run(kind, items)


def shared(kind: Kind[Any], lengths: Sequence[int], streams: int) -> int:
    """Return the token budget of a batch when so little is to do that it has to be shared out over the streams.

    Not in batches too small to be worth a call.
    """
    tokens = sum(bucket(length, kind.max_length) for length in lengths)
    rounds = max(1, -(-tokens // (streams * kind.budget)))
    return min(kind.budget, max(LEAST_TOKENS, -(-tokens // (streams * rounds))))
