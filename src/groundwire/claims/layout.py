"""Layout: what the lines of an answer show of its sentences: items and their marks, lines set apart in bold, headings.

Left out: what is read of each sentence (`context`), and tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundwire.idle import COLONS, MARKER

SIGNS = "←-⇿─-➿⬀-⯿\U0001f300-\U0001faff"
"""Arrows, ticks, crosses and pictures, as the inside of a character class: people begin items with them."""
_ITEM = re.compile(rf"(?:[-*+•◦▪●–—‣·]|[{SIGNS}]\ufe0f?|\(?(?:\d{{1,3}}|[A-Za-z])[.)])\s+(?=\S)")
"""What marks a line as the item of a list."""
_BOLD = re.compile(rf"(?:[{SIGNS}\ufe0f]|\s){{0,4}}(\*\*|__)[^*_\n]{{1,200}}\1\s*:?\s*")
"""A line that is bold from one end to the other."""
_HASHES = re.compile(r"#{1,6}(?=\s)")
_NUMBERED = re.compile(r"\d{1,3}(?:\.\d{1,3}){1,3}\.?\s+(?=[^\W\d_a-z])|\d{1,3}[.)]\s+(?=\S)")
"""The number of a heading."""
_FENCED = re.compile(r"\A\s*#{1,6}\s+|\s+#{1,6}\s*\Z")
_TICKS = "✓✔✅☑✗✘❌"
"""Signs before an item that say something of it."""
_FIGURES, _LETTERS, _SIGN = re.compile(r"\d+"), re.compile(r"[A-Za-z]"), re.compile(rf"[{SIGNS}]\ufe0f?")
INITIAL = "a."
"""The mark of an item that may as well be somebody's initial: "A. Lincoln won."."""
PICTURE = "→"
"""The mark of items that begin with a picture or an arrow, whichever; a heading may have one too."""
LOWEST, COLON = 7, 8
"""The rank of a heading that is no more than bold, and of one that has but a colon; those of markdown have 1 to 6."""

Mark = tuple[int, str]
"""How an item is marked: the white space before it on its line, and its mark, the same for all items of one list."""


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of an answer as the layout shows it: its place, what it is marked with as an item, and where words begin.

    `indent` is the white space before it on its line; None: it does not begin a line. `begun` says that it is the number of an
    item that has no words: an answer that was cut there.
    """

    start: int
    end: int
    indent: int | None
    mark: Mark | None
    first: int
    begun: bool = False

    def begins(self, *, listed: bool) -> int:
        """Where what is read begins; what may be an initial is one unless it is `listed`: read behind a lead."""
        return self.first if listed or (self.mark and self.mark[1] != INITIAL) else self.start


def lines(written: str, answer: str, bounds: Sequence[tuple[int, int]]) -> Iterator[Line]:
    """Lay out the sentences of an answer; `written` is the answer with its markup, which is a part of what is marked."""
    last, count, opened = 0, 0, False
    for start, end in bounds:
        gap = (answer[last:start] + "x").splitlines()
        indent = len(gap[-1]) - 1 if len(gap) > 1 or not last else None
        at = start + len(answer[start:end]) - len(answer[start:end].lstrip())
        item, number = (None, None) if indent is None else (_ITEM.match(answer, at, end), MARKER.match(answer, at, end))
        mark = (indent, _kind(item[0].rstrip())) if item and indent is not None else None
        begun = number is not None and number.end() == end and int(number[1]) == count + 1 and (count > 0 or opened)
        count = int(number[1]) if number and (item or begun) else count
        yield Line(start, end, indent, mark, _unblanked(written, item) if item else start, begun)
        last, opened = end, opens(answer[start:end])


def _kind(mark: str) -> str:
    """Return what marks of one list have in common: 1. and 2., a) and b), ✅ and ❌."""
    return _SIGN.sub(PICTURE, _LETTERS.sub("a", _FIGURES.sub("0", mark)))


def _unblanked(written: str, item: re.Match[str]) -> int:
    """Return where an item begins behind its mark: with the markup of its first words, if it has any, or with a tick."""
    first = item.end()
    if item[0][0] in _TICKS:
        return item.start()
    while first > item.start() and not written[first - 1].isspace():
        first -= 1
    return first


def opens(words: str) -> bool:
    """Say whether words have a colon behind them, as what opens a list."""
    return words.rstrip().endswith(COLONS)


def is_bold(written: str, start: int, end: int) -> bool:
    """Say whether what is written at [start, end) is bold from one end to the other."""
    return _BOLD.fullmatch(written, start, end) is not None


def rank(words: str, *, bold: bool) -> int:
    """Return the rank of a heading, from 1 for the highest."""
    hashes = _HASHES.match(words)
    return len(hashes[0]) if hashes else LOWEST if bold else COLON


def title(words: str) -> str:
    """Return what a heading says, without its signs and number."""
    bare = _FENCED.sub("", _SIGN.sub(" ", words)).strip(" \t*_:：")
    return bare[number.end() :] if (number := _NUMBERED.match(bare)) else bare
