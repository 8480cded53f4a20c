"""R7: flipped bits and truncations of every file: of an index, of a ledger, of a cache.

A trial damages one file and asks everything that can be asked. Found: an error that says so came before any answer. Not
read: the answers do not need the damaged bytes (padding, the blocks of a table that nobody looked into); then `check` has to
find them. A failure is any answer that differs, any damage that `check` does not find, and any child that a signal ends.
Of a ledger or a cache less may be there than before, for its items are then done again; but what is there is right.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import forked
import workload
from rows import Row

from groundwire.cache import Cache
from groundwire.errors import CorruptIndex, InputError, MissingIndex, Unavailable, UsageError
from groundwire.index import LocalIndex, check
from groundwire.ledger import Ledger
from groundwire.types import Passage, Span

TARGET = "100 % detected before use; 0 wrong answers; 0 native crashes"
QUERIES = ["w1 w2 w3", "w7 w90 w150 w11 w400", "w40"]
GROUP = 50
"""Trials of one child."""
Damage = tuple[str, bytes]
Outcome = Callable[[Path, str], str]
"""From a damaged folder and the file's name to "found", "not read" or "less", or else to what went wrong."""


def rows(work: Path, size: dict[str, int]) -> Iterator[Row]:
    folder = work / "index"
    _make_index(folder, size["passages"])
    expected = answers(folder)
    yield from _damaged(folder, size, "index", lambda where, name: _index_outcome(where, name, expected))
    kept = work / "kept"
    kept.mkdir()
    values = _make_kept(kept)
    yield from _damaged(kept, size, "ledger and cache", lambda where, name: _kept_outcome(where, name, values))


def _make_index(folder: Path, passages: int) -> None:
    """Two segments, with deletions, vectors and weights; most files are longer than a block of 64 KiB."""
    rng = random.Random(1)

    def made(start: int, stop: int) -> Iterator[Passage]:
        for i in range(start, stop):
            text = " ".join(f"w{int(rng.paretovariate(0.5)) % 5000}" for _ in range(30))
            yield Passage(id=f"p{i}", text=text, origin=Span(source=f"d{i // 5}", start=0, end=len(text)))

    with LocalIndex.create(folder, analyzer="simple") as index:
        index.add(made(0, passages * 3 // 4))
        index.add(made(passages * 3 // 4, passages))
        index.remove([f"p{i}" for i in range(50, 70)])
        index.embed(workload.Vectors())
        index.embed(workload.Weights())


def answers(folder: Path) -> object:
    """Ask everything of an index."""
    with LocalIndex.open(folder) as index:
        ranked = (index.bm25().rank(QUERIES, 10), index.bm25(k1=1.2, b=0.75, lengths="lucene").rank(QUERIES, 10))
        ranked += index.dense(workload.Vectors()).rank(QUERIES, 10), index.sparse(workload.Weights()).rank(QUERIES, 10)
        return ranked, list(index.passages()), index.info(), index.passage("p7"), index.passage("p90")


def _index_outcome(folder: Path, name: str, expected: object) -> str:
    try:
        same = answers(folder) == expected
    except (CorruptIndex, MissingIndex, Unavailable) as error:
        return "found" if name in error.message or str(folder) in error.message else f"no path in {error.message!r}"
    if not same:
        return "another answer"
    return "not read" if check(folder) else "nothing finds it"


def _make_kept(folder: Path) -> Mapping[str, bytes]:
    values = {f"key {n}": random.Random(n).randbytes(600) for n in range(120)}
    with Ledger(folder / "ledger") as ledger, Cache(folder / "cache") as cache:
        for key, value in values.items():
            ledger.write(key, "ok", {"value": value.hex()})
            cache.put(key, value)
    return values


def _kept_outcome(folder: Path, name: str, values: Mapping[str, bytes]) -> str:
    got: dict[str, bytes | None] = {}
    try:
        if name == "cache":
            with Cache(folder / name) as cache:
                got = {key: cache.get(key) for key in values}
        else:
            with Ledger(folder / "ledger") as ledger:
                got = {key: bytes.fromhex(found["value"]) if (found := ledger.done(key)) else None for key in values}
    except (InputError, UsageError, Unavailable) as error:
        return "found" if name in error.message else f"no path in {error.message!r}"
    if any(value not in (None, values[key]) for key, value in got.items()):
        return "another answer"
    return "less" if None in got.values() else "not read"


def _damaged(folder: Path, size: dict[str, int], part: str, outcome: Outcome) -> Iterator[Row]:
    if (found := outcome(folder, "")) not in ("nothing finds it", "not read"):
        raise RuntimeError(f"undamaged, and yet: {found}")
    files = sorted(path for path in folder.iterdir() if path.stat().st_size)
    kinds = {"flips": (size["flips"], _flips), "truncations": (size["cuts"], _cuts)}
    for kind, (trials, damages) in kinds.items():
        what = f"{trials} {kind} of each of {len(files)} files of an index"
        row = Row(id="R7", part=f"{part}, {kind}", what=what.replace("an index", _whole(part)), target=TARGET)
        for path in files:
            for start in range(0, trials, GROUP):
                count = min(GROUP, trials - start)
                _group(row, path, list(damages(path.read_bytes(), count, f"{path.name} {start}")), outcome)
        yield row


def _whole(part: str) -> str:
    return "an index" if part == "index" else "a run's ledger and cache"


def _flips(whole: bytes, count: int, seed: str) -> Iterator[Damage]:
    rng = random.Random(seed)
    for _ in range(count):
        at, bit = rng.randrange(len(whole)), rng.randrange(8)
        data = bytearray(whole)
        data[at] ^= 1 << bit
        yield f"byte {at}, bit {bit}", bytes(data)


def _cuts(whole: bytes, count: int, seed: str) -> Iterator[Damage]:
    rng = random.Random(seed)
    lengths = [0, len(whole) - 1] if seed.endswith(" 0") else []
    lengths += [rng.randrange(len(whole)) for _ in range(count - len(lengths))]
    return ((f"{length} bytes left", whole[:length]) for length in lengths)


def _group(row: Row, path: Path, damages: list[Damage], outcome: Outcome) -> None:
    """Make some trials in one child, on a copy of the folder; a child that ends too early counts for the trial it was at."""
    copy = path.parent.with_name("damaged")

    def trials(say: forked.Say) -> None:
        for place, (_, data) in enumerate(damages):
            for given in path.parent.iterdir():
                shutil.copyfile(given, copy / given.name)
            (copy / path.name).write_bytes(data)
            say(f"{place} {outcome(copy, path.name)}")
            shutil.rmtree(copy)
            copy.mkdir()

    copy.mkdir(exist_ok=True)
    ended = forked.run(trials)
    shutil.rmtree(copy)
    for line in ended.said:
        place, _, found = line.partition(" ")
        if not place.isdigit():
            break
        row.add(found if found in ("found", "not read", "less") else "wrong")
        row.count(None if found in ("found", "not read", "less") else f"{path.name}, {damages[int(place)][0]}: {found}")
    if ended.status:
        row.count(f"{path.name}: the child ended with {ended.status}, {'hung' if ended.hung else ended.said[-1:]}")
