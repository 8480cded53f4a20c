"""Drafts: sentences on their way to become an answer, and what makes a text of them.

A draft is settled when nothing is said twice, no sentence leans on one that is not there, and it is as short as it must
be. Left out: which sentences a draft begins with (`operators.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.evolve.extractive.material import Material, Piece
from groundwire.evolve.extractive.openings import without_link
from groundwire.text import sentence_bounds

_WIDE = ("。", "！", "？")
_CROWD = 10
"""How many times as many sentences as an answer may have are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How long an answer may be. One sentence may have more words, for nothing is cut to fit."""

    sentences: int
    words: int

    def holds(self, pieces: Sequence[Piece]) -> bool:
        """Say whether the pieces are few and short enough, or a single one."""
        few = len(pieces) <= self.sentences and sum(piece.words for piece in pieces) <= self.words
        return few or len(pieces) < 2


def settled(pieces: Sequence[Piece], material: Material, size: Size, keep: Piece | None = None) -> list[Piece]:
    """Return the draft that these pieces make; `keep` is not what gives way where it is too long.

    What is no statement stays only where the sources have none at all. Empty where nothing is left. Of very many pieces
    those that say most are looked at.
    """
    sound = [piece for piece in pieces if piece.sound or not material.states]
    return _tied(_fitted(_tied(_most(sound, size), material), size, keep), material)


def _most(pieces: Sequence[Piece], size: Size) -> Sequence[Piece]:
    """Return the pieces that say most, in their order: each is compared with all, which is for a few."""
    few = _CROWD * size.sentences
    if len(pieces) <= few:
        return pieces
    best = sorted(range(len(pieces)), key=lambda n: (-pieces[n].salience, n))[:few]
    return [pieces[n] for n in sorted(best)]


def _tied(pieces: Sequence[Piece], material: Material) -> list[Piece]:
    """Put each piece behind what it leans on, bring that in where it is not there, and drop what is said already."""
    tied: list[Piece] = []
    astray: list[Piece] = []
    for piece in pieces:
        if any(piece.repeats(other) for other in tied):
            continue
        if tied and (piece.follows(tied[-1]) or piece.home is None):
            tied.append(piece)
        elif not piece.leans:
            tied.append(material.changed(piece, without_link(piece.text)))
        else:
            at = _behind(piece, tied, material)
            (astray if at < 0 else tied).insert(max(at, 0), piece)
    return tied or astray[-1:]


def _behind(piece: Piece, tied: list[Piece], material: Material) -> int:
    """Return where a leaning piece goes: behind the sentence before it, which is brought in if it can stand; else -1."""
    for n, other in enumerate(tied):
        if piece.follows(other):
            return n + 1
    before = material.before(piece)
    if before is None or before.leans or not before.sound or any(before.repeats(other) for other in (*tied, piece)):
        return -1
    tied.append(material.changed(before, without_link(before.text)))
    return len(tied)


def _fitted(pieces: Sequence[Piece], size: Size, keep: Piece | None) -> list[Piece]:
    """Drop what says least until the size holds the rest; what is leant on goes after what leans on it."""
    kept = list(pieces)
    while not size.holds(kept):
        del kept[min(loose(kept, keep), key=lambda n: (kept[n].salience, n))]
    return kept


def loose(pieces: Sequence[Piece], keep: Piece | None = None) -> list[int]:
    """Return the positions of the pieces that may go without taking from another what it leans on; never none."""
    leant_on = {n for n, after in enumerate(pieces[1:]) if after.leans and after.home is not None}
    free = [n for n in range(len(pieces)) if n not in leant_on]
    return [n for n in free if keep is None or pieces[n].home != keep.home] or free


def text_of(pieces: Sequence[Piece]) -> str:
    """Return the text of a draft, its sentences joined by a space, or by nothing behind a full stop that takes its own room.

    Where a reader of sentences would not see that one ends there (a heading, a line without capitals), they are parted by
    an empty line instead, so that the sentences of an offspring are those that it was made of.
    """
    text = ""
    for piece in pieces:
        start = len(text) + (not text.endswith(_WIDE)) if text else 0
        joint = f"{text:{start}}" + piece.text
        seen = not text or any(first == start for first, _ in sentence_bounds(joint))
        text = joint if seen else f"{text}\n\n{piece.text}"
    return text
