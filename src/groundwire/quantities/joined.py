"""Figures that are written in two parts: a number word with its digits behind it, a whole number with its fraction.

A contract's `thirty-six (36) months` says one figure twice. Left out: a bracket that says another figure than the word before
it, which is no second spelling of it.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace

from groundwire.quantities.quantity import Quantity

_BETWEEN = re.compile(r"[ \xa0]?\(")
_MONEY = re.compile(r"(?:[ ][a-z.]{1,12}){0,3}[ ]?\((?:us)?[$€£¥]?")
"""Words of a sum before its digits: `five thousand U.S. dollars (US$5,000)`."""
_PERCENT = re.compile(r"[ ]?(?:%|per[ ]?cent\b)")
_COUNTS = ("number", "year", "percent")
_FARTHEST = 45
"""So many characters part the word from its digits at most."""


def doubled(text: str, first: Quantity, last: Quantity) -> Quantity | None:
    """Return the figure of which `first` is one spelling and `last`, with a bracket behind it, the other; None where they are
    two."""
    if not 0 < last.start - first.end < _FARTHEST:
        return None
    words, digits = (first, last) if text[first.start].isalpha() else (last, first)
    if not text[words.start].isalpha() or text[digits.start].isalpha() or not math.isclose(words.value, digits.value):
        return None
    if words.kind != digits.kind and not (words.kind in _COUNTS and digits.kind in _COUNTS):
        return None
    money = last.unit or text[last.start - 1] in "$€£¥"
    if not (_MONEY if money else _BETWEEN).fullmatch(text, first.end, last.start):
        return None
    end = last.end + 1
    percent = _PERCENT.match(text, end) if digits.kind == "number" and not digits.unit else None
    kind = "percent" if percent or words.kind == "percent" else digits.kind
    end = percent.end() if percent else end
    return replace(digits, kind=kind, start=first.start, end=end, also=(), weak=False)


def mixed(text: str, first: Quantity, last: Quantity) -> Quantity | None:
    """Return the number that a whole one and the fraction behind it are: `3 1/2`; None where they are none."""
    if last.kind != "fraction" or last.start != first.end + 1 or text[first.end] != " ":
        return None
    whole = first.kind == "number" and text[first.start : first.end].isdecimal() and text[last.start].isdecimal()
    if not whole or first.weak:
        return None
    return replace(first, value=first.value + last.value, end=last.end, step=0.0)
