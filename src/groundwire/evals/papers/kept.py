"""Work over items with a ledger: what is done is read, the rest is computed a batch at a time and written at once.

A run that is killed loses at most the batch that it was in. Left out: the ledger itself (`groundwire.ledger`), and retrying.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from groundwire.ledger import Ledger, key_of

BATCH = 16
"""Items that are computed together."""


def kept(
    ledger: Ledger,
    items: Sequence[Mapping[str, Any]],
    compute: Callable[[Sequence[int]], Sequence[Any]],
    *,
    batch: int = BATCH,
) -> list[Any]:
    """Return a JSON value for each item, computed where the ledger has none.

    An item is what its value depends on, as JSON values, the model's identity among them. `compute` is given numbers of
    items and returns their values in that order; equal items are computed once.
    """
    keys = [key_of(item) for item in items]
    first = {key: n for n, key in reversed(list(enumerate(keys)))}
    waiting = sorted(n for key, n in first.items() if ledger.done(key) is None)
    for start in range(0, len(waiting), batch):
        numbers = waiting[start : start + batch]
        for n, value in zip(numbers, compute(numbers), strict=True):
            ledger.write(keys[n], "ok", {"value": value})
    return [(ledger.done(key) or {}).get("value") for key in keys]
