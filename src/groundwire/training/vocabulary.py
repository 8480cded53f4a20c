"""Which other words could stand in a word's place: neighbours by meaning, and word pairs that real prose has.

Meaning is the cosine of static word-piece embeddings; fit is whether the prose of the mixture has the candidate after the
word before it and before the word after it. Leaves out: choosing a place and editing it (`substitute`).
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from groundwire.training.lexicon import (
    BASE,
    FUNCTION_WORDS,
    MONTHS,
    NUMBER_WORDS,
    ORDINALS,
    QUANTIFIERS,
    SYNONYMS,
    TENS,
    UNITS,
    WEEKDAYS,
)
from groundwire.training.related import LIGHT_WORDS, RELATED

TOKEN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d[\d.,:]*|[^\w\s]")
NAME, FIGURE, START, END = "<name>", "<figure>", "<start>", "<end>"
NEAR = (0.22, 0.38)
"""Cosine: above it stand synonyms and inflections, below it words of another subject."""
LENT = (0.04, 0.34)
"""The same for words of the same passage, which may speak of one thing by two names."""
FREQUENT = 8
"""A candidate stands at least so often in the prose, in lower case: rarer ones are names and pieces of words."""
BLOCK = 1024

HABIT, RARE = 0.68, 4.0
"""Cosine of what two words stand next to: below it they are of two parts of speech, or one is singular and one plural.

The rarer of the two, seen n times, is less well known: the bound for a pair is HABIT * n / (n + RARE)."""
MARKERS = 200
"""The most frequent tokens, by which the habit of a word is told."""

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Static vectors of whole words: float32 [words, hidden], of length 1."""

    words: tuple[str, ...]
    vectors: Floats


