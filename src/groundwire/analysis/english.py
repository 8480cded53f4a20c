"""Lucene's English analysis of one raw token: possessive, lower case, stop words, Porter's stem.

Lucene's EnglishAnalyzer without stems to leave alone, which is also Anserini's default.

Left out: folding of accents (there is none in Lucene's chain), other stop lists.
"""

from __future__ import annotations

from groundwire.analysis.porter import stem
from groundwire.analysis.standard import is_token

STOP_WORDS = frozenset(
    (
        "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this "
        "to was will with"
    ).split()
)

_POSSESSIVES = tuple(apostrophe + s for apostrophe in "'\u2019\uff07" for s in "sS")


def lower(word: str) -> str:
    """Return `word` in lower case, character by character as Lucene does it: one for each, wherever it stands."""
    if word.isascii():
        return word.lower()
    return word.replace("\u0130", "i").replace("\u03a3", "\u03c3").lower()


def english_term(piece: str) -> str | None:
    """Return the term of a raw token, or None for a stop word and for what is no token."""
    if piece[-1] in "sS" and piece.endswith(_POSSESSIVES):
        piece = piece[:-2]
    word = lower(piece)
    if word in STOP_WORDS or not is_token(piece):
        return None
    return stem(word)


def plain_term(piece: str) -> str | None:
    """Return the lower-cased raw token, or None for what is no token."""
    return lower(piece) if is_token(piece) else None
