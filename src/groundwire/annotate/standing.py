"""Where an annotation stands: who has judged how much, what is open, who differs on what, and how well they agree.

Left out: what it looks like (`overview`), and the formulas (`agreement`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from groundwire.annotate.agreement import cohen_kappa, krippendorff_alpha
from groundwire.annotate.book import Book
from groundwire.annotate.items import Item
from groundwire.evals.bootstrap import Figure
from groundwire.types.noun import Noun


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair(Noun):
    """Two people on the `n` items of a task that both have judged: the share that they agree on, and Cohen's kappa.

    `kappa` has a 95 % interval, and no value where it is not defined.
    """

    task: str
    one: str
    other: str
    n: int
    agreed: float
    kappa: Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Alpha(Noun):
    """Krippendorff's alpha of everybody on a task, over the `n` items that two or more have judged."""

    task: str
    n: int
    alpha: Figure


def open_after(items: Sequence[Item], done: Callable[[Item], bool], after: int) -> int | None:
    """Return the position of the first item behind `after` that is not done, going round; None when all are."""
    order = [*range(after + 1, len(items)), *range(min(after + 1, len(items)))]
    return next((n for n in order if not done(items[n])), None)


def differing(items: Sequence[Item], book: Book) -> list[int]:
    """Return the positions of the items on which people differ, decided or not."""
    return [n for n, item in enumerate(items) if len({one.judgement for one in book.said(item.item).values()}) > 1]


def pairs(items: Sequence[Item], book: Book) -> list[Pair]:
    """Return every two people's agreement on every task of which both have judged items."""
    shared: dict[tuple[str, str, str], list[tuple[str | None, str | None]]] = defaultdict(list)
    for item in items:
        said = book.said(item.item)
        for one, other in combinations(sorted(said), 2):
            shared[item.task, one, other].append((said[one].judgement, said[other].judgement))
    return [
        Pair(
            task=task,
            one=one,
            other=other,
            n=len(both),
            agreed=sum(a == b for a, b in both) / len(both),
            kappa=cohen_kappa([a for a, _ in both], [b for _, b in both]),
        )
        for (task, one, other), both in shared.items()
    ]


def alphas(items: Sequence[Item], book: Book) -> list[Alpha]:
    """Return alpha for every task of which two or more have judged an item."""
    units: dict[str, list[list[str | None]]] = defaultdict(list)
    for item in items:
        said = [one.judgement for one in book.said(item.item).values()]
        if len(said) > 1:
            units[item.task].append(said)
    return [Alpha(task=task, n=len(found), alpha=krippendorff_alpha(found)) for task, found in units.items()]


def final(item: Item, book: Book) -> tuple[str, bool] | None:
    """Return what holds of an item in the end, and whether it was adjudicated: the decision, else what most have said.

    None where nobody has judged, or two choices are level.
    """
    decided = book.decided(item.item)
    if decided is not None and decided.judgement is not None:
        return decided.judgement, True
    said = Counter(one.judgement for one in book.said(item.item).values() if one.judgement is not None)
    ranked = said.most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0], False


def counts(items: Sequence[Item], book: Book) -> dict[tuple[str, str], Counter[str]]:
    """Return how often each choice holds in the end, by task and row, as the papers' tables have it."""
    found: dict[tuple[str, str], Counter[str]] = {(item.task, item.row): Counter() for item in items}
    for item in items:
        if (said := final(item, book)) is not None:
            found[item.task, item.row][said[0]] += 1
    return dict(sorted(found.items(), key=lambda pair: [item.task for item in items].index(pair[0][0])))
