"""Which pairs run together, in which shape: few fixed shapes, little padding, whole batches of a token budget.

A runtime prepares itself for each shape that it has not seen (5 to 20 ms and some memory here), so widths and row counts
come from short lists. Small matrices use a core badly: a batch costs about as much as `_OVERHEAD` tokens more than its
tokens do (measured with MiniLM-L6 in fp32), so a pair joins a wider batch while that is cheaper than one of its own.
Left out: the texts, the arrays, the runtime.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

TOKEN_BUDGET = 1024
_OVERHEAD = 24
_ROWS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)


@dataclass(frozen=True, slots=True)
class Batch:
    """Positions of the pairs that run together, and the width in tokens that all are padded to."""

    rows: list[int]
    width: int


def plan(lengths: Sequence[int], *, max_length: int | None, budget: int = TOKEN_BUDGET) -> list[Batch]:
    """Lay out pairs of these lengths in tokens, longest first, so that the largest buffers are made at once.

    Every position stands in exactly one batch; rows × width is at most `budget` unless one row alone is wider, and a
    width is at most `max_length`. Time is that of a sort.
    """
    order = sorted(range(len(lengths)), key=lambda i: (-lengths[i], i))
    widths = [bucket(lengths[i], max_length) for i in order]
    batches, start = [], 0
    while start < len(order):
        width = widths[start]
        most = min(len(order), start + min(_ROWS[-1], max(1, budget // width)))
        end, spare = start, _OVERHEAD
        while end < most and spare >= width - widths[end]:
            spare -= width - widths[end]
            end += 1
        count = max(rows for rows in _ROWS if rows <= end - start)
        batches.append(Batch(order[start : start + count], width))
        start += count
    return batches


def bucket(length: int, max_length: int | None) -> int:
    """Return the width that a pair of this length is padded to: steps of 16 to 128 tokens, then 32, 64 and 128."""
    step = 16 if length <= 128 else 32 if length <= 256 else 64 if length <= 512 else 128
    width = max(step, -(-length // step) * step)
    return width if max_length is None else min(width, max_length)
