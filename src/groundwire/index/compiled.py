"""The best k passages of a segment, by compiled loops: the answers of `evaluate`, to the last bit, in a fraction of its time.

Passages are taken a window of 4096 at a time, so that the sums that are worked on stay in the nearest cache, however many
passages there are. What a list can score in a window is known before, so the most promising windows come first and give a
floor; a window whose lists together cannot reach it is not looked at. Inside a window it is MaxScore (Turtle and Flood
1995): the lists from the heaviest down are added up until what is left cannot lift a new passage over the floor; what is
left then only sees the passages that can still reach it. Windows in this order: Mackenzie, Petri and Moffat 2021 (anytime
ranking). Terms are always summed in the order of the query's clauses, in double.

This file needs numba (the extra `fast`) and is imported by nobody but `engine`. Compiled code is kept beside the file or
in the user's cache folder, so compiling is paid once.

Left out: when the loops are used (`engine`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numba
import numpy as np
from numba import float32, float64, uint32, uint64
from numpy.typing import NDArray

from groundwire.index.evaluate import SLACK

Values = NDArray[Any]
Function = TypeVar("Function", bound=Callable[..., Any])

BITS = 12
"""A window has 2 ** BITS passages."""
FIRST = 8
"""So many windows, the most promising, come first."""
_PROBE = 8
"""Looking one candidate up costs as much as reading so many postings."""
_TINY = float32(1e-45)
"""Stands for a score of 0, so that a passage that was met can be told from one that was not. It changes no other sum."""
_NOTHING = 1e-40
"""No sum of real scores is under this."""


class Lists(NamedTuple):
    """A segment's postings. `values` (float32) has a number for each pair, of which `score` makes scores."""

    numbers: Values
    codes: Values
    rare_at: Values
    rare_pairs: Values
    escape: int
    values: Values
    product: bool
    alive: Values


class Query(NamedTuple):
    """Where the clauses' lists begin and end (u8), their weights (f4), and the kept row of each, or -1 (i8)."""

    starts: Values
    stops: Values
    weights: Values
    rows: Values


class Room(NamedTuple):
    """What one thread works on.

    For each clause and window, where its postings begin (u4 [clauses, windows + 1]) and the best value (f4). For each passage
    of a window its sum, 0 between queries. Passages of a window, twice (u4). Of all passages those that were found (u4), and
    their sums.
    """

    at: Values
    most: Values
    sums: Values
    met: Values
    candidates: Values
    found: Values
    totals: Values


def compiled(function: Function) -> Function:
    """Compile a function when it is first called. Sums stay as written: no fast mathematics."""
    return _compiled(function, "never")


def woven(function: Function) -> Function:
    """Compile a function as a part of those that call it. To hand an array to another one costs as much as ten postings."""
    return _compiled(function, "always")


def _compiled(function: Function, inline: str) -> Function:
    try:
        done: Function = numba.njit(cache=True, nogil=True, inline=inline)(function)
    except RuntimeError:  # no folder can be written to: compiled anew in every process
        done = numba.njit(nogil=True, inline=inline)(function)
    return done


@woven
def score(product: bool, weight: Any, value: Any) -> Any:
    """Return what a posting scores: the formulas of `evaluate`."""
    return weight * value if product else weight - weight / value


@compiled
def lower(values: Values, low: Any, high: Any, wanted: Any) -> Any:
    """Return the first place from `low` to `high` whose value is not under `wanted`."""
    count = high - low
    while count > uint64(0):
        half = count >> uint64(1)
        if uint64(values[low + half]) < uint64(wanted):
            low += half + uint64(1)
            count -= half + uint64(1)
        else:
            count = half
    return low


@compiled
def survey(lists: Lists, start: int, stop: int, at: Values, most: Values) -> None:
    """Fill in where a list's postings begin in every window, counted from its start, and the best value in each."""
    neutral = float32(0) if lists.product else float32(1)
    most[:] = neutral
    at[0] = 0
    window, best = uint64(0), neutral
    rare = lower(lists.rare_at, uint64(0), uint64(len(lists.rare_at)), uint64(start))
    for place in range(uint64(start), uint64(stop)):
        here = uint64(lists.numbers[place]) >> uint64(BITS)
        if here != window:
            most[window] = best
            best = neutral
            while window < here:
                window += uint64(1)
                at[window] = uint32(place - uint64(start))
        code = uint64(lists.codes[place])
        if code == uint64(lists.escape):
            code = uint64(lists.rare_pairs[rare])
            rare += uint64(1)
        best = max(best, lists.values[code])
    most[window] = best
    while window < uint64(len(most)):
        window += uint64(1)
        at[window] = uint32(stop - start)


