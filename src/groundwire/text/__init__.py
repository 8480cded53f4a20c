"""Text: sentences, words, windows and content terms, every one with exact offsets and in linear time.

Offsets are Unicode code points, half-open. Nothing here raises on any `str`: lone surrogates, NULs and words of a
million characters are text like any other. Every pattern is possessive or bounded: none can backtrack over user text.

Left out: which language a text is in, dictionaries, learned models. The rules know the punctuation of most scripts, and the
abbreviations and stop words of English.
"""

from groundwire.text.framing import unframed
from groundwire.text.markup import unmarked
from groundwire.text.names import names
from groundwire.text.sentences import sentence_bounds
from groundwire.text.terms import content_terms, folded_words, is_stop_word, term
from groundwire.text.words import has_unspaced, windows, word_bounds

__all__ = [
    "content_terms",
    "folded_words",
    "has_unspaced",
    "is_stop_word",
    "names",
    "sentence_bounds",
    "term",
    "unframed",
    "unmarked",
    "windows",
    "word_bounds",
]
