"""Chatter: sentences that state nothing about the world, told from the others by their words.

"That's so cool!", "My kids adore Legos.", "Great question, let me explain.": a document can neither back nor deny them, and a
checker that takes them for claims calls every friendly answer unsupported. There are too many ways of saying nothing for
rules, so a logistic regression over words, word pairs and their places decides (`chatter.json`, fitted by
`groundwire.training.chatter` to sentences written for it, against the claims that the built-in model learns from). Its
threshold is high: a statement taken for chatter goes unchecked, which is the worse mistake. English.

Left out: courtesy, questions and headings, which rules tell (`reasons`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

from groundwire.quantities import quantities
from groundwire.text import folded_words, names

LONGEST = 60
"""Words: a longer sentence says something."""
KNOWN = 2 / 3
"""The least share of a sentence's words that the regression has weights for."""
STEP, STEPS = 4, 5
"""Lengths are told apart in steps of so many words, up to so many steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chatter:
    """The regression: weights by mark (`marks`), its bias, and the log-odds over which a sentence is chatter."""

    weights: Mapping[str, float]
    bias: float
    threshold: float

    def logit(self, sentence: str) -> float:
        """Return the log-odds that a sentence is chatter."""
        return self.score(marks(sentence))

    def score(self, found: Iterable[str]) -> float:
        """Return the log-odds of what is marked so (`marks`)."""
        return self.bias + math.fsum(self.weights.get(mark, 0.0) for mark in found)

    def is_chatter(self, sentence: str, over: float = 0.0) -> bool:
        """Say whether a sentence states nothing that evidence could back, by log-odds so far over the threshold.

        One of other words than were fitted is none, however short and loud it is, nor one of another language.
        """
        words = folded_words(sentence)
        if not 0 < len(words) <= LONGEST or not all(word.isascii() for word in words):
            return False
        known = [self.weights[word] for word in words if word in self.weights]
        if len(known) < KNOWN * len(words) or max(known) <= 0:
            return False
        return self.logit(sentence) > self.threshold + over


@cache
def shipped() -> Chatter:
    """Return the regression that was fitted for this package."""
    data = json.loads(files("groundwire.idle").joinpath("chatter.json").read_text(encoding="utf-8"))
    return Chatter(weights=data["weights"], bias=data["bias"], threshold=data["threshold"])


def marks(sentence: str) -> set[str]:
    """Return what the regression reads of a sentence.

    Words and word pairs as they are; `^` before the first one, two or three words and `$` behind the last; `#` for a
    quantity, `@0` to `@2` for names, `!` for an exclamation, and `=0` to `=5` for the length.
    """
    words = folded_words(sentence)
    found = {*words, *map(" ".join, pairwise(words))}
    found |= {"^" + " ".join(words[:n]) for n in (1, 2, 3) if len(words) >= n}
    found |= {word + "$" for word in words[-1:]}
    found |= {f"@{min(len(names(sentence)), 2)}", f"={min(len(words) // STEP, STEPS)}"}
    if any(not quantity.weak for quantity in quantities(sentence)):
        found.add("#")
    if sentence.rstrip().endswith("!"):
        found.add("!")
    return found
