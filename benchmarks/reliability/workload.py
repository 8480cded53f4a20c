"""What an index is made to do while it is killed, and what has to be true of it afterwards.

The operations are few and small, and cover every kind of change: adding, replacing, removing passages and documents,
merging by itself, compaction, dense vectors and sparse weights of stand-ins for models. After each one the child says its
number. What it said must be so; the next operation may have happened or not, but as a whole (an encoding: as far as it
went); nothing else may be there.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from groundwire.errors import GroundwireError, MissingIndex
from groundwire.index import LocalIndex, check
from groundwire.testing.encoders import WordVectors, WordWeights
from groundwire.types import Passage, Span

Say = Callable[[str], None]
OPENS_WITHIN = 5.0
MANY = 150
"""Passages of the one batch whose files take several calls of write."""


class Contents(NamedTuple):
    """The texts by id, and of how many of them there are no vectors."""

    texts: dict[str, str]
    bare: frozenset[str]


@cache
def _vector(text: str) -> Any:
    return WordVectors().encode([text], query=True)[0]


@cache
def _weights(text: str) -> dict[str, int]:
    return WordWeights().impacts([text], query=True)[0]


def encode(given: Sequence[Contents]) -> None:
    """Encode every text once, so that the children need not: a trial is not about arithmetic."""
    for text in {text for contents in given for text in contents.texts.values()}:
        _vector(text)
        _weights(text)


class Vectors(WordVectors):
    """Remembers what it made, also over a fork."""

    def encode(self, texts: Sequence[str], *, query: bool) -> Any:
        return np.stack([_vector(text) for text in texts])


class Weights(WordWeights):
    def impacts(self, texts: Sequence[str], *, query: bool) -> list[dict[str, int]]:
        return [_weights(text) for text in texts]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """`add` (and replace) passages, `remove` ids, `embed`, or none of these: compact."""

    add: tuple[Passage, ...] = ()
    remove: tuple[str, ...] = ()
    embed: bool = False

    def apply(self, index: LocalIndex) -> None:
        if self.add:
            index.add(self.add, existing="replace")
        elif self.remove:
            index.remove(self.remove)
        elif self.embed:
            index.embed(Vectors())
            index.embed(Weights())
        else:
            index.compact()

    def change(self, before: Contents) -> Contents:
        gone = {key for key in before.texts if key in self.remove or f"d{key.split('-')[0]}" in self.remove}
        texts = {k: v for k, v in before.texts.items() if k not in gone} | {p.id: p.text for p in self.add}
        bare = (before.bare - gone) | {p.id for p in self.add}
        return Contents(texts, frozenset() if self.embed else frozenset(bare))


def passage(batch: int, n: int, version: int = 0) -> Passage:
    text = f"common w{batch} w{n} version{version} {_words(batch, n)}"
    return Passage(id=f"{batch}-{n}", text=text, origin=Span(source=f"d{batch}", start=0, end=len(text)))


def _words(batch: int, n: int) -> str:
    """Return words that do not compress well, so that a file has some length."""
    return hashlib.sha256(f"{batch} {n}".encode()).hexdigest()


def operations(batches: int) -> Iterator[Operation]:
    for batch in range(batches):
        yield Operation(add=tuple(passage(batch, n) for n in range(MANY if batch == 2 else 5)))
        if batch % 3 == 0:
            yield Operation(embed=True)
        if batch % 3 == 1:
            yield Operation(remove=(f"{batch - 1}-0", f"{batch - 1}-1"))
        if batch % 3 == 2:
            yield Operation(add=tuple(passage(batch - 1, n, 1) for n in (0, 3, 7)))
        if batch % 4 == 3:
            yield Operation(remove=(f"d{batch - 3}",))
        if batch % 5 == 4:
            yield Operation()


def states(done: Sequence[Operation]) -> list[Contents]:
    """Return what is in the index before the first operation and after each."""
    found = [Contents({}, frozenset())]
    for operation in done:
        found.append(operation.change(found[-1]))
    return found


def work(folder: Path, given: Sequence[Operation]) -> Callable[[Say], None]:
    """Return the child's part: make the index and do everything."""

    def child(say: Say) -> None:
        index = LocalIndex.create(folder, analyzer="simple")
        say("0")
        for number, operation in enumerate(given, 1):
            operation.apply(index)
            say(str(number))

    return child


def problem(folder: Path, given: Sequence[Contents], said: Sequence[str]) -> str | None:
    """Return what is wrong with the index that a killed child has left, or None. Adds a passage to it."""
    if any(not line.isdigit() for line in said):
        return f"the child failed: {said[-1]}"
    last = int(said[-1]) if said else -1
    try:
        return _problem(folder, given, last)
    except GroundwireError as error:
        return f"after {last}: {type(error).__name__}: {error.message}"


def _problem(folder: Path, given: Sequence[Contents], last: int) -> str | None:
    started = time.perf_counter()
    try:
        index = LocalIndex.open(folder)
    except MissingIndex:
        if last >= 0:
            raise
        index = LocalIndex.create(folder, analyzer="simple")
    seconds = time.perf_counter() - started
    if seconds > OPENS_WITHIN:
        return f"after {last}: it took {seconds:.1f} s to open"
    found = {passage.id: passage.text for passage in index.passages()}
    allowed = given[max(last, 0) : last + 2]
    if found not in [contents.texts for contents in allowed]:
        return f"after {last}: it holds what it should not: {_difference(found, allowed[0].texts)}"
    if problems := check(folder):
        return f"after {last}: {problems[0]}"
    if {key for key, _ in index.bm25().rank(["common"], 10_000)[0]} != set(found):
        return f"after {last}: a search finds other passages than it holds"
    if lost := _vectors_lost(index, found, max(len(contents.bare) for contents in allowed)):
        return f"after {last}: {lost}"
    index.add([Passage(id="after", text="common")])
    left = {path.name for path in folder.iterdir()} - {"index.json", "index.lock"}
    if left != set(index.snapshot().manifest.files):
        return f"after {last}: files are left over, {sorted(left)[:3]}"
    return None


def _vectors_lost(index: LocalIndex, texts: dict[str, str], bare: int) -> str | None:
    """Go on with the vectors; return what is wrong when more have to be made than were never acknowledged, or they err."""
    for encoder, opened in ((Vectors(), index.dense), (Weights(), index.sparse)):
        encoded = index.embed(encoder).encoded if texts else 0
        if encoded > bare:
            return f"{encoded} passages have no vector of {encoder.name}, and {bare} may have none"
        for query in sorted(texts.values())[:3]:
            best, (found, *_) = _best(encoder, query, texts), opened(encoder).rank([query], 1)
            if not math.isclose(found[0][1], best, rel_tol=1e-4):
                return f"a search by {encoder.name} finds {found} for {query!r}, of which the best score is {best}"
    return None


def _best(encoder: Vectors | Weights, query: str, texts: dict[str, str]) -> float:
    if isinstance(encoder, Vectors):
        return max(float(_vector(query) @ _vector(text)) for text in texts.values())
    weights = _weights(query)
    return max(float(sum(weights.get(term, 0) * n for term, n in _weights(text).items())) for text in texts.values())


def _difference(found: dict[str, str], wanted: dict[str, str]) -> str:
    lost = sorted(wanted.keys() - found.keys())[:3]
    more = sorted(found.keys() - wanted.keys())[:3]
    other = sorted(key for key in found.keys() & wanted.keys() if found[key] != wanted[key])[:3]
    return f"lost {lost}, undone or unknown {more}, other words {other}"
