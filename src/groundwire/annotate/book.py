"""The judgements: one fsynced line each, and nothing is ever taken out.

A judgement counts once `write` has returned; a kill loses none that did. Saying something else of the same item is a new
line, and so is taking a judgement back (`judgement` is None): of one person the last line counts. A line is known by a
number that the browser drew for the key press, so that a request which is sent again is written once.

Left out: the file's form and its lock (`groundwire.ledger`), and who may judge.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from groundwire.errors import InputError
from groundwire.ledger import Ledger
from groundwire.types.noun import Noun

LONGEST_NAME = 40
ADJUDICATED, MAJORITY = "adjudicated", "majority"
RESERVED = frozenset({ADJUDICATED, MAJORITY})
"""The names under which decisions are exported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement(Noun):
    """What one person said of one item. `seconds` is how long the item was before their eyes, `at` when (UTC, ISO 8601).

    `order` is that of two answers as shown. `adjudicated` makes it the decision on an item that others judged differently.
    """

    item: str
    annotator: str
    protocol: str
    judgement: str | None
    seconds: float
    at: str
    order: tuple[str, ...] = ()
    adjudicated: bool = False


class Book:
    """The judgements in a file; a context manager, safe to share between threads. Raises as `groundwire.ledger.Ledger`."""

    def __init__(self, path: str | Path) -> None:
        self._ledger = Ledger(path)
        self._lock = threading.Lock()
        try:
            self._lines = [_read(entry.record, str(path)) for entry in self._ledger.entries()]
        except BaseException:
            self._ledger.close()
            raise
        self._said: dict[str, dict[str, Judgement]] = {}
        self._decided: dict[str, Judgement] = {}
        for line in self._lines:
            self._count(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ledger.close()

    def __len__(self) -> int:
        """Return how many lines were written, those that no longer count among them."""
        return len(self._lines)

    def write(self, once: str, judgement: Judgement) -> bool:
        """Write a judgement and return True once it is on the disk; False where `once` was written before.

        Raises Unavailable, and nothing counts, when the disk is full or fails.
        """
        with self._lock:
            fresh = self._ledger.write(once, "ok", judgement.to_dict())
            if fresh:
                self._lines.append(judgement)
                self._count(judgement)
            return fresh

    def said(self, item: str) -> Mapping[str, Judgement]:
        """Return what counts of an item, by annotator, without decisions."""
        with self._lock:
            return dict(self._said.get(item, {}))

    def decided(self, item: str) -> Judgement | None:
        """Return the decision on an item that was adjudicated."""
        with self._lock:
            return self._decided.get(item)

    def annotators(self) -> list[str]:
        """Return who has judged, sorted."""
        with self._lock:
            return sorted({name for by in self._said.values() for name in by})

    def standing(self) -> Iterator[Judgement]:
        """Yield what counts, item by item: everyone's judgement, then the decision."""
        with self._lock:
            said = [(item, list(by.values())) for item, by in self._said.items()]
            decided = dict(self._decided)
        for item, judged in said:
            yield from judged
            if item in decided:
                yield decided[item]

    def _count(self, line: Judgement) -> None:
        counted = self._decided if line.adjudicated else self._said.setdefault(line.item, {})
        name = line.item if line.adjudicated else line.annotator
        counted.pop(name, None)
        if line.judgement is not None:
            counted[name] = line


def now() -> str:
    """Return the time as judgements bear it: UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def annotator(name: str) -> str:
    """Return a name as it is kept. Raises InputError for one that is empty, long, reserved or not printable."""
    name = name.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise InputError("this is no name", f"1 to {LONGEST_NAME} printable characters")
    if name.casefold() in RESERVED:
        raise InputError(f"the name {name!r} is taken by decisions", "choose another")
    return name


def _read(record: Mapping[str, object], path: str) -> Judgement:
    try:
        return Judgement.from_dict(record)
    except (TypeError, AttributeError) as error:
        raise InputError(f"{path} holds no judgements", "name the folder of an annotation") from error
