"""What the paper and its poster printed, as counts, with the errata.

Left out: its worked examples (figures 5 to 9), and what it did not print (which questions were judged how).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from groundwire.compare import Said

QUESTIONS, PASSAGES = 6980, 8_841_823
"""The questions of MS MARCO's small dev set, and the passages that evidence is found in."""
LLM = "gpt-3.5-turbo"
STACKS = ("BM25", "Neural", "Neural+Reader")
LABELS = tuple(Said)

DISTRIBUTION: Mapping[Said, tuple[int, int, int]] = {
    Said.YES: (5691, 5934, 5847),
    Said.NO: (521, 497, 628),
    Said.NOT_RELATED: (768, 549, 505),
}
"""Table 1: how often each label is given, by stack."""

Cross = tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int, int]]
TABLE_3: Cross = ((5263, 217, 211), (276, 192, 53), (395, 88, 285))
"""Table 3: labels by BM25 (rows) against labels by Neural (columns), in the order of `LABELS`."""
TABLE_4: Cross = ((5414, 303, 217), (190, 253, 54), (243, 72, 234))
"""Table 4: Neural (rows) against Neural+Reader (columns)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manual:
    """A table that people make: `rows` are the counts of each choice, by the name of the row.

    `each` items are drawn for a cell (a label, or a cell of table 3 or 4). `choices` are the columns; `others` may be said
    too, and count among the judged.
    """

    task: str
    name: str
    title: str
    each: int
    choices: tuple[str, ...]
    rows: Mapping[str, tuple[int, ...]]
    others: tuple[str, ...] = ()
    judged: Mapping[str, int] | None = None

    def n(self, row: str) -> int:
        """Return how many items the paper judged for a row."""
        return sum(self.rows[row]) if self.judged is None else self.judged[row]


CORRECT = Manual(
    task="label",
    name="Table 2",
    title="labels of Neural+Reader that people find correct",
    each=100,
    choices=("correct", "incorrect"),
    rows={Said.YES: (80, 20), Said.NO: (71, 29), Said.NOT_RELATED: (74, 26)},
)
PREFERRED = Manual(
    task="preference",
    name="Table 5",
    title="the better answer: the generated one or the reader's",
    each=20,
    choices=("generated", "reader", "equal"),
    rows={Said.YES: (6, 8, 6), Said.NO: (2, 9, 9), Said.NOT_RELATED: (5, 8, 7)},
)
PASSAGE = Manual(
    task="passage",
    name="Section 3.2",
    title="the passages of BM25 and of Neural, where their labels agree and where not",
    each=10,
    choices=("same", "BM25 better", "good enough", "poor", "both poor"),
    rows={"agree": (6, 1, 9, 13, 1), "disagree": (3, 8, 21, 19, 9)},
)
READER = Manual(
    task="reader",
    name="Section 3.3",
    title="what the reader made of the passage",
    each=10,
    choices=("mistake", "hallucination"),
    others=("fine",),
    rows={"all": (6, 2)},
    judged={"all": 90},
)
FLIPS = Manual(
    task="flip",
    name="Section 3.3, flips",
    title="labels that the reader changed",
    each=10,
    choices=("better", "worse", "both wrong", "mistake"),
    rows={"changed": (34, 14, 8, 4)},
)
MANUAL: Sequence[Manual] = (CORRECT, PREFERRED, PASSAGE, READER, FLIPS)

PRINTED_AGREEMENT: Mapping[str, float] = {"table 3": 81.0, "table 4": 83.2}
"""What the text says of the agreement, in percent: "more than 81 %", and a figure that the cells do not give."""

ERRATA: Mapping[str, tuple[str, ...]] = {
    "table 4": (
        "the text says that Neural and Neural+Reader agree in 83.2 %; by the cells it is 5901 of 6980 = 84.5 %",
        "of table 3 the text says more than 81 %; by the cells it is 5740 of 6980 = 82.2 %",
    ),
    "section 3.3, flips": (
        "the poster prints 24 of 90 (37.8 %) for the labels that the reader made better; 37.8 % are the paper's 34 of 90",
    ),
}
"""Where the print differs from the cells; said below the tables."""


def trace(cross: Cross) -> int:
    """Return how many answers got the same label from both."""
    return sum(cross[n][n] for n in range(len(LABELS)))
