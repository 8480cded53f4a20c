"""How fast the machine itself is while a load runs: a fixed piece of work, now and then, by its own CPU time.

On shared hardware a core does a third less from one minute to the next, and a load that was 80 % of what could be served is
then more than all of it. A latency without this beside it says nothing of the server.
"""

from __future__ import annotations

import time
from collections import defaultdict
from statistics import median
from threading import Event, Thread
from types import TracebackType

EVERY, ROUNDS, MINUTE = 0.5, 20_000, 60.0


class Witness:
    """Measures from its entering to its leaving; less than a thousandth of a core."""

    def __init__(self) -> None:
        self._took: dict[int, list[float]] = defaultdict(list)
        self._ended = Event()
        self._thread = Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Witness:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._ended.set()
        self._thread.join()

    def speeds(self) -> list[int]:
        """The machine's speed in each minute, in percent of the fastest minute's."""
        took = [median(values) for _, values in sorted(self._took.items())]
        return [round(100 * min(took) / value) for value in took]

    def _watch(self) -> None:
        began = time.monotonic()
        while not self._ended.wait(EVERY):
            minute = int((time.monotonic() - began) / MINUTE)
            before = time.thread_time()
            sum(range(ROUNDS))
            self._took[minute].append(time.thread_time() - before)
