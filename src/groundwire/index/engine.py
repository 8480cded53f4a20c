"""Evaluates weighted queries on one segment, by the loops that the process has, and keeps what the compiled ones look up.

For the compiled loops a list is surveyed when it is first asked for: where its postings begin in every window of passages,
and the best value in each. Rows of long lists are kept, up to a limit; those of short ones are made anew for every query.

Left out: the loops (`evaluate`, `compiled`), and their choice (`kernels`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groundwire.index import kernels
from groundwire.index.evaluate import Clause, Evaluation, Scratch, product, saturated
from groundwire.index.postings import Postings

Values = NDArray[Any]

_KEPT_BYTES = 128 << 20
"""What the rows of a segment may take."""
_SHORT = 4
"""A list with fewer postings for each window is surveyed as quickly as its row is read."""
_CLAUSES = 64
"""A thread keeps room for so many clauses; for a longer query it makes more, and lets go of it."""


class Engine:
    """Evaluates queries on one segment. Safe to share between threads.

    `values` (float32) has a number for each of the segment's pairs. A posting scores weight - weight / value, or with
    `multiplied` weight times value. `alive` has a bool for each passage, or is None.
    """

    def __init__(self, postings: Postings, values: Values, alive: Values | None, *, multiplied: bool = False) -> None:
        self._postings, self._values, self._alive, self._multiplied = postings, values, alive, multiplied
        self._own = threading.local()
        self._lock = threading.Lock()
        self._surveyed: _Surveyed | None = None

    def top(self, clauses: Sequence[Clause], k: int, floor: float = 0.0) -> tuple[Values, Values]:
        """Return (numbers, sums in double) of at least the best k live passages, ties included, in no order.

        Passages that score under `floor` may be left out. Each is summed in the order of the clauses.
        """
        if not clauses:
            return np.zeros(0, np.uint32), np.zeros(0, np.float64)
        loops = kernels.loops()
        if loops is not None:
            return self._compiled(loops).top(clauses, k, floor)
        if getattr(self._own, "scratch", None) is None:
            self._own.scratch = Scratch(self._postings.passages)
        score = product if self._multiplied else saturated
        started = time.perf_counter()
        evaluation = Evaluation(self._postings, self._values, self._alive, self._own.scratch, score)
        found = evaluation.top(clauses, k, floor)
        kernels.spent(time.perf_counter() - started)
        return found

    def _compiled(self, loops: ModuleType) -> _Surveyed:
        if self._surveyed is not None:
            return self._surveyed
        with self._lock:
            if self._surveyed is None:
                self._surveyed = _Surveyed(loops, self._postings, self._values, self._alive, self._multiplied)
            return self._surveyed


class _Surveyed:
    """What the compiled loops need of a segment."""

    def __init__(
        self, loops: ModuleType, postings: Postings, values: Values, alive: Values | None, multiplied: bool
    ) -> None:
        self._loops, self._postings = loops, postings
        alive = np.zeros(0, bool) if alive is None else alive
        escape = postings.escape
        self._lists = loops.Lists(*postings.unchecked(), escape, np.ascontiguousarray(values), multiplied, alive)
        self._windows = (postings.passages >> loops.BITS) + 1
        self._most_rows = max(_KEPT_BYTES // (8 * self._windows), 1)
        self._rows: dict[int, int] = {}
        self._kept = 0
        self._at, self._most = self._empty(16)
        self._own = threading.local()
        self._lock = threading.Lock()

    def _empty(self, rows: int) -> tuple[Values, Values]:
        return np.zeros((rows, self._windows + 1), np.uint32), np.zeros((rows, self._windows), np.float32)

    def top(self, clauses: Sequence[Clause], k: int, floor: float) -> tuple[Values, Values]:
        """Do what `Engine.top` does."""
        starts, stops, weights, _ = zip(*clauses, strict=True)
        with self._lock:
            rows = [self._row(clause) for clause in clauses]
            at, most = self._at, self._most
        query = self._loops.Query(
            np.array(starts, np.uint64),
            np.array(stops, np.uint64),
            np.array(weights, np.float32),
            np.array(rows, np.int64),
        )
        room, self._own.room = self._room(len(clauses)), None
        numbers, sums = self._loops.top(self._lists, query, at, most, room, min(k, self._postings.passages), floor)
        if len(room.at) == _CLAUSES:  # and no error left something in the sums
            self._own.room = room
        return numbers, sums

    def _row(self, clause: Clause) -> int:
        """Return which row a list has, or -1; the list has been held against its checksums then."""
        row = self._rows.get(clause.start)
        if row is not None:
            return row
        self._postings.check(clause.start, clause.stop)
        row = self._kept
        if clause.size < _SHORT * self._windows or row >= self._most_rows:
            self._rows[clause.start] = -1
            return -1
        self._kept += 1
        if row == len(self._at):  # others may be reading the old ones
            at, most = self._empty(2 * row)
            at[:row], most[:row] = self._at, self._most
            self._at, self._most = at, most
        self._loops.survey(self._lists, clause.start, clause.stop, self._at[row], self._most[row])
        self._rows[clause.start] = row
        return row

    def _room(self, clauses: int) -> Any:
        room = getattr(self._own, "room", None)
        if room is None or clauses > _CLAUSES:
            room = self._loops.emptied(max(clauses, _CLAUSES), self._windows, self._postings.passages)
        return room
