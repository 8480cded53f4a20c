"""What the paper printed: the cells of tables 1 to 3 and the points of figure 3, as counts, with the errata.

Kulkarni, Goharian, Frieder and MacAvaney, "Genetic Approach to Mitigate Hallucination in Generative IR" (arXiv 2409.00085).
`direct` is the row that the paper names GPT-3: one prompt with the question and the seed passages. Left out: the paper's
running text, and what it did not print (which answers were judged how).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Counts = tuple[int, int, int]
"""(+, =, −) of table 1; (SUPPORTS, NOT ENOUGH INFO, REFUTES) of tables 2 and 3."""

SIZES: Mapping[str, int] = {"dl19": 43, "dl20": 54, "dev": 100}
"""Questions in each set: the judged ones of TREC DL 2019 and 2020, and a sample of MS MARCO's small dev set."""
SET_TITLES: Mapping[str, str] = {"dl19": "DL19", "dl20": "DL20", "dev": "Dev (sample)"}
LLMS = ("gpt-3", "gpt-4")
"""The LLMs of the published rows; GPT-3 is text-davinci-edit-001. GPT-4 stands in table 2 alone."""
JUDGES = (
    "albert-base-vitaminc",
    "albert-base-vitaminc-fever",
    "albert-xlarge-vitaminc",
    "albert-xlarge-vitaminc-fever",
)
"""The judges of groundedness in the order of the tables' columns, by their names in the catalogue."""
PREFERENCE_JUDGE = "monot5-base-msmarco"
FIGURE_JUDGE = JUDGES[0]
"""The judge of figure 3."""
ROWS: Mapping[str, str] = {"direct": "GPT-3", "gen2ir": "Gen²IR", "gauge1": "GAuGE₁", "gauge2": "GAuGE₂"}
"""The rows of the tables, in their order, and how the paper names them."""

PREFERENCE: Mapping[str, Mapping[str, Counts]] = {
    "dev": {"direct": (36, 8, 56), "gen2ir": (88, 0, 12), "gauge1": (80, 1, 19), "gauge2": (63, 6, 31)},
    "dl19": {"direct": (15, 4, 24), "gen2ir": (40, 0, 3), "gauge1": (35, 0, 8), "gauge2": (30, 0, 13)},
    "dl20": {"direct": (22, 3, 29), "gen2ir": (47, 0, 7), "gauge1": (45, 1, 8), "gauge2": (40, 2, 12)},
}
"""Table 1: answers that MonoT5 scores higher than the top re-ranked passage, the same, or lower."""

_Row = tuple[Counts, Counts, Counts, Counts]

GROUNDEDNESS: Mapping[tuple[str, str], Mapping[str, _Row]] = {
    ("gpt-3", "dl19"): {
        "gen2ir": ((1, 40, 2), (1, 42, 0), (8, 34, 1), (10, 33, 0)),
        "gauge1": ((26, 17, 0), (22, 20, 1), (40, 3, 0), (31, 12, 0)),
        "gauge2": ((37, 6, 0), (37, 6, 0), (41, 2, 0), (36, 7, 0)),
    },
    ("gpt-4", "dl19"): {
        "gen2ir": ((16, 26, 1), (17, 26, 0), (21, 21, 1), (23, 20, 0)),
        "gauge1": ((29, 13, 1), (33, 10, 0), (39, 3, 1), (39, 4, 0)),
        "gauge2": ((36, 7, 0), (41, 2, 0), (40, 3, 0), (41, 2, 0)),
    },
    ("gpt-3", "dl20"): {
        "gen2ir": ((8, 43, 3), (6, 45, 3), (11, 33, 10), (12, 42, 0)),
        "gauge1": ((35, 18, 1), (36, 18, 0), (45, 8, 1), (45, 9, 0)),
        "gauge2": ((46, 8, 0), (48, 6, 0), (51, 3, 0), (50, 4, 0)),
    },
    ("gpt-3", "dev"): {
        "gen2ir": ((11, 82, 7), (11, 84, 5), (25, 65, 10), (22, 76, 2)),
        "gauge1": ((56, 43, 1), (59, 41, 0), (79, 18, 3), (78, 21, 1)),
        "gauge2": ((83, 17, 0), (81, 19, 0), (91, 9, 0), (89, 11, 0)),
    },
}
"""Tables 2 (DL19) and 3 (DL20 and Dev), by LLM and set: each row's counts by each of `JUDGES`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One kind of ROUGE in figure 3: the shares of answers that are grounded, and that are preferred, in [0, 1]."""

    grounded: float
    preferred: float


FIGURE_3: Mapping[str, Point] = {
    "gauge1": Point(grounded=0.56, preferred=0.80),
    "gauge2": Point(grounded=0.83, preferred=0.63),
    "gaugel": Point(grounded=0.73, preferred=0.61),
}
"""Figure 3: ROUGE-1, ROUGE-2 and ROUGE-L in the fitness, on Dev, by `FIGURE_JUDGE` and MonoT5."""

PRINTED_ACCURACIES: Mapping[tuple[int, int], float] = {(37, 43): 0.861, (41, 43): 0.954, (45, 54): 0.834}
"""(SUPPORTS, questions) of accuracies that the paper printed rounded up, and what it printed."""

ERRATA: Mapping[str, tuple[str, ...]] = {
    "table 1": (),
    "table 2": (
        "the paper rounds some accuracies up (37/43 = .8605 is printed .861, 41/43 = .9535 is .954); here they are "
        "computed from its counts",
    ),
    "table 3": (
        "the paper prints 45/54 = .8333 as .834 once; here accuracies are computed from its counts",
        "the last sentence of its section 4.1 repeats the figures of albert-xlarge-vitaminc for "
        "albert-xlarge-vitaminc-fever; by its tables these are .233 to .721 (DL19), .222 to .833 (DL20) and .220 to .780 "
        "(Dev), Gen²IR to GAuGE₁",
    ),
}
"""Where the paper's print differs from its own counts; said below the tables."""


def groundedness(llm: str, data: str, row: str, judge: str) -> Counts | None:
    """Return a cell of table 2 or 3, or None where the paper has none."""
    counts = GROUNDEDNESS.get((llm, data), {}).get(row)
    return None if counts is None or judge not in JUDGES else counts[JUDGES.index(judge)]


def preference(data: str, row: str) -> Counts | None:
    """Return a cell of table 1, or None where the paper has none."""
    return PREFERENCE.get(data, {}).get(row)


def accuracy(counts: Counts) -> float:
    """Return the share of SUPPORTS, in [0, 1]."""
    return counts[0] / sum(counts)
