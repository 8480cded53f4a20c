"""The passage of another document that shares most rare words with a claim: it sounds near and backs nothing.

Leaves out: texts drawn without an index (`distractors`).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from random import Random

from groundwire.training.distractors import words_of
from groundwire.training.passages import Passage
from groundwire.training.sources import normal

COMMON = 0.02
"""A word that stands in a larger share of the passages is no rare one."""
DRAWN = 40
"""Passages that are looked at for one claim."""
SHARED = (0.15, 0.6)
"""The share of the claim's words that a passage may hold: with fewer it is not near, with more it may tell the same."""


class Nearest:
    """An inverted index over the rare words of passages."""

    def __init__(self, found: Sequence[Passage]) -> None:
        self._found = found
        self._words = [words_of(" ".join(p.sentences)) for p in found]
        places: dict[str, list[int]] = defaultdict(list)
        for i, words in enumerate(self._words):
            for word in words:
                places[word].append(i)
        limit = max(3, COMMON * len(found))
        self._places = {word: held for word, held in places.items() if 1 < len(held) <= limit}

    def to(self, claim: str, sentence: str, own: Passage, rng: Random) -> tuple[Passage, int, float] | None:
        """The nearest other passage without `sentence`, its nearest sentence, and its share of the claim's words, 0 to 1.

        None where none shares a rare word. Overlapping cuts of the claim's own document are left out: a passage that
        holds a sentence of `own`, or most of the claim's words.
        """
        wanted = words_of(claim)
        rare = sorted((w for w in wanted if w in self._places), key=lambda w: (len(self._places[w]), w))
        drawn: dict[int, None] = {}
        for word in rare[:10]:
            held = self._places[word]
            drawn.update(dict.fromkeys(rng.sample(held, min(10, len(held)))))
            if len(drawn) >= DRAWN:
                break
        weight = {w: 1 / (1 + len(self._places.get(w, ())) ** 0.5) + 0.1 for w in wanted}
        # fsum: a plain sum depends on the order of a set, which differs from process to process.
        order = sorted(drawn, key=lambda i: -math.fsum(weight[w] for w in wanted if w in self._words[i]))
        known = {normal(s) for s in own.sentences} | {normal(sentence)}
        for i in order:
            share = sum(w in self._words[i] for w in wanted) / max(1, len(wanted))
            parts = self._found[i].sentences
            if SHARED[0] <= share < SHARED[1] and len(parts) > 1 and not known & {normal(s) for s in parts}:
                return self._found[i], max(range(len(parts)), key=lambda at: len(wanted & words_of(parts[at]))), share
        return None
