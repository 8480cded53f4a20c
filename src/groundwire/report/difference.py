"""The word difference of two texts, by their longest common subsequence of words.

A row of the table is one integer with a bit for each word (H. Hyyrö, "Bit-parallel LCS-length computation revisited",
2004), so two texts of 1 000 words take milliseconds; what is longer than `MOST_WORDS` between a common beginning and a
common end counts as changed as a whole, so time stays linear. Left out: how a difference is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

MOST_WORDS = 2000
"""Words of either text that are compared one by one."""

Kind = Literal["same", "cut", "new"]


@dataclass(frozen=True, slots=True)
class Run:
    """Words that two texts share, that only the earlier has ("cut"), or that only the later has ("new")."""

    kind: Kind
    words: tuple[str, ...]


def difference(earlier: str, later: str) -> list[Run]:
    """Return what became of the words of `earlier`, in order; where both changed, what was cut stands first."""
    a, b = earlier.split(), later.split()
    head = _shared(a, b)
    tail = _shared(a[head:][::-1], b[head:][::-1])
    middle_a, middle_b = a[head : len(a) - tail], b[head : len(b) - tail]
    steps: list[tuple[Kind, str]] = [("same", word) for word in a[:head]]
    steps += _compared(middle_a, middle_b)
    steps += [("same", word) for word in a[len(a) - tail :]]
    return _settled(steps)


def _shared(a: list[str], b: list[str]) -> int:
    """Return how many words both begin with."""
    return next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _compared(a: list[str], b: list[str]) -> Iterator[tuple[Kind, str]]:
    if max(len(a), len(b)) > MOST_WORDS:
        yield from (("cut", word) for word in a)
        yield from (("new", word) for word in b)
        return
    rows = _rows(a, b)
    back: list[tuple[Kind, str]] = []
    i, j = len(a), len(b)
    while i and j:
        if rows[i] >> (j - 1) & 1:  # without b's last word the common part is as long
            j -= 1
            back.append(("new", b[j]))
        elif not rows[i - 1] >> (j - 1) & 1:  # and so it is without a's
            i -= 1
            back.append(("cut", a[i]))
        else:
            i, j = i - 1, j - 1
            back.append(("same", a[i]))
    yield from (("cut", word) for word in a[:i])
    yield from (("new", word) for word in b[:j])
    yield from reversed(back)


def _rows(a: list[str], b: list[str]) -> list[int]:
    """Return the table's rows: bit j of row i is 0 where b's word j makes the part common with `a[:i]` longer."""
    full = (1 << len(b)) - 1
    places: dict[str, int] = {}
    for n, word in enumerate(b):
        places[word] = places.get(word, 0) | 1 << n
    rows = [full]
    for word in a:
        row = rows[-1]
        found = row & places.get(word, 0)
        rows.append(((row + found) | (row - found)) & full)
    return rows


def _settled(steps: Iterable[tuple[Kind, str]]) -> list[Run]:
    """Return the steps as runs, without short common runs between longer changes.

    An "of the" that two sentences share by chance tells a reader nothing and cuts a change in pieces.
    """
    turns = _turns(steps)
    runs: list[Run] = []
    cut: list[str] = []
    new: list[str] = []
    for turn, following in zip(turns, [*turns[1:], _Turn()], strict=True):
        cut += turn.cut
        new += turn.new
        if len(turn.common) < min(turn.size, following.size):
            cut += turn.common
            new += turn.common
            continue
        pairs: tuple[tuple[Kind, list[str]], ...] = (("cut", cut), ("new", new), ("same", turn.common))
        runs += [Run(kind, tuple(words)) for kind, words in pairs if words]
        cut, new = [], []
    return runs


@dataclass(slots=True)
class _Turn:
    """What changed at one place, and the common words behind it."""

    cut: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    common: list[str] = field(default_factory=list)

    @property
    def size(self) -> int:
        return max(len(self.cut), len(self.new))


def _turns(steps: Iterable[tuple[Kind, str]]) -> list[_Turn]:
    turns = [_Turn()]
    for kind, word in steps:
        if kind != "same" and turns[-1].common:
            turns.append(_Turn())
        turn = turns[-1]
        {"cut": turn.cut, "new": turn.new, "same": turn.common}[kind].append(word)
    return turns
