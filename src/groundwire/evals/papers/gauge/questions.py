"""Which questions are asked: the judged ones, and a sample in the paper's order or in the code's.

The paper's sample of MS MARCO's small dev set is said to be the first 100 by id; Gen²IR's code takes the first 100 of the
file. Left out: reading files (`groundwire.evals.trec`).
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Literal

from groundwire.errors import InputError
from groundwire.evals.papers.gauge.published import SIZES

Order = Literal["id", "file"]
SAMPLE = SIZES["dev"]
_NAMED: Mapping[str, tuple[str, ...]] = {
    "dl19": ("dl19", "dl-2019", "test2019"),
    "dl20": ("dl20", "dl-2020", "test2020"),
    "dev": ("dev",),
}


def chosen(
    queries: Mapping[str, str],
    *,
    judged: Container[str] | None = None,
    order: Order = "id",
    first: int | None = None,
) -> dict[str, str]:
    """Return the questions that are asked, by id: those that are `judged`, of these the `first`.

    `order` "id" sorts by the id as a number where all are numbers, else by its letters; "file" leaves them as they are.
    Raises InputError when none is left.
    """
    kept = [name for name in queries if judged is None or name in judged]
    if not kept:
        raise InputError("no question is judged", "the ids of questions and judgements must be the same")
    if order == "id":
        numbers = all(name.isascii() and name.isdecimal() for name in kept)
        kept.sort(key=(lambda name: (int(name), name)) if numbers else (lambda name: (0, name)))
    return {name: queries[name] for name in kept[:first]}


def told_by(path: str) -> str | None:
    """Return the set that a path names (dl19, dl20, dev), or None where it names none, or several."""
    lower = path.lower()
    found = [name for name, marks in _NAMED.items() if any(mark in lower for mark in marks)]
    return found[0] if len(found) == 1 else None
