"""Analyzers: from text to the terms that an index knows passages by.

An analyzer works in two steps, so that who analyses much text pays for the second only once a word: `pieces` cuts a text
into raw tokens, `term` makes a raw token what is indexed. `terms` is both, with a memory of bounded size between them.

Left out: positions and offsets; analysis by configuration (a name is a chain).
"""

from __future__ import annotations

from collections.abc import Callable

from groundwire.analysis.english import english_term, plain_term
from groundwire.analysis.languages import LANGUAGES, stemmed_term
from groundwire.analysis.standard import pieces as standard_pieces
from groundwire.analysis.whitespace import pieces as whitespace_pieces
from groundwire.analysis.whitespace import term as whitespace_term
from groundwire.errors import UnknownName

_MOST_REMEMBERED = 1 << 17
_LONGEST_REMEMBERED = 64


class _Memory(dict[str, str]):
    """Raw token to term, empty for none; forgets everything when it is full, and never keeps a long token."""

    __slots__ = ("_term",)

    def __init__(self, term: Callable[[str], str | None]) -> None:
        super().__init__()
        self._term = term

    def __missing__(self, piece: str) -> str:
        term = self._term(piece) or ""
        if len(piece) <= _LONGEST_REMEMBERED:
            if len(self) >= _MOST_REMEMBERED:
                self.clear()
            self[piece] = term
        return term


class Analyzer:
    """A chain with a name: `analyzer(name)` makes it. Same text, same terms, whatever was analysed before.

    Any `str` is analysed and none raises: NULs, lone surrogates, words of a million characters. Terms are never empty,
    can be encoded as UTF-8, and hold at most 255 UTF-16 units before stemming.
    """

    __slots__ = ("_memory", "_pieces", "_term", "name")

    def __init__(self, name: str, *, pieces: Callable[[str], list[str]], term: Callable[[str], str | None]) -> None:
        self.name = name
        self._pieces = pieces
        self._term = term
        self._memory = _Memory(term)

    def __repr__(self) -> str:
        return f"analyzer({self.name!r})"

    def pieces(self, text: str) -> list[str]:
        """Return the raw tokens of `text` in order, as written; some may have no term."""
        return self._pieces(text)

    def term(self, piece: str) -> str | None:
        """Return the term of one of `pieces`, or None when it has none: a stop word, a run of connectors."""
        return self._term(piece)

    def terms(self, text: str) -> list[str]:
        """Return the terms of `text` in order, with repeats: the terms of its pieces."""
        return list(filter(None, map(self._memory.__getitem__, self._pieces(text))))


def analyzer(name: str) -> Analyzer:
    """Return the analyzer of that name.

    - `english`: Lucene's EnglishAnalyzer.
    - `simple`: the same words in lower case, all of them, unstemmed.
    - `none`: what stands between white space, as written.
    - a language of Snowball's (`german`, `french`, ...): words in lower case, stemmed.

    Raises UnknownName, and MissingExtra for a language while its stemmers are not installed.
    """
    if name == "english":
        return Analyzer(name, pieces=standard_pieces, term=english_term)
    if name == "simple":
        return Analyzer(name, pieces=standard_pieces, term=plain_term)
    if name == "none":
        return Analyzer(name, pieces=whitespace_pieces, term=whitespace_term)
    if name in LANGUAGES:
        return Analyzer(name, pieces=standard_pieces, term=stemmed_term(name))
    raise UnknownName("analyzer", name, {"english", "simple", "none", *LANGUAGES})
