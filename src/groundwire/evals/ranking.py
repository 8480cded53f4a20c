"""Metrics of a ranking, for one query at a time.

Definition: normalised discounted cumulated gain (Järvelin and Kekäläinen 2002) as trec_eval computes `ndcg_cut`: the gain
of a document is its grade (not 2^grade - 1), the discount log2(rank + 1), and the ideal ranking is that of all judged
documents. Left out: recall (a pool of candidates cannot show it), and means over queries (`bootstrap`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence


def ndcg(ranked: Sequence[str], grades: Mapping[str, int], k: int = 10) -> float | None:
    """Return nDCG@k in [0, 1] of document ids, the best first; a document that is not judged has grade 0.

    None where no document has a positive grade, so that no ranking is better than another.
    """
    ideal = _gained(sorted(grades.values(), reverse=True)[:k])
    return _gained(grades.get(document, 0) for document in ranked[:k]) / ideal if ideal else None


def _gained(grades: Iterable[int]) -> float:
    return math.fsum(max(grade, 0) / math.log2(rank + 1) for rank, grade in enumerate(grades, start=1))
