"""Other languages: Unicode words, lower case, and the language's Snowball stemmer from the library of that name.

The library is pure Python and hands the work to PyStemmer where that is installed too.

Left out: stop words (a retriever weighs them down), splitting of compounds, the Turkish dotless i.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from threading import Lock

from groundwire.analysis.english import plain_term
from groundwire.errors import MissingExtra

LANGUAGES = frozenset(
    (
        "arabic armenian basque catalan czech danish dutch esperanto estonian finnish french german greek hindi hungarian "
        "indonesian irish italian lithuanian nepali norwegian persian polish portuguese romanian russian serbian sesotho "
        "spanish swedish tamil turkish yiddish"
    ).split()
)
"""What Snowball has, but for English, which has its own chain here."""


def stemmed_term(language: str) -> Callable[[str], str | None]:
    """Return the function from a raw token to its term. Raises MissingExtra without the library or its language."""
    try:
        library = importlib.import_module("snowballstemmer")
        stemmer = library.stemmer(language)
    except ModuleNotFoundError as error:
        raise MissingExtra("snowballstemmer", "languages") from error
    except KeyError as error:  # an older version
        raise MissingExtra(f"a snowballstemmer that knows {language}", "languages") from error
    lock = Lock()  # a stemmer keeps the word that it works on in itself

    def term(piece: str) -> str | None:
        word = plain_term(piece)
        if word is None:
            return None
        with lock:
            stem: str = stemmer.stemWord(word)
        return stem or word

    return term
