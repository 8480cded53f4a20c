"""Hostile text made harmless to print: what could move a cursor or turn the reading direction becomes an escape.

Left out: what an output's encoding has no code for (`groundwire.render`).
"""

from __future__ import annotations

_JOINERS = "\u200c\u200d"
"""Emoji and many scripts need them."""


def one_line(text: str) -> str:
    """Return `text` on one line, with everything that is not plainly printable as a visible escape.

    White space is joined to single blanks; controls, direction marks and lone surrogates become `\\x1b`, `\\u202e` or
    `\\ud800`. Joiners stay.
    """
    line = " ".join(text.split())
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() or c in _JOINERS else _escaped(c) for c in line)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
