"""Words parted by white space and nothing else, for text that was tokenised before.

Left out: lower case, stop words, stems.
"""

from __future__ import annotations

MOST_CHARACTERS = 255
"""The longest token; a longer word is cut, and its rest is the next token."""


def pieces(text: str) -> list[str]:
    """Return what stands between the white space of `text`, in parts of at most 255 characters."""
    found = text.split()
    if len(text) <= MOST_CHARACTERS or max(map(len, found), default=0) <= MOST_CHARACTERS:
        return found
    return [piece[at : at + MOST_CHARACTERS] for piece in found for at in range(0, len(piece), MOST_CHARACTERS)]


def term(piece: str) -> str | None:
    """Return the piece itself, with U+FFFD for each lone surrogate, as Lucene writes it."""
    return piece if piece.isascii() else piece.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
