"""The words that ROUGE counts: runs of a-z and 0-9 in lower case, stemmed where they are longer than three letters.

Everything else parts words: an umlaut, an apostrophe, another script. That is how `rouge_score` reads a text, so that its
figures can be compared; texts that say nothing in these 36 characters have no words, and score 0.

Left out: sentences (ROUGE-Lsum), and words as the rest of Groundwire sees them (`groundwire.text`).
"""

from __future__ import annotations

import re

from groundwire.rouge.stemmer import stem

_WORDS = re.compile("[a-z0-9]++")
_SHORTEST_STEMMED = 4
_LONGEST_KEPT = 40
_MOST_KEPT = 1 << 16
"""Stems that are remembered: some 10 MB at the most. Longer words than `_LONGEST_KEPT` are stemmed anew each time."""


class _Stems(dict[str, str]):
    """Every word's stem, worked out once; begins anew when it is full."""

    def __missing__(self, word: str) -> str:
        stemmed = stem(word) if len(word) >= _SHORTEST_STEMMED else word
        if len(word) <= _LONGEST_KEPT:
            if len(self) >= _MOST_KEPT:
                self.clear()
            self[word] = stemmed
        return stemmed


_stem_of = _Stems()


def tokens(text: str, *, stemmed: bool = True) -> list[str]:
    """Return the words of a text in their order. Any text, time linear in it."""
    words = _WORDS.findall(text.lower())
    return list(map(_stem_of.__getitem__, words)) if stemmed else words


def forget() -> None:
    """Forget every stem: for measuring what the first texts cost."""
    _stem_of.clear()
