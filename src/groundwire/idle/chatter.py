"""Chatter: sentences that state nothing about the world, told from the others by their words.

"That's so cool!", "My kids adore Legos.", "Great question, let me explain.": a document can neither back nor deny them, and a
checker that takes them for claims calls every friendly answer unsupported. There are too many ways of saying nothing for
rules, so a logistic regression over words, kinds of words, word pairs and their places decides (`chatter.json`, fitted by
`groundwire.training.chatter` to sentences written for it, against the claims that the built-in model learns from). A remark
often has a statement beside it ("One of them fetched two million, and I can't sell my bike!"), so every clause is asked too.
The threshold is high: a statement taken for chatter goes unchecked, which is the worse mistake. English.

Left out: courtesy, questions and headings, which rules tell (`reasons`).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

from groundwire.quantities import quantities
from groundwire.text import folded_words, names

LONGEST = 60
"""Words: a longer sentence says something."""
KNOWN = 2 / 3
"""The least share of a sentence's words that were known when the regression was fitted."""
STEP, STEPS = 4, 5
"""Lengths are told apart in steps of so many words, up to so many steps."""
CLAUSES = re.compile(r"[,;:]\s+|\s[-–—]\s+|\.\.\.\s*|\s(?:but|because|so|which|although|though)\s+")
"""What parts the clauses of a sentence."""
CLAUSE = 3
"""Words that make a clause."""
ASIDE = 2.0
"""Log-odds that a clause is given for standing in a sentence that is chatter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chatter:
    """The regression: weights by mark (`marks`), its bias, the log-odds over which a sentence is chatter, and the kinds of
    words (`kinds`), by word."""

    weights: Mapping[str, float]
    bias: float
    threshold: float
    kinds: Mapping[str, int]

    def logit(self, sentence: str) -> float:
        """Return the log-odds that a sentence is chatter: its own, or those of the clause that is least so."""
        return min(self.scores(*self.read_all(sentence)))

    def scores(self, whole: Set[str], parts: Iterable[Set[str]]) -> Iterator[float]:
        """Give the log-odds of a sentence marked so, then those of its clauses; each part is asked for when it is needed."""
        yield self.score(whole)
        for part in parts:
            yield self.score(part) + ASIDE

    def read_all(self, sentence: str) -> tuple[set[str], Iterator[set[str]]]:
        """Return what is read of a sentence, and of each of its clauses once it is asked for."""
        return self.read(sentence), (self.read(clause) for clause in clauses(sentence))

    def read(self, words: str) -> set[str]:
        """Return what the regression reads of a sentence or clause."""
        return marks(words, self.kinds)

    def score(self, found: Set[str]) -> float:
        """Return the log-odds of what is marked so (`marks`)."""
        return self.bias + math.fsum(self.weights.get(mark, 0.0) for mark in found)

    def is_chatter(self, sentence: str, over: float = 0.0) -> bool:
        """Say whether a sentence states nothing that evidence could back, by log-odds so far over the threshold.

        One of other words than were known is none, however short and loud it is, nor one of another language.
        """
        words = folded_words(sentence)
        if not 0 < len(words) <= LONGEST or not all(word.isascii() for word in words):
            return False
        if sum(word in self.kinds for word in words) < KNOWN * len(words):
            return False
        least = self.threshold + over
        return all(score > least for score in self.scores(*self.read_all(sentence)))


@cache
def shipped() -> Chatter:
    """Return the regression that was fitted for this package."""
    data = json.loads(files("groundwire.idle").joinpath("chatter.json").read_text(encoding="utf-8"))
    return Chatter(
        weights=data["weights"], bias=data["bias"], threshold=data["threshold"], kinds=by_word(data["kinds"])
    )


def by_word(kinds: Sequence[str]) -> dict[str, int]:
    """Return which of the kinds, each a line of words, every word is of."""
    return {word: n for n, words in enumerate(kinds) for word in words.split()}


def clauses(sentence: str) -> list[str]:
    """Return the clauses of a sentence that has several; what is shorter than a clause is left out."""
    found = [part for part in CLAUSES.split(sentence) if len(folded_words(part)) >= CLAUSE]
    return found if len(found) > 1 else []


def marks(sentence: str, kinds: Mapping[str, int]) -> set[str]:
    """Return what the regression reads of a sentence.

    Words and word pairs as they are; `^` before the first one, two or three words and `$` behind the last; `%` before a word's
    kind; `#` for a quantity, `@0` to `@2` for names, `!` for an exclamation, and `=0` to `=5` for the length.
    """
    words = folded_words(sentence)
    found = {*words, *map(" ".join, pairwise(words))}
    found |= {"^" + " ".join(words[:n]) for n in (1, 2, 3) if len(words) >= n}
    found |= {f"%{kinds[word]}" for word in words if word in kinds}
    found |= {word + "$" for word in words[-1:]}
    found |= {f"@{min(len(names(sentence)), 2)}", f"={min(len(words) // STEP, STEPS)}"}
    if any(not quantity.weak for quantity in quantities(sentence)):
        found.add("#")
    if sentence.rstrip().endswith("!"):
        found.add("!")
    return found
