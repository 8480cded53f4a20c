"""Lists of hits: put in order, numbered, and continued by what was left behind.

Left out: where hits come from and what their scores mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from groundwire.types import Hit


def best_first(hits: Iterable[Hit]) -> list[Hit]:
    """Return the hits by falling score; of equal scores the smaller passage id comes first."""
    return sorted(hits, key=lambda hit: (-hit.score, hit.passage.id))


def continued(ranked: Sequence[Hit], behind: Sequence[Hit]) -> list[Hit]:
    """Return `ranked`, best first, and after them `behind` in the order that they have.

    Scores of two parts do not compare, but a list of hits falls from first to last, and files of runs are read by score
    alone. So what stands behind goes on below the last of `ranked`, one lower at each place; `by` still says who found it.
    """
    if not ranked:
        return list(behind)
    lowest = ranked[-1].score
    return [*ranked, *(replace(hit, score=lowest - place) for place, hit in enumerate(behind, 1))]
