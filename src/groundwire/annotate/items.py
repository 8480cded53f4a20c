"""An item: a question, texts to read, and what may be said of them.

    {"item": "label/Yes/264014", "task": "label", "row": "Yes", "choices": ["correct", "incorrect", "unsure"],
     "question": "…", "answer": "…", "evidence": "…", "reading": "…", "labels": {"Neural+Reader": "Yes"}}

is the row in which an evaluation (`eval paper huo2023`) writes an item; `published` reads it. What is kept of a draw is the
item itself, as `to_dict` gives it.

Left out: which items there are (`draw`), and what they look like (`page`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from groundwire.annotate.tasks import LABEL, PREFERENCE, UNSURE, task_of
from groundwire.errors import InputError
from groundwire.types.noun import Noun

MOST_CHOICES = 9
"""A choice has a key of one digit."""
_WANTED = ("item", "task", "row", "choices", "question")
_TITLES = {"evidence": "Evidence", "reading": "What the reader took from it"}
_PAIR = {"evidence": "Passage of Neural", "evidence of BM25": "Passage of BM25"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark(Noun):
    """A highlighted stretch of a text: code points, from `start` up to and without `end`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Part(Noun):
    """A text to read beside the answer, with a title of ours."""

    title: str
    text: str
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Item(Noun):
    """What one person judges at a time. `item` is its name, `row` the class or cell that it was drawn for.

    Where two answers are compared, `order` has the choices that stand for the first and the second one shown, and
    `answers` their texts in that order; elsewhere `answers` is the one answer. `labels` are what systems said, by system.
    """

    item: str
    task: str
    row: str
    choices: tuple[str, ...]
    question: str | None
    answers: tuple[str, ...]
    parts: tuple[Part, ...] = ()
    labels: Mapping[str, str | None]
    order: tuple[str, ...] = ()

    @property
    def offered(self) -> list[tuple[str, str]]:
        """Return what is written on each key and what pressing it means, in the order of the keys."""
        if not self.order:
            return [(choice, choice) for choice in self.choices]
        first, second = self.order
        rest = [choice for choice in self.choices if choice not in self.order]
        return [("A is better", first), ("B is better", second), *((choice, choice) for choice in rest)]


def published(row: Mapping[str, Any]) -> Item:
    """Read the row of an evaluation. Raises InputError, naming what it lacks, for one that is no item."""
    missing = [name for name in _WANTED if name not in row]
    if missing:
        told = f"no item: it has no {', '.join(missing)}, but {', '.join(map(str, row)) or 'nothing'}"
        raise InputError(told, f"wanted are {', '.join(_WANTED)}, and the texts to show")
    named = [row["item"], row["task"], row["row"]]
    choices = row["choices"]
    if not all(isinstance(text, str) and text for text in named) or not _fine(choices):
        raise InputError("no item: item, task and row are texts, choices 2 to 9 different ones", "see docs/annotate.md")
    labels = row.get("labels") if isinstance(row.get("labels"), Mapping) else {}
    two = row["task"] == PREFERENCE.name
    return Item(
        item=named[0],
        task=named[1],
        row=named[2],
        choices=tuple(choices),
        question=_text(row, "question") or None,
        answers=(_text(row, "answer"), *((_text(row, "reading"),) if two else ())),
        parts=() if two else _parts(row),
        labels=_labels(row, labels or {}),
        order=tuple(choices[:2]) if two else (),
    )


def offered(*choices: str) -> tuple[str, ...]:
    """Return choices with `unsure` behind them."""
    return (*choices, UNSURE)


def _fine(choices: object) -> bool:
    if not isinstance(choices, (list, tuple)) or not 2 <= len(choices) <= MOST_CHOICES:
        return False
    return all(isinstance(choice, str) and choice.strip() for choice in choices) and len({*choices}) == len(choices)


def _parts(row: Mapping[str, Any]) -> tuple[Part, ...]:
    """Return the texts of a row; in the evidence that a reader read, the words that it took are marked."""
    titles = _PAIR if "evidence of BM25" in row else _TITLES
    evidence, reading = _text(row, "evidence"), _text(row, "reading")
    at = evidence.find(reading) if reading else -1
    marks = (Mark(start=at, end=at + len(reading)),) if at >= 0 else ()
    return tuple(
        Part(title=title, text=_text(row, name), marks=marks if name == "evidence" else ())
        for name, title in titles.items()
        if row.get(name)
    )


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if value is not None and not isinstance(value, str):
        raise InputError(f"no item: {name} is no text", "see docs/annotate.md")
    return value or ""


def _labels(row: Mapping[str, Any], labels: Mapping[Any, Any]) -> dict[str, str | None]:
    """Return the labels to show: the one that is asked about, which is the row's; else all, and none where people are blind."""
    if row["task"] == LABEL.name:
        return {"label": row["row"]}
    return {} if task_of(row["task"]).blind else {str(name): _label(said) for name, said in labels.items()}


def _label(said: object) -> str | None:
    return None if said is None else str(said)
