"""Who is drawn: so many of each class or cell, by a seed, in an order that gives nothing away.

The same items and the same seed give the same draw, in whatever order the items come.

Left out: reading runs, and the texts of what was not drawn.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from groundwire.annotate.items import Item
from groundwire.annotate.tasks import TASKS
from groundwire.errors import InputError

Name = TypeVar("Name", str, tuple[str, str])
"""What something to be drawn is known by."""


def choose(rows: Mapping[Name, str], each: int, seed: int) -> dict[Name, str]:
    """Return at most `each` names of every row (a class or cell), by name; `rows` says which row a name is of."""
    members: dict[str, list[Name]] = defaultdict(list)
    for name, row in rows.items():
        members[row].append(name)
    chosen: dict[Name, str] = {}
    for row in sorted(members):
        names = sorted(members[row])
        drawn = _random(seed, row).sample(names, min(each, len(names)))
        chosen |= dict.fromkeys(sorted(drawn), row)
    return chosen


def arranged(items: Iterable[Item], seed: int) -> list[Item]:
    """Return the items as people get them: task by task, classes mixed, the two answers of a pair in random order.

    Raises InputError where there is none, or a name comes twice.
    """
    tasks: dict[str, list[Item]] = defaultdict(list)
    seen: set[str] = set()
    for item in items:
        if item.item in seen:
            raise InputError(f"the item {item.item!r} comes twice", "every item needs its own name")
        seen.add(item.item)
        tasks[item.task].append(_turned(item, seed))
    if not seen:
        raise InputError("there is nothing to judge: no item was drawn", "has the run ended, and has it such rows?")
    for task, found in tasks.items():
        found.sort(key=lambda item: item.item)
        _random(seed, "order", task).shuffle(found)
    known = {name: n for n, name in enumerate(TASKS)}
    order = sorted(tasks, key=lambda task: (known.get(task, len(known)), task))
    return [item for task in order for item in tasks[task]]


def _turned(item: Item, seed: int) -> Item:
    if not item.order or _random(seed, "pair", item.item).random() < 0.5:
        return item
    return replace(item, order=item.order[::-1], answers=item.answers[::-1])


def _random(seed: int, *parts: str) -> random.Random:
    return random.Random("\0".join((str(seed), *parts)))  # noqa: S311 - a sample, not a secret
