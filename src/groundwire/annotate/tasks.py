"""What people are asked: the manual protocols of Huo, Arabzadeh and Clarke (arXiv 2306.13781), a task each.

Left out: how many are drawn of each class or cell (`draw`), and what the paper counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

UNSURE = "unsure"
"""What may be said of every item; a choice like the others wherever judgements are counted or compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A question to people. `choices` are in the order of their keys, `unsure` comes last.

    `blind` leaves the label away, which would suggest an answer.
    """

    name: str
    asked: str
    choices: tuple[str, ...]
    blind: bool = False


LABEL = Task(name="label", asked="Is this label right?", choices=("correct", "incorrect"))
"""Table 2: labels that people find correct."""
PASSAGE = Task(
    name="passage",
    asked="How good are the passages?",
    choices=("same", "other better", "good enough", "poor", "both poor"),
    blind=True,
)
"""Section 3.2, in five classes. The paper's second is named after its other retriever: "BM25 better"."""
PREFERENCE = Task(
    name="preference", asked="Which answer is better?", choices=("generated", "reader", "equal"), blind=True
)
"""Table 5: the better answer of two, which are shown in random order and without their names."""
READER = Task(
    name="reader", asked="What did the reader make of the passage?", choices=("mistake", "hallucination", "fine")
)
FLIP = Task(
    name="flip",
    asked="The reader changed the label. Is it better now?",
    choices=("better", "worse", "both wrong", "mistake"),
)
TASKS: Mapping[str, Task] = {task.name: task for task in (LABEL, PASSAGE, PREFERENCE, READER, FLIP)}


def task_of(name: str) -> Task:
    """Return the task of a name; one that we do not know asks in general and shows everything."""
    return TASKS.get(name) or Task(name=name, asked="What do you say?", choices=())
