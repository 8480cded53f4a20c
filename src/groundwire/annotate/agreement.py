"""How well people agree beyond chance, for choices without an order, with 95 % bootstrap intervals over the items.

Both measures are made of sums over items, so that a resample of items is a sum of the same columns. A resample without any
choice has no figure, and the interval is that of the others.

Left out: weights and ordered choices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from groundwire.evals.bootstrap import Bootstrap, Figure

_Sums = NDArray[np.float64]


def cohen_kappa(one: Sequence[Hashable], other: Sequence[Hashable], bootstrap: Bootstrap | None = None) -> Figure:
    """Return Cohen's kappa of two people over the same items, in [-1, 1], with its interval.

    None without items, and where both always said the same one thing: chance alone would agree then. Raises ValueError for
    sequences of different lengths. J. Cohen, "A coefficient of agreement for nominal scales" (1960).
    """
    if len(one) != len(other):
        raise ValueError("both have to judge the same items")
    choices = list(dict.fromkeys([*one, *other]))
    k = len(choices)

    def reading(sums: _Sums) -> _Sums:
        left, right, n = sums[:, 1 : 1 + k], sums[:, 1 + k :], sums[:, 1 : 1 + k].sum(axis=1)
        chance = (left * right).sum(axis=1)
        return _share(sums[:, 0] * n - chance, n * n - chance)

    columns = [
        [a == b, *(a == choice for choice in choices), *(b == choice for choice in choices)]
        for a, b in zip(one, other, strict=True)
    ]
    return (bootstrap or Bootstrap()).sums(columns, reading)


def krippendorff_alpha(units: Iterable[Sequence[Hashable]], bootstrap: Bootstrap | None = None) -> Figure:
    """Return Krippendorff's alpha for nominal data with its interval; a unit is what was said of one item, by however many.

    Items that fewer than two have judged do not count. None where none is left, or everybody always said the same.
    K. Krippendorff, "Computing Krippendorff's alpha-reliability" (2011), section C.
    """
    judged = [Counter(unit) for unit in units if len(unit) >= 2]
    choices = list(dict.fromkeys(choice for said in judged for choice in said))

    def reading(sums: _Sums) -> _Sums:
        said = sums[:, 1:]
        n = said.sum(axis=1)
        expected = n * n - (said * said).sum(axis=1)
        return 1 - _share((n - 1) * sums[:, 0], expected)

    columns = [[_differing(said), *(said[choice] for choice in choices)] for said in judged]
    return (bootstrap or Bootstrap()).sums(columns, reading)


def _differing(said: Counter[Hashable]) -> float:
    """Return how many of an item's pairs of judgements differ, a pair counted both ways, for each other judge."""
    m = said.total()
    return sum(count * (m - count) for count in said.values()) / (m - 1)


def _share(part: _Sums, whole: _Sums) -> _Sums:
    """Return the quotients, NaN where there is nothing to divide by."""
    found = np.full(len(whole), np.nan)
    np.divide(part, whole, out=found, where=whole > 0)
    return found
