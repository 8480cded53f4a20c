"""The sentences that offspring are made of: where each one stands, what it says, and how much it has to do with the question.

Salience is lexical and cheap (the question's terms, rarer ones weighing more): it only says where to look first, for what
is kept is chosen by the fitness. Built once a generation, in time linear in the sources.

Left out: how sentences are put together (`draft.py`).
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from groundwire.evolve.extractive.openings import leans, points_elsewhere, without_mark
from groundwire.text import content_terms, folded_words, has_unspaced, sentence_bounds, word_bounds
from groundwire.types import Passage

Home = tuple[int, int]
"""Where a sentence stands: which source, and which of its sentences."""

_FLOOR = 0.05
"""The salience of a sentence that shares nothing with the question: an answer need not repeat it."""
_NEAR = 0.25
"""What the sentence before, and the source as a whole, add of their own overlap."""
_LONGEST = 2_000
"""Characters of the longest text that counts as a sentence."""
_TRIED = 20
"""The most sentences that a shortened one is looked for in."""
_END = re.compile(r"[.!。！｡।॥۔։።៕][\"'”’»)\]）」』]{0,3}(?:\[[\d, –-]{1,12}\])?$")
_NO_STOPS = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_WORDS = re.compile(r"[^\W\d_]+")
_SMALL = frozenset("a an and at by for from in of on or the to vs with".split())
_TORN = re.compile(r"(?:\.\.|…)\W{0,3}$|^(?:\.\.|…)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A sentence of a draft, whole or shortened, with single spaces. `home` is None for one that no source has.

    `salience` is above 0; higher answers the question better. `sound` says that it is a statement that can stand in an
    answer: no question, no heading, not broken off.
    """

    text: str
    terms: frozenset[str]
    words: int
    salience: float
    home: Home | None
    leans: bool
    sound: bool

    def follows(self, other: Piece) -> bool:
        """Say whether this is the sentence behind the other in one source."""
        return self.home is not None and other.home is not None and self.home == (other.home[0], other.home[1] + 1)

    def repeats(self, other: Piece, share: float = 0.7) -> bool:
        """Say whether one of the two says little that the other does not: `share` of its terms, or all its words."""
        least = min(len(self.terms), len(other.terms))
        if not least:
            return self.text.casefold() == other.text.casefold()
        return len(self.terms & other.terms) >= share * least