@compiled
def prepared(lists: Lists, query: Query, kept_at: Values, kept_most: Values, room: Room) -> Any:
    """Fill the room's rows; return the score of every code for each clause, and what each window can score at most."""
    windows, count = room.most.shape[1], len(query.starts)
    coded = min(len(lists.values), lists.escape)
    tables = np.empty((count, coded), np.float32)
    above = np.zeros(windows, np.float64)
    for clause in range(count):
        weight, row = query.weights[clause], query.rows[clause]
        for code in range(coded):
            tables[clause, code] = max(score(lists.product, weight, lists.values[code]), _TINY)
        if row < 0:
            survey(lists, query.starts[clause], query.stops[clause], room.at[clause], room.most[clause])
        else:
            room.at[clause, :] = kept_at[row]
            room.most[clause, :] = kept_most[row]
        most = room.most[clause]
        for window in range(windows):
            above[window] += float64(score(lists.product, weight, most[window]))
    return tables, above


@compiled
def promising(above: Values) -> Values:
    """Return the windows that can score most, the best first."""
    chosen = np.empty(min(FIRST, len(above)), np.int64)
    filled = 0
    for window in range(len(above)):
        if filled < len(chosen):
            filled += 1
        elif above[window] <= above[chosen[filled - 1]]:
            continue
        place = filled - 1
        while place > 0 and above[chosen[place - 1]] < above[window]:
            chosen[place] = chosen[place - 1]
            place -= 1
        chosen[place] = window
    return chosen


@woven
def rare(rare_at: Values, rare_pairs: Values, values: Values, product: bool, weight: Any, place: Any) -> Any:
    """Return what a posting scores whose pair has no code."""
    pair = uint64(rare_pairs[lower(rare_at, uint64(0), uint64(len(rare_at)), place)])
    return max(score(product, weight, values[pair]), _TINY)


@woven
def read(lists: Lists, table: Values, weight: Any, part: Any, base: Any, sums: Values, met: Values, count: Any) -> Any:
    """Add postings to the sums, and note which passages are met for the first time; return how many were met."""
    numbers, codes, rare_at, rare_pairs, escape, values, product, _ = lists
    for place in range(part[0], part[1]):
        passage, code = uint64(numbers[place] - base), uint64(codes[place])
        known = code != uint64(escape)
        more = table[code] if known else rare(rare_at, rare_pairs, values, product, weight, place)
        before = sums[passage]
        sums[passage] = before + float64(more)
        met[count] = uint32(passage)
        count += uint64(before == 0.0)
    return count


@woven
def look(
    lists: Lists, table: Values, weight: Any, part: Any, base: Any, sums: Values, among: Values, left: Any
) -> None:
    """Add what postings have of the candidates: look these up one by one, or pass over all when that is quicker."""
    numbers, codes, rare_at, rare_pairs, escape, values, product, _ = lists
    if left * uint64(_PROBE) < part[1] - part[0]:
        for i in range(left):
            passage = among[i]
            place = lower(numbers, part[0], part[1], base + passage)
            if place < part[1] and numbers[place] == base + passage:
                code = uint64(codes[place])
                known = code != uint64(escape)
                more = table[code] if known else rare(rare_at, rare_pairs, values, product, weight, place)
                sums[uint64(passage)] += float64(more)
    else:
        for place in range(part[0], part[1]):
            here, code = uint64(numbers[place] - base), uint64(codes[place])
            known = code != uint64(escape)
            more = table[code] if known else rare(rare_at, rare_pairs, values, product, weight, place)
            before = sums[here]
            sums[here] = before + float64(more) if before > 0.0 else before


@woven
def chosen(alive: Values, base: Any, sums: Values, met: Values, count: Any, least: Any, candidates: Values) -> Any:
    """Make candidates of the passages that were met, have at least so much, and are not deleted; return how many."""
    left = uint64(0)
    for i in range(count):
        passage = uint64(met[i])
        candidates[left] = uint32(passage)
        left += uint64(sums[passage] >= least)
    if len(alive) == 0:
        return left
    kept = uint64(0)
    for i in range(left):
        passage = uint64(candidates[i])
        candidates[kept] = uint32(passage)
        kept += uint64(alive[uint64(base) + passage])
    return kept


@woven
def thinned(sums: Values, candidates: Values, left: Any, least: Any) -> Any:
    """Drop the candidates that have less; return how many are left."""
    kept = uint64(0)
    for i in range(left):
        passage = uint64(candidates[i])
        candidates[kept] = uint32(passage)
        kept += uint64(sums[passage] >= least)
    return kept


@compiled
def pushed(heap: Values, held: int, value: Any) -> int:
    """Keep the largest values in a heap whose first is the least; return how many it holds."""
    place, size = held, len(heap)
    if held < size:
        while place > 0 and heap[(place - 1) >> 1] > value:
            heap[place] = heap[(place - 1) >> 1]
            place = (place - 1) >> 1
        heap[place] = value
        return held + 1
    if value > heap[0]:
        place = 0
        while 2 * place + 1 < size:
            child = 2 * place + 1
            if child + 1 < size and heap[child + 1] < heap[child]:
                child += 1
            if heap[child] >= value:
                break
            heap[place] = heap[child]
            place = child
        heap[place] = value
    return held


