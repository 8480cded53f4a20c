"""A kind of items that needs no model: what it ran is on record, and a gate says when it may."""

import threading
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest

from groundwire.models.batcher.batcher import Batcher
from groundwire.models.pairing import TokenPair


def item(length: int, value: int = 0) -> TokenPair:
    ids = np.full(length, value, dtype=np.int64)
    return TokenPair(ids, ids[:0], length, truncated=False)


class Recording:
    """An item's value is twice the number that it is made of. `bad` are numbers that break whatever batch they are in."""

    def __init__(self, *, budget: int = 1024, bad: frozenset[int] = frozenset()) -> None:
        self.max_length, self.budget, self.streams, self.bad = 512, budget, 2, bad
        self.batches: list[list[int]] = []
        self.widths: list[int] = []
        self.threads: set[str] = set()
        self.gate = threading.Event()
        self.gate.set()
        self.running = threading.Semaphore(0)

    def run(self, items: Sequence[TokenPair], width: int) -> list[int]:
        values = [int(one.first[0]) for one in items]
        self.running.release()
        assert self.gate.wait(10)
        self.batches.append(values)
        self.widths.append(width)
        self.threads.add(threading.current_thread().name)
        if self.bad & set(values):
            raise ArithmeticError(f"bad: {sorted(self.bad & set(values))}")
        return [2 * value for value in values]

    def hold(self) -> None:
        """Let no batch end until `gate` is set; wait for the next one with `running`."""
        self.gate.clear()


@pytest.fixture
def recording() -> type[Recording]:
    """A kind of items that is on record."""
    return Recording


@pytest.fixture
def made() -> Callable[..., TokenPair]:
    """Make an item of so many tokens from a number."""
    return item


@pytest.fixture
def batcher() -> Iterator[Callable[..., Batcher]]:
    """Open batchers that are closed at the end; after that none of their threads is left."""
    opened: list[Batcher] = []
    before = set(threading.enumerate())

    def make(streams: int = 2) -> Batcher:
        opened.append(Batcher(streams))
        return opened[-1]

    yield make
    for one in opened:
        one.close()
    assert not [t.name for t in set(threading.enumerate()) - before if t.name.startswith("groundwire-runner")]
