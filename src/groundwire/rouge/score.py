"""ROUGE-1 to ROUGE-9 and ROUGE-L of many texts against one target, equal to the package `rouge_score`.

Lin, "ROUGE: A Package for Automatic Evaluation of Summaries" (2004). ROUGE-n counts the n-grams that both texts hold, each
as often as in the text that holds it less; ROUGE-L is the longest common subsequence of all words. Precision is the share of
the candidate's, recall that of the target's, F their harmonic mean; all are 0 where either text has none.

The target is read once, whatever is scored against it. The subsequence is found with one machine word for 30 words of the
target (Hyyrö, "Bit-parallel LCS-length computation revisited", 2004). Left out: ROUGE-Lsum, several targets, bootstrapping.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from groundwire.errors import UnknownName
from groundwire.rouge.words import tokens

SUBSEQUENCE = "L"
KINDS = (*"123456789", SUBSEQUENCE)
"""What a target can be scored by: the n of ROUGE-n, or "L"."""

_FEW = 4096
"""Targets of so many words keep a number of as many bits for each of their words: 2 MB at the most."""

_Counts = Counter[Any]  # of words, or of tuples of n words


@dataclass(frozen=True, slots=True)
class Score:
    """Precision, recall and F1, in [0, 1]."""

    precision: float
    recall: float
    f: float


class Target:
    """A text that others are scored against. `stem`: words are compared by their stems. Safe to share between threads."""

    __slots__ = ("_bits", "_counts", "_places", "_words", "stem", "text")

    def __init__(self, text: str, stem: bool = True) -> None:
        self.text = text
        self.stem = stem
        self._words = tokens(text, stemmed=stem)
        self._counts: dict[str, _Counts] = {}
        self._places: dict[str, list[int]] | None = None
        self._bits: dict[str, int] = {}

    def __repr__(self) -> str:
        return f"Target({len(self._words)} words, stem={self.stem})"

    def score(self, kind: str, text: str) -> Score:
        """Score a candidate by ROUGE-`kind`, one of `KINDS`. Raises UnknownName for any other kind.

        Time is linear in the candidate; for "L" it also grows with a thirtieth of the target's words.
        """
        if kind not in KINDS:
            raise UnknownName("kind of ROUGE", str(kind), KINDS)
        words = tokens(text, stemmed=self.stem)
        if kind == SUBSEQUENCE:
            return _score(self._subsequence(words), len(words), len(self._words))
        wanted = self._counts.get(kind)
        if wanted is None:
            wanted = self._counts[kind] = _ngrams(self._words, int(kind))
        found = _ngrams(words, int(kind))
        shared = sum([min(count, found[gram]) for gram, count in wanted.items() if gram in found])
        less = int(kind) - 1
        return _score(shared, max(len(words) - less, 0), max(len(self._words) - less, 0))

    def _subsequence(self, words: Sequence[str]) -> int:
        """Return the length of the longest common subsequence of the target's words and these.

        Bit i of `rows` is 0 where the length grows by one at the target's word i; a word of the candidate moves each such
        step down to the first of its places since the step before, and the addition's carry finds that place.
        """
        if self._places is None:
            self._places = _places(self._words)
        full = rows = (1 << len(self._words)) - 1
        for word in words:
            if word in self._places:
                met = rows & self._standing(word, self._places[word])
                rows = ((rows + met) | (rows - met)) & full
        return len(self._words) - rows.bit_count()

    def _standing(self, word: str, places: Sequence[int]) -> int:
        """Return the number whose bits are the word's places; by bytes, since a shift for each place is quadratic."""
        kept = self._bits.get(word)
        if kept is not None:
            return kept
        octets = bytearray(places[-1] // 8 + 1)
        for i in places:
            octets[i >> 3] |= 1 << (i & 7)
        bits = int.from_bytes(octets, "little")
        if len(self._words) <= _FEW:
            self._bits[word] = bits
        return bits


def _places(words: Sequence[str]) -> dict[str, list[int]]:
    """Return where each word stands, in order."""
    found: dict[str, list[int]] = {}
    for i, word in enumerate(words):
        found.setdefault(word, []).append(i)
    return found


def _ngrams(words: Sequence[str], n: int) -> _Counts:
    return Counter(words) if n == 1 else Counter(zip(*(words[i:] for i in range(n)), strict=False))


def _score(shared: int, of_candidate: int, of_target: int) -> Score:
    """Divide in the order in which `rouge_score` does, so that not even the last digit differs."""
    precision = shared / max(of_candidate, 1)
    recall = shared / max(of_target, 1)
    both = precision + recall
    return Score(precision, recall, 2 * precision * recall / both if both > 0 else 0.0)
