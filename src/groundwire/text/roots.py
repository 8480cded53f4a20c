"""Roots: what the forms of a word have in common, and how much it says when two texts share one.

`proposed`, `proposes` and `proposal` share their first letters, and hardly any two words that stand in the same handful of
passages share five by chance: what picks the passages that a claim is read against need not tell more. How much a root says
is how rare it is in English at large (`common.txt`: the commonest words of the training texts, the commonest first, counted by
`groundwire.training.frequency`), never how rare it is in the texts at hand: further texts would change that.

Left out: a stemmer's rules, languages other than English, whose words all count as rare.
"""

from __future__ import annotations

import math
from functools import cache
from importlib.resources import files

from groundwire.text.terms import content_terms, term

LETTERS = 5
"""Letters that a root keeps of a word. A number keeps all its digits."""
FIRST = 50
"""Words that are about as common as the commonest."""
COMMON, WORDS = "common.txt", 3000
"""The list of common words, and how many it holds. With 2,000 or 5,000 the right passages are found as often."""


def roots(text: str) -> set[str]:
    """Return the roots of the content terms of `text`."""
    return {root(found) for found in set(content_terms(text))}


def root(found: str) -> str:
    """Return the root of a term."""
    return found if has_digit(found) else found[:LETTERS]


def has_digit(found: str) -> bool:
    """Say whether a term is a number or holds one."""
    return not found.isalpha() and any(c.isdigit() for c in found)


def rarity(found: str) -> int:
    """Return how much a root says, from 14 for the commonest to 203: whole numbers, whose sum is the same in any order.

    By Zipf's law a word is as rare as the logarithm of its rank. A text is about more than its rarest word, so the square
    root of that is taken.
    """
    return _common().get(found, RAREST)


@cache
def _common() -> dict[str, int]:
    words = files("groundwire.text").joinpath(COMMON).read_text(encoding="utf-8").split()
    found: dict[str, int] = {}
    for rank, word in enumerate(words, start=1):
        found.setdefault(root(term(word)), _by_rank(rank))
    return found


def _by_rank(rank: int) -> int:
    return round(100 * math.sqrt(math.log1p(rank / FIRST)))


RAREST = _by_rank(WORDS)
"""What a root says that is of no common word."""