@woven
def taken(base: Any, room: Room, left: Any, heap: Values, counts: Values, floor: Any) -> Any:
    """Add the candidates to what was found; return the floor, which they may have raised."""
    for i in range(left):
        passage = room.candidates[i]
        total = room.sums[uint64(passage)]
        if total >= floor:
            room.found[counts[0]], room.totals[counts[0]] = base + passage, total
            counts[0] += 1
            counts[1] = pushed(heap, counts[1], total)
            if counts[1] == len(heap):
                floor = max(floor, heap[0] * SLACK)
    return floor


@woven
def scan(lists: Lists, query: Query, tables: Values, window: Any, rest: Values, room: Room, floor: Any) -> Any:
    """Sum up a window; return how many passages were met, and how many candidates can still reach the floor."""
    count, base, sums = len(query.starts), uint32(window << BITS), room.sums
    seen, left, reading = uint64(0), uint64(0), True
    for clause in range(count):
        start, weight, table = query.starts[clause], query.weights[clause], tables[clause]
        part = start + uint64(room.at[clause, window]), start + uint64(room.at[clause, window + 1])
        if reading and rest[clause] >= floor:
            seen = read(lists, table, weight, part, base, sums, room.met, seen)
            continue
        if reading:
            left = chosen(lists.alive, base, sums, room.met, seen, floor - rest[clause], room.candidates)
            reading = False
        if left == uint64(0):
            break
        if part[0] < part[1]:
            look(lists, table, weight, part, base, sums, room.candidates, left)
            left = thinned(sums, room.candidates, left, floor - rest[clause + 1])
    if reading:
        left = chosen(lists.alive, base, sums, room.met, seen, floor, room.candidates)
    return seen, left


@compiled
def visited(
    lists: Lists,
    query: Query,
    tables: Values,
    windows: Values,
    above: Values,
    room: Room,
    heap: Values,
    counts: Values,
    floor: float,
) -> Any:
    """Score those of these windows that can still reach the floor; return the floor, which rises.

    `heap` holds the best sums, `counts` how many passages were found and how many sums the heap holds.
    """
    rest = np.zeros(len(query.starts) + 1, np.float64)
    for window in windows:
        if above[window] < floor:
            continue
        above[window] = 0.0
        for i in range(len(query.starts)):
            clause = len(query.starts) - 1 - i
            most = float64(score(lists.product, query.weights[clause], room.most[clause, window]))
            rest[clause] = rest[clause + 1] + most
        seen, left = scan(lists, query, tables, window, rest, room, floor)
        floor = taken(uint32(window << BITS), room, left, heap, counts, floor)
        for i in range(seen):
            room.sums[uint64(room.met[i])] = 0.0
    return floor


@compiled
def top(lists: Lists, query: Query, kept_at: Values, kept_most: Values, room: Room, k: int, floor: float) -> Any:
    """Return (numbers, sums) of at least the best k live passages, ties included, in no order.

    Passages that score under `floor` may be left out. `kept_at` and `kept_most` are the rows of lists that were surveyed.
    """
    tables, above = prepared(lists, query, kept_at, kept_most, room)
    heap, counts = np.empty(k, np.float64), np.zeros(2, np.int64)
    floor = max(floor * SLACK, _NOTHING)
    floor = visited(lists, query, tables, promising(above), above, room, heap, counts, floor)
    floor = visited(lists, query, tables, np.arange(len(above)), above, room, heap, counts, floor)
    keep = room.totals[: counts[0]] >= floor
    return room.found[: counts[0]][keep], room.totals[: counts[0]][keep]


def emptied(clauses: int, windows: int, passages: int) -> Room:
    """Return room for so many clauses over so many windows and passages. What is not used of it takes no memory."""
    return Room(
        np.zeros((clauses, windows + 1), np.uint32),
        np.zeros((clauses, windows), np.float32),
        np.zeros(1 << BITS, np.float64),
        np.empty((1 << BITS) + 1, np.uint32),
        np.empty((1 << BITS) + 1, np.uint32),
        np.empty(passages, np.uint32),
        np.empty(passages, np.float64),
    )


def warm() -> None:
    """Compile all loops, or fetch them from where they are kept, for codes of one byte and of two."""
    values = np.array([1.5, 2.0], np.float32)
    numbers = np.frombuffer(np.array([0, 1], "<u4").tobytes(), "<u4")  # read-only, as arrays of files are
    for width in ("|u1", "<u2"):
        codes, escape = np.frombuffer(bytes(2 * np.dtype(width).itemsize), width), int(np.iinfo(width).max)
        lists = Lists(numbers, codes, numbers, numbers, escape, values, False, np.zeros(0, bool))
        kept = np.zeros((1, 2), np.uint32), np.zeros((1, 1), np.float32)
        survey(lists, 0, 2, kept[0][0], kept[1][0])
        query = Query(np.array([0], np.uint64), np.array([2], np.uint64), np.ones(1, np.float32), np.zeros(1, np.int64))
        top(lists, query, *kept, emptied(1, 1, 2), 1, 0.0)
