"""How well an exported file agrees with the checkpoint that it was made of, on sample pairs of ours.

Left out: quality. Sixteen pairs tell whether two ways of computing one model agree, not whether the model is good.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

SAMPLES: tuple[tuple[str, str], ...] = (
    ("The bridge was opened to traffic in 1932.", "The bridge opened in 1932."),
    ("The bridge was opened to traffic in 1932.", "The bridge opened in 1923."),
    ("The bridge was opened to traffic in 1932.", "The bridge cost two million pounds."),
    ("A cup of brewed coffee has about 95 mg of caffeine.", "Coffee contains caffeine."),
    ("A cup of brewed coffee has about 95 mg of caffeine.", "A cup of coffee holds 950 mg of caffeine."),
    ("She moved to Lisbon with her brother when she was nine.", "Her brother lived in Lisbon."),
    ("She moved to Lisbon with her brother when she was nine.", "She never left her home town."),
    ("The committee did not approve the budget.", "The committee approved the budget."),
    ("The committee did not approve the budget.", "The budget was turned down."),
    ("No evidence.", "Water boils at 100 degrees Celsius at sea level."),
    ("how long does the ferry take", "The crossing takes about forty minutes; in winter, up to an hour."),
    ("how long does the ferry take", "The café on the upper deck serves soup and sandwiches."),
    ("who wrote the first dictionary of the language", "Its first dictionary was written by a schoolteacher in 1814."),
    ("12 % of 4,000 = 480", "Twelve percent of four thousand is four hundred and eighty."),
    ("Der Zug fährt um 8:15 Uhr ab.", "The train leaves at a quarter past eight."),
    (
        "The valley floods every spring. In most years the water is gone within a week, but in 1974 it stayed for a "
        "month, and the mill, which had stood since 1821, was given up. Its owner moved the stones to higher ground, "
        "where a new mill was built three years later by the same family; it grinds flour for the village to this day.",
        "The old mill was given up after the flood of 1974 and replaced by a new one in 1977.",
    ),
)
"""(text a, text b): short and long, numbers, negations, questions, text that is not English."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Exported against original: largest |Δ| of any score, and the worst column's Pearson and Spearman correlation.

    Scores are logits for a classifier and dot products of the two texts for an embedder.
    """

    pairs: int
    largest: float
    pearson: float
    spearman: float

    def __str__(self) -> str:
        correlations = f"Pearson {self.pearson:.6f}, Spearman {self.spearman:.6f}"
        return f"max |Δ| {self.largest:.2g}, {correlations} on {self.pairs} pairs"

    def to_dict(self) -> dict[str, Any]:
        """Return the figures for the manifest."""
        return asdict(self)


def compare(original: np.ndarray, exported: np.ndarray) -> Agreement:
    """Compare two arrays of scores [n, k]."""
    import numpy as np

    columns = range(original.shape[1])
    return Agreement(
        pairs=len(original),
        largest=float(np.abs(original - exported).max()),
        pearson=min(_pearson(original[:, k], exported[:, k]) for k in columns),
        spearman=min(_pearson(_ranks(original[:, k]), _ranks(exported[:, k])) for k in columns),
    )


def encode(parts: Sequence[Sequence[int]], types: Sequence[int]) -> tuple[list[int], list[int]]:
    """Join the parts of one input into ids and token types."""
    ids = [i for part in parts for i in part]
    return ids, [t for part, t in zip(parts, types, strict=True) for _ in part]


def samples(encoder: Callable[[str], Sequence[int]], frame: Any, max_length: int | None) -> list[np.ndarray]:
    """Encode the sample pairs into padded ids, mask and token types, int64 [n, length]."""
    import numpy as np

    rows = []
    for a, b in SAMPLES:
        ids, types = encode((frame.before, encoder(a), frame.between, encoder(b), frame.after), frame.types)
        rows.append((ids[:max_length], types[:max_length]))
    shape = (len(rows), max(len(ids) for ids, _ in rows))
    arrays = [np.zeros(shape, dtype=np.int64) for _ in range(3)]
    for i, (ids, types) in enumerate(rows):
        arrays[0][i, : len(ids)], arrays[1][i, : len(ids)], arrays[2][i, : len(ids)] = ids, 1, types
    return arrays


def _pearson(a: np.ndarray, b: np.ndarray) -> float:
    import numpy as np

    a, b = a - a.mean(), b - b.mean()
    norm = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum() / norm) if norm > 0 else 1.0


def _ranks(values: np.ndarray) -> np.ndarray:
    return values.argsort().argsort().astype(float)