class Material:
    """The sentences of the sources, in order, and how to find a sentence of a parent among them."""

    def __init__(self, question: str, sources: Sequence[Passage]) -> None:
        said = [sentences(source.text) for source in sources]
        terms = [[frozenset(content_terms(sentence)) for sentence in found] for found in said]
        self._rarity = _rarity(question, [held for found in terms for held in found])
        self._whole = math.fsum(self._rarity.values())
        self._near: dict[Home, float] = {}
        self._at: dict[str, list[Piece]] = defaultdict(list)
        self._holding: dict[str, list[Piece]] = defaultdict(list)
        pieces: list[Piece] = []
        for i, (source, found) in enumerate(zip(sources, said, strict=True)):
            about = frozenset(content_terms(source.title or "")).union(*terms[i])
            before, whole = 0.0, self._overlap(about)
            for n, sentence in enumerate(found):
                self._near[i, n] = _NEAR * (before + whole) / (1 + 0.1 * i)
                before = self._overlap(terms[i][n])
                pieces.append(self._piece(sentence, terms[i][n], (i, n)))
        self.pieces = tuple(pieces)
        """All of them, by source and place."""
        self.states = any(piece.sound for piece in pieces)
        """Whether any of them is a statement that can stand in an answer."""
        for piece in pieces:
            self._at[piece.text].append(piece)
            for term in piece.terms:
                self._holding[term].append(piece)
        self._by_home = {piece.home: piece for piece in pieces}

    def read(self, text: str) -> list[Piece]:
        """Return the sentences of a parent, each with its place in the sources where it has one."""
        read: list[Piece] = []
        for sentence in sentences(text):
            behind = self._next(read[-1]) if read else None
            known = self._at.get(sentence, ())
            piece = behind if behind and behind.text == sentence else known[0] if known else None
            read.append(piece or self._shortened(sentence))
        return read

    def before(self, piece: Piece) -> Piece | None:
        """Return the sentence before this one in its source."""
        return self._by_home.get((piece.home[0], piece.home[1] - 1)) if piece.home else None

    def _next(self, piece: Piece) -> Piece | None:
        return self._by_home.get((piece.home[0], piece.home[1] + 1)) if piece.home else None

    def changed(self, piece: Piece, text: str) -> Piece:
        """Return what a piece becomes with another text, at home where it was."""
        return piece if text == piece.text else self._piece(text, frozenset(content_terms(text)), piece.home)

    def overlap(self, text: str) -> float:
        """Return how much of the question's terms a text has, rarer ones weighing more, in [0, 1]."""
        return self._overlap(frozenset(content_terms(text)))

    def _overlap(self, terms: frozenset[str]) -> float:
        shared = math.fsum(weight for term, weight in self._rarity.items() if term in terms)
        return shared / self._whole if self._whole else 0.0

    def _piece(self, text: str, terms: frozenset[str], home: Home | None) -> Piece:
        near = self._near.get(home, 0.0) if home else 0.0
        return Piece(
            text=text,
            terms=terms,
            words=len(word_bounds(text)),
            salience=_FLOOR + self._overlap(terms) + near,
            home=home,
            leans=leans(text),
            sound=_is_sound(text),
        )

    def _shortened(self, sentence: str) -> Piece:
        """Return a sentence that no source has as it is, at home in the one that it was cut out of, if there is one."""
        terms = frozenset(content_terms(sentence))
        piece = self._piece(sentence, terms, None)
        known = sorted((len(self._holding[term]), term) for term in terms if term in self._holding)
        if not known or len(sentence) > _LONGEST:
            return piece
        words = folded_words(sentence)
        for other in self._holding[known[0][1]][:_TRIED]:
            if len(other.text) <= _LONGEST and terms <= other.terms and _is_within(words, folded_words(other.text)):
                return self._piece(sentence, terms, other.home)
        return piece


def sentences(text: str) -> list[str]:
    """Return the sentences of a text with single spaces, without the marks of lists and headings."""
    return [without_mark(" ".join(text[start:end].split())) for start, end in sentence_bounds(text)]


def standing(pieces: Iterable[Piece]) -> list[Piece]:
    """Return the sound pieces, or all of them where none is."""
    every = list(pieces)
    return [piece for piece in every if piece.sound] or every


def _rarity(question: str, sentences_terms: Sequence[frozenset[str]]) -> dict[str, float]:
    """Return how much each term of the question says: one that few sentences have says more, one that none has, nothing."""
    wanted = dict.fromkeys(content_terms(question))
    counts = Counter(term for terms in sentences_terms for term in wanted if term in terms)
    return {term: math.log(1 + len(sentences_terms) / counts[term]) for term in wanted if counts[term]}


def _is_sound(text: str) -> bool:
    if len(text) > _LONGEST or _TORN.search(text) or _names(text) or points_elsewhere(text):
        return False
    if not _END.search(text):
        return _NO_STOPS.search(text) is not None
    return not text[:1].islower() or text.islower() or text[1:2].isupper()


def _names(text: str) -> bool:
    """Say whether a text only names something, as a heading does: one word, or none with a small letter but "of" and "the"."""
    words = _WORDS.findall(text, 0, _LONGEST)
    if has_unspaced(text) or not any(c.isupper() for c in text):
        return not words or (len(words) == 1 and not has_unspaced(text))
    return not any(word[0].islower() and word not in _SMALL for word in words)


def _is_within(words: Sequence[str], others: Sequence[str]) -> bool:
    """Say whether all words stand in the others, in their order."""
    rest = iter(others)
    return all(word in rest for word in words)
