"""Raw tokens of any text as Lucene's StandardTokenizer finds them, none longer than 255 UTF-16 units.

`pieces` takes the cheapest pattern that fits the text. Lucene reads through a window of 255 units that begins where the
token begins, and takes the longest token in it; only a text with a longer word, or with connectors in awkward company, is
read that way here, word by word.

Left out: offsets, token types, positions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from groundwire.analysis import wordrules

MOST_UNITS = 255
"""The longest token in UTF-16 units; a longer word is cut, and its rest is the next token."""

_JOINER = "\u200d"
_LAST_OF_ONE_UNIT = "\uffff"
_BEYOND = re.compile("[\U00010000-\U0010ffff]")
_ASCII = wordrules.ASCII.findall


def pieces(text: str) -> list[str]:
    """Return the raw tokens of `text` in order; among them may be runs of connectors or joiners (`is_token`)."""
    plane: int | None = 0
    if text.isascii():
        found = _ASCII(text)
        # Two words have something between them, so that many short ones leave no room for a long one.
        if len(text) - 2 * len(found) < MOST_UNITS - 1:
            return found
    else:
        hard, simple = wordrules.simple()
        if hard.search(text) is None:
            found = simple.findall(text)
        else:
            plane = 0 if _BEYOND.search(text) is None else None
            if wordrules.awkward().search(text) is not None:
                return list(_windowed(text, wordrules.any_text(plane)))
            found = wordrules.any_text(plane).findall(text)
    longest = max(map(len, found), default=0)
    if longest <= MOST_UNITS // 2 or (plane == 0 and longest <= MOST_UNITS) or not any(map(_is_long, found)):
        return found
    return list(_windowed(text, wordrules.any_text(plane)))


def is_token(piece: str) -> bool:
    """Say whether one of `pieces` is a token: not connectors alone, nor joiners alone."""
    first = piece[0]
    return (
        first.isalnum()
        or (first != _JOINER and first not in _connectors())
        or wordrules.nothing().fullmatch(piece) is None
    )


@cache
def _connectors() -> frozenset[str]:
    return frozenset(c for c in map(chr, range(0x10000)) if wordrules.connectors().match(c))


def _is_long(piece: str) -> bool:
    """Say whether a piece has more than 255 UTF-16 units."""
    return len(piece) > MOST_UNITS or (2 * len(piece) > MOST_UNITS and _units(piece) > MOST_UNITS)


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _windowed(text: str, pattern: re.Pattern[str]) -> Iterator[str]:
    """Yield the tokens of any text, each the longest in the window that begins with it: slower, and always linear."""
    starts, nothing, runs = wordrules.starts(), wordrules.nothing(), wordrules.connectors()
    at = fruitless = 0  # before `fruitless` no connector begins a token
    while (start := starts.search(text, at)) is not None:
        at = start.start()
        leads = text[at] in _connectors()
        until = fruitless
        if at >= fruitless or not leads:
            end = at + MOST_UNITS
            match = pattern.match(text, at, end)
            if match is not None and _is_long(match[0]):
                end = _window(text, at)
                match = pattern.match(text, at, end)
            if match is not None and is_token(match[0]):
                yield match[0]
                at = match.end()
                continue
            run = (runs if leads else nothing).match(text, at)
            behind = run.end() if run else at + 1
            # What follows the run may be a word's letter that has not come into the window yet.
            until = behind if behind < end else max(at + 1, behind - MOST_UNITS + 1)
            fruitless = until if leads else fruitless
        idle = nothing.match(text, at)
        at = max(at + 1, min(idle.end() if idle else 0, until))


def _window(text: str, start: int) -> int:
    """Return where 255 UTF-16 units from `start` end; no character is cut in two."""
    end = min(start + MOST_UNITS, len(text))
    over = _units(text[start:end]) - MOST_UNITS
    while over > 0:
        end -= 1
        over -= 1 + (text[end] > _LAST_OF_ONE_UNIT)
    return end
