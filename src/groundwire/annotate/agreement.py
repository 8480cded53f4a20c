"""How well people agree beyond chance, for choices without an order.

Left out: weights and ordered choices, and intervals: with the few items that people judge, n says most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence


def cohen_kappa(one: Sequence[Hashable], other: Sequence[Hashable]) -> float | None:
    """Return Cohen's kappa of two people over the same items, in [-1, 1].

    None without items, and where both always said the same one thing: chance alone would agree then. Raises ValueError for
    sequences of different lengths. J. Cohen, "A coefficient of agreement for nominal scales" (1960).
    """
    if len(one) != len(other):
        raise ValueError("both have to judge the same items")
    n = len(one)
    if not n:
        return None
    observed = sum(a == b for a, b in zip(one, other, strict=True)) * n
    left, right = Counter(one), Counter(other)
    chance = sum(left[choice] * right[choice] for choice in left)
    return None if chance == n * n else (observed - chance) / (n * n - chance)


def krippendorff_alpha(units: Iterable[Sequence[Hashable]]) -> float | None:
    """Return Krippendorff's alpha for nominal data; a unit is what was said of one item, by however many.

    Items that fewer than two have judged do not count. None where none is left, or everybody always said the same.
    K. Krippendorff, "Computing Krippendorff's alpha-reliability" (2011), section C.
    """
    differing, total = 0.0, Counter[Hashable]()
    for unit in units:
        said = Counter(unit)
        m = sum(said.values())
        if m >= 2:
            total.update(said)
            differing += sum(count * (m - count) for count in said.values()) / (m - 1)
    n = sum(total.values())
    expected = sum(count * (n - count) for count in total.values())
    return None if not expected else 1 - (n - 1) * differing / expected
