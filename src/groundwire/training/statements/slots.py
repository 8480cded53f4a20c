"""What fills the slots of a template, and how the sentence is then written.

Left out: which slots a scene has (`scenes`).
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

Value = str | int
Entry = Value | dict[str, Value]
SLOT = re.compile(r"\{([\w.]+)(?::([^}]*))?\}")
TERM = re.compile(r"[\w.]+|[-+*]")
BEFORE_VOWEL = re.compile(r"\b([Aa]) (?=[aeio]|u(?!n[ai]|s))")
OPERATORS: dict[str, Callable[[int, int], int]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """Fills the slots `names`, each with another value.

    That is a word of `lists[0]` (followed by one of each further list), its word at the place `at`, or, without lists, a
    whole number from `low` to `high`. These three are sums such as "year + gap * 2" of numbers and of slots drawn before.
    """

    names: tuple[str, ...]
    lists: tuple[Sequence[Entry], ...] = ()
    at: str = ""
    low: str = ""
    high: str = ""
    step: int = 1

    def gives(self) -> set[str]:
        """Every name that a template may use after this draw."""
        entry: Entry = {"": "", "last": ""} if len(self.lists) > 1 else self.lists[0][0] if self.lists else 0
        return {slot for name in self.names for slot in filled(name, entry)}

    def needs(self) -> set[str]:
        """The names that have to be drawn before."""
        return {t for text in (self.at, self.low, self.high) for t in TERM.findall(text) if t[0].isalpha()}

    def values(self, rng: Random, known: Mapping[str, Value]) -> dict[str, Value]:
        """The value of each of the names that it gives."""
        picked: list[Any]
        if self.at:
            picked = [self.lists[0][_sum(self.at, known)]]
        elif self.lists:
            picked = rng.sample(self.lists[0], len(self.names))
        else:
            picked = rng.sample(range(_sum(self.low, known), _sum(self.high, known) + 1, self.step), len(self.names))
        for words in self.lists[1:]:
            ends = rng.sample(words, len(self.names))
            picked = [{"": f"{begun} {end}", "last": end} for begun, end in zip(picked, ends, strict=True)]
        return {k: v for name, value in zip(self.names, picked, strict=True) for k, v in filled(name, value).items()}


def filled(name: str, entry: Entry) -> dict[str, Value]:
    """The slots that an entry of a list fills: `name`, or `name.field` for each of its fields."""
    if isinstance(entry, dict):
        return {f"{name}.{field}" if field else name: value for field, value in entry.items()}
    return {name: entry}


def used(template: str) -> set[str]:
    """The slots in a template."""
    return {match[1] for match in SLOT.finditer(template)}


def render(template: str, known: Mapping[str, Value]) -> str:
    """The sentence, with a capital letter at its start."""
    text = SLOT.sub(lambda match: format(known[match[1]], match[2] or ""), template)
    text = BEFORE_VOWEL.sub(r"\1n ", text)
    return text[:1].upper() + text[1:]


def _sum(text: str, known: Mapping[str, Value]) -> int:
    terms = iter(TERM.findall(text))
    total = _number(next(terms), known)
    for sign in terms:
        total = OPERATORS[sign](total, _number(next(terms), known))
    return total


def _number(term: str, known: Mapping[str, Value]) -> int:
    return int(term) if term.isdigit() else int(known[term])
