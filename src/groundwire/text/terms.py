"""Terms: the words of a text folded so that two ways of writing the same word compare equal.

Folding is NFKC and case folding, and a light cut of English plurals. Words are parted at apostrophes, hyphens and the
separators of numbers too, so that `the club's`, tokenised `the club 's` and `club` meet, as do `1,000` and `1, 000`.
A term has no accents (`Łódź` and `Lodz` are one), a folded word keeps them. Scripts without spaces give character bigrams in
place of words.

Left out: stemming beyond the plural, synonyms, stop words of languages other than English.
"""

from __future__ import annotations

from itertools import pairwise
from unicodedata import combining, normalize

from groundwire.text.words import PART, has_unspaced


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


STOP_WORDS = _words(
    """
    a about after all also am an and any are as at be because been before being between both but by can could did
    do does each for from had has have he her here hers him his how i if in into is it its itself me more most my
    of on one only or other our out over said same she should so some such than that the their them then there
    these they this those through to too under until up upon very was we were what when where which while who whom
    whose why will with would you your d ll m re s t ve
    """
)
"""Words, and ends of words after an apostrophe, that say nothing of the subject. Negations are not among them."""

_LONGEST = 100
"""Normalising takes time quadratic in a run of combining marks, so longer words are only case-folded."""


def _fold(word: str) -> str:
    return (normalize("NFKC", word) if len(word) <= _LONGEST else word).casefold()


def folded_words(text: str) -> list[str]:
    """Return the runs of letters and digits of `text` in order, NFKC-normalised and case-folded."""
    if text.isascii():
        return PART.ascii.findall(text.lower())
    return [word.lower() if word.isascii() else _fold(word) for word in PART.fitting(text).findall(text)]


_STRUCK = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"})
"""Letters of the Latin script that no accent makes."""


def _unaccented(word: str) -> str:
    """Return a folded word without the accents of its Latin letters: those of other scripts part letters (й and и)."""
    parted = normalize("NFKD", word.translate(_STRUCK)) if len(word) <= _LONGEST else word
    return "".join(c for c in parted if not combining(c)) if parted[:1].isascii() else word


def term(word: str) -> str:
    """Cut the accents and the English plural off a folded word: `companies` and `company` are one term."""
    if not word.isascii():
        word = _unaccented(word)
    if len(word) <= 3 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    return word[:-1]


def is_stop_word(word: str) -> bool:
    """Say whether a word, as it is written, says nothing of the subject."""
    return len(word) <= _LONGEST and word.casefold() in STOP_WORDS


def content_terms(text: str) -> list[str]:
    """Return the terms of the words that are no stop words, in order, with repeats."""
    if not has_unspaced(text):
        return [term(word) for word in folded_words(text) if word not in STOP_WORDS]
    terms: list[str] = []
    run: list[str] = []  # adjacent characters of a script without spaces
    edge = -1
    for match in PART.mixed.finditer(text):
        word = _fold(match[0])
        unspaced = has_unspaced(match[0])
        if not (unspaced and match.start() == edge):
            terms += _bigrams(run)
            run = []
        if unspaced:
            run.append(word)
            edge = match.end()
        elif word not in STOP_WORDS:
            terms.append(term(word))
    return terms + _bigrams(run)


def _bigrams(run: list[str]) -> list[str]:
    return run if len(run) < 2 else [a + b for a, b in pairwise(run)]
