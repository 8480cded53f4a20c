"""Texts that have nothing to do with a claim: put around its evidence, they change nothing; in its place, they back nothing.

A checker reads windows in which one sentence matters and the rest does not, and contexts that only share words with the
claim; a set of short premises shows it neither. Leaves out: runs of prose (`passages.surround`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from groundwire.training.corrupt import WORD
from groundwire.training.lexicon import FUNCTION_WORDS
from groundwire.training.sources import normal

LONGEST = 120
"""Words of evidence, distractors included."""
DRAWN = 24
"""Of so many texts drawn at random, the one that shares most words with the claim is the hard distractor."""
DIGITS = re.compile(r"\d+")


def words_of(text: str) -> frozenset[str]:
    """The content words and figures of a text, lower case."""
    return frozenset(
        [w for w in map(str.lower, WORD.findall(text)) if len(w) > 2 and w not in FUNCTION_WORDS] + DIGITS.findall(text)
    )


class Distractors:
    """The evidence texts of one set, to draw others from."""

    def __init__(self, texts: Sequence[str]) -> None:
        kept = {normal(text): text for text in texts if 4 <= len(text.split()) <= LONGEST}
        self._normal, self._texts = list(kept), list(kept.values())
        self._words = [words_of(text) for text in self._texts]

    def around(self, evidence: str, rng: Random) -> str:
        """The evidence among one to three texts of other rows, in any order, within LONGEST words."""
        parts = [evidence]
        room = LONGEST - len(evidence.split())
        for _ in range(rng.choice((1, 1, 2, 3))):
            other = self._draw(evidence, rng)
            if other is None or len(other.split()) > room:
                break
            room -= len(other.split())
            parts.insert(rng.randrange(len(parts) + 1), other)
        return " ".join(parts)

    def instead(self, claim: str, evidence: str, rng: Random, *, hard: bool) -> str | None:
        """One to three texts of other rows; `hard` takes those that share most words with the claim."""
        if not self._texts:
            return None
        if not hard:
            drawn = self._draw(evidence, rng)
            return None if drawn is None else self.around(drawn, rng)
        own, wanted = normal(evidence), words_of(claim)
        places = [rng.randrange(len(self._texts)) for _ in range(DRAWN)]
        places = [i for i in dict.fromkeys(places) if not self._same(i, own)]
        places.sort(key=lambda i: -len(wanted & self._words[i]) / (len(self._words[i]) + 4) ** 0.5)
        kept, room = [], LONGEST
        for i in places[: rng.choice((1, 2, 3))]:
            room -= len(self._texts[i].split())
            if room >= 0:
                kept.append(self._texts[i])
        return " ".join(kept) or None

    def _draw(self, evidence: str, rng: Random) -> str | None:
        own = normal(evidence)
        for _ in range(4 if self._texts else 0):
            i = rng.randrange(len(self._texts))
            if not self._same(i, own):
                return self._texts[i]
        return None

    def _same(self, i: int, own: str) -> bool:
        return self._normal[i] in own or own in self._normal[i]