def load_embeddings(weights: Path) -> Embeddings:
    """The vectors of the plain lower-case words in a BERT model folder, centred, from its safetensors file."""
    from safetensors import safe_open

    with safe_open(weights, "numpy") as handle:
        table = handle.get_tensor("embeddings.word_embeddings.weight")
    tokenizer = json.loads(weights.with_name("tokenizer.json").read_text(encoding="utf-8"))
    pieces: dict[str, int] = tokenizer["model"]["vocab"]
    words = tuple(w for w in pieces if content(w))
    vectors = table[[pieces[w] for w in words]].astype(np.float32)
    vectors -= vectors.mean(0)
    return Embeddings(words, vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


FIXED = frozenset(
    w.lower()
    for words in (FUNCTION_WORDS, LIGHT_WORDS, NUMBER_WORDS, TENS, ORDINALS, QUANTIFIERS, UNITS, MONTHS, WEEKDAYS)
    for w in words
)
"""Words that stay: those that carry little of their own, and those that other edits change."""


def content(word: str) -> bool:
    """Whether a word says something of its own: lower case, four letters or more, no function word and no number."""
    return len(word) >= 4 and word.isascii() and word.isalpha() and word.islower() and word not in FIXED


def ending(word: str) -> str:
    """The class of a word by its ending: what may stand in the same place is nearly always of the same class."""
    if word in BASE or (word.endswith("ed") and not word.endswith("eed")):
        return "ed"
    if word.endswith("ing"):
        return "ing" if len(word) > 5 else ""
    if word.endswith("ly"):
        return "ly"
    return "s" if word.endswith("s") and not word.endswith(("ss", "us", "is")) else ""


def kin(one: str, other: str) -> bool:
    """Whether two words share a stem (by their first letters), are listed as synonyms, or stand in one related group."""
    shared = 4 if min(len(one), len(other)) <= 6 else 5
    return (
        one[:shared] == other[:shared] or other in SYNONYMS.get(one, ()) or not _groups(one).isdisjoint(_groups(other))
    )


@cache
def _groups(word: str) -> frozenset[int]:
    """The related groups that a word belongs to by its beginning."""
    return frozenset(i for i, group in enumerate(RELATED) if any(word[:n] in group for n in range(3, len(word) + 1)))


def kind(token: str) -> str:
    """A token as word pairs count it: names are one kind, figures another, other words and signs themselves."""
    if token[0].isdigit():
        return FIGURE
    if token[0].isupper():
        return token.lower() if token.lower() in FUNCTION_WORDS else NAME
    return token


@dataclass(frozen=True, slots=True)
class Bigrams:
    """How often each pair of neighbouring tokens stands in the prose: sorted keys left * size + right, and counts."""

    ids: Mapping[str, int]
    frequency: Ints
    keys: Ints
    counts: Ints

    @classmethod
    def of(cls, sentences: Iterable[str]) -> Bigrams:
        """Count the pairs of some sentences; each is bounded by START and END."""
        ids: dict[str, int] = {START: 0, END: 1}
        seen: dict[str, int] = {}
        stream = array("i")
        for sentence in sentences:
            stream.append(0)
            for token in TOKEN.findall(sentence):
                at = seen.get(token)
                if at is None:
                    at = seen[token] = ids.setdefault(kind(token), len(ids))
                stream.append(at)
            stream.append(1)
        flat = np.frombuffer(stream, dtype=np.int32).astype(np.int64) if stream else np.zeros(0, np.int64)
        keys, counts = np.unique(flat[:-1] * len(ids) + flat[1:], return_counts=True)
        return cls(ids, np.bincount(flat, minlength=len(ids)), keys, counts)

    def often(self, word: str) -> int:
        """How often a token stands in the prose."""
        return int(self.frequency[self.ids[word]]) if word in self.ids else 0

    def pairs(self, lefts: Sequence[str], rights: Sequence[str]) -> Ints:
        """The counts of the pairs lefts[i], rights[i]; int64 [len(lefts)]."""
        size, ids = len(self.ids), self.ids
        wanted = np.array(
            [ids[a] * size + ids[b] if a in ids and b in ids else -1 for a, b in zip(lefts, rights, strict=True)],
            dtype=np.int64,
        )
        at = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return np.where(self.keys[at] == wanted, self.counts[at], 0)

    def habits(self, words: Sequence[str]) -> Floats:
        """What each word stands next to: float32 [words, 2 * MARKERS] of length 1, roots of shares, left then right."""
        size = len(self.ids)
        markers = np.argsort(-self.frequency, kind="stable")[:MARKERS]
        column = np.full(size, -1)
        column[markers] = np.arange(len(markers))
        row = np.full(size, -1)
        row[[self.ids[word] for word in words]] = np.arange(len(words))
        found = np.zeros((len(words), 2 * MARKERS), dtype=np.float32)
        left, right = self.keys // size, self.keys % size
        for word, marker, offset in ((right, left, 0), (left, right, MARKERS)):
            known = (row[word] >= 0) & (column[marker] >= 0)
            np.add.at(found, (row[word[known]], column[marker[known]] + offset), self.counts[known])
        found = np.sqrt(found)
        lengths: Floats = np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9).astype(np.float32)
        return np.divide(found, lengths, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words that may be substituted, their vectors, their neighbours by meaning, and the word pairs of the prose."""

    bigrams: Bigrams
    places: Mapping[str, int]
    vectors: Floats
    habits: Floats
    near: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, embeddings: Embeddings, sentences: Iterable[str]) -> Vocabulary:
        """The words of the embeddings that are frequent in the sentences. One matrix product a class of endings."""
        bigrams = Bigrams.of(sentences)
        kept = [i for i, word in enumerate(embeddings.words) if bigrams.often(word) >= FREQUENT]
        words = [embeddings.words[i] for i in kept]
        vectors = embeddings.vectors[kept]
        habits = bigrams.habits(words)
        near: dict[str, tuple[str, ...]] = {}
        for group in sorted({ending(word) for word in words}):
            rows = [i for i, word in enumerate(words) if ending(word) == group]
            near.update(_neighbours([words[i] for i in rows], vectors[rows]))
        made = cls(bigrams, {word: i for i, word in enumerate(words)}, vectors, habits, near)
        near.update({word: made.alike(word, found) for word, found in near.items()})
        return made

    def alike(self, word: str, others: Sequence[str]) -> tuple[str, ...]:
        """Those of the others (words of the vocabulary) that have the word's habits: its part of speech and number."""
        rows = [self.places[other] for other in others]
        shared = self.habits[rows] @ self.habits[self.places[word]]
        known = np.array([min(self.bigrams.often(other), self.bigrams.often(word)) for other in others])
        fit = shared >= HABIT * known / (known + RARE)
        return tuple(other for other, good in zip(others, fit, strict=True) if good)

    def lent(self, word: str, others: Iterable[str]) -> tuple[str, ...]:
        """Those of `others` (distinct content words) that are like the word and not too near or far in meaning."""
        if word not in self.places:
            return ()
        found = [o for o in others if o in self.places and ending(o) == ending(word) and not kin(word, o)]
        cosines = self.vectors[[self.places[o] for o in found]] @ self.vectors[self.places[word]]
        return self.alike(word, [o for o, c in zip(found, cosines, strict=True) if LENT[0] <= c <= LENT[1]])

    def fits(self, word: str, candidates: Sequence[str], left: str, right: str) -> list[str]:
        """The candidates that the prose has on both sides of the word's place.

        A side on which the prose has the word itself no more than once says nothing; then the other side decides, and
        where neither says anything, nothing fits.
        """
        if not candidates:
            return []
        left, right = kind(left), kind(right)
        row = [*candidates, word]
        before = self.bigrams.pairs([left] * len(row), row)
        after = self.bigrams.pairs(row, [right] * len(row))
        tells_before, tells_after = before[-1] > 1 or left in ("a", "an"), after[-1] > 1
        if not (tells_before or tells_after):
            return []
        fit = ((before > 0) | (not tells_before)) & ((after > 0) | (not tells_after))
        return [candidate for candidate, good in zip(candidates, fit[:-1], strict=True) if good]


def _neighbours(words: Sequence[str], vectors: Floats) -> dict[str, tuple[str, ...]]:
    """The words of each word whose cosine lies within NEAR and that are not kin to it, nearest first."""
    found: dict[str, tuple[str, ...]] = {}
    for start in range(0, len(words), BLOCK):
        cosines = vectors[start : start + BLOCK] @ vectors.T
        for word, row in zip(words[start : start + BLOCK], cosines, strict=True):
            (fit,) = np.nonzero((row >= NEAR[0]) & (row <= NEAR[1]))
            ranked = fit[np.argsort(-row[fit], kind="stable")]
            found[word] = tuple(words[i] for i in ranked if not kin(word, words[i]))
    return found
