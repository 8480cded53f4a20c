"""Names: the words of a text that are written as names are. English habits; no dictionary."""

from __future__ import annotations

from groundwire.text.sentences import sentence_bounds
from groundwire.text.terms import folded_words, term
from groundwire.text.words import word_bounds

Name = tuple[tuple[int, int], list[str]]
"""Where a word stands, as (start, end), and its terms."""


def names(text: str) -> list[Name]:
    """Return the words with a capital inside a sentence, and those in CamelCase or ALL CAPS anywhere, in order."""
    found: list[Name] = []
    for start, end in sentence_bounds(text):
        sentence = text[start:end]
        for n, (first, last) in enumerate(word_bounds(sentence)):
            word = sentence[first:last]
            inner = any(c.isupper() for c in word[1:])
            if inner or (n > 0 and word[0].isupper() and len(word) > 1):
                found.append(((start + first, start + last), [term(folded) for folded in folded_words(word)]))
    return found
