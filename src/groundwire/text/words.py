"""Words and windows: where the words of a text stand, and runs of whole sentences of a bounded number of words.

A word is a run of letters, digits and combining marks, with apostrophes and hyphens inside it and with decimal or
thousands separators between digits. Scripts written without spaces count character by character (a base with its
marks): Chinese, Japanese, Thai, Lao, Burmese, Khmer. That is also about how sub-word tokenizers count them.

Left out: dictionary segmentation of those scripts; underscores (they part words: `snake_case` is two).
"""

from __future__ import annotations

import re
from functools import cached_property

from groundwire.errors import UsageError
from groundwire.text.sentences import sentence_bounds

CJK = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303b\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
"""Han, kana and bopomofo, as the inside of a character class."""

UNSPACED = "\u0e01-\u0e2e\u0e30-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1050-\u109d\u1780-\u17d3"
"""Thai, Lao, Burmese, Khmer: letters and marks, without their digits and punctuation."""

_UNSPACED_MARK = (
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u105e-\u1060\u17b4-\u17d3"
)

# Combining marks are no word characters to `re`; the Indic blocks are taken whole but for their stops (U+0964, U+0965).
_MARK = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0730-\u074a\u0900-\u0963\u0971-\u0dff\u0f71-\u0f84\u200c\u200d\u20d0-\u20f0"
    "\u3099\u309a\ufe20-\ufe2f"
)


_INNER = r"(?:['’ʼ\-‐‑]|(?<=\d)[.,٫٬](?=\d))"


class Pattern:
    """Three patterns that find words, each compiled when it is first needed."""

    def __init__(self, inner: str) -> None:
        self._inner = inner

    @cached_property
    def ascii(self) -> re.Pattern[str]:
        """For ASCII text."""
        return self._compiled(r"[0-9A-Za-z]++")

    @cached_property
    def spaced(self) -> re.Pattern[str]:
        """For text whose scripts all put spaces between words."""
        return self._compiled(rf"(?:[^\W_]++[{_MARK}]*+)++")

    @cached_property
    def mixed(self) -> re.Pattern[str]:
        """For any text; the slowest."""
        alone = rf"[{CJK}][\u3099\u309a]*+|[{UNSPACED}][{_UNSPACED_MARK}]*+|"
        return self._compiled(rf"(?:(?:(?![{CJK}{UNSPACED}])[^\W_])++[{_MARK}]*+)++", alone)

    def _compiled(self, run: str, alone: str = "") -> re.Pattern[str]:
        return re.compile(rf"{alone}{run}(?:{self._inner}{run})*+" if self._inner else alone + run)

    def fitting(self, text: str) -> re.Pattern[str]:
        """Return the cheapest of the three that finds exactly the words of `text`."""
        if text.isascii():
            return self.ascii
        return self.mixed if has_unspaced(text) else self.spaced


_ANY_UNSPACED = re.compile(rf"[{CJK}{UNSPACED}]")


def has_unspaced(text: str) -> bool:
    """True when any character belongs to a script that is written without spaces."""
    return not text.isascii() and _ANY_UNSPACED.search(text) is not None


WORD = Pattern(_INNER)
PART = Pattern("")
"""Words parted also at apostrophes, hyphens and the separators of numbers."""


def word_bounds(text: str) -> list[tuple[int, int]]:
    """Return (start, end) of every word, in order and disjoint."""
    return [match.span() for match in WORD.fitting(text).finditer(text)]


def windows(text: str, *, size: int, overlap: int) -> list[tuple[int, int]]:
    """Return (start, end) of runs of whole sentences of at most `size` words that together cover the text.

    Neighbouring windows share up to `overlap` words of whole sentences; a sentence of more than `size` words is cut at
    words. A sentence without any word counts as one. Raises UsageError unless 0 <= overlap < size.
    """
    if not 0 <= overlap < size:
        raise UsageError(
            f"windows need 0 <= overlap < size, got size {size} and overlap {overlap}", "size 100, overlap 30"
        )
    units = _units(text, size)
    bounds: list[tuple[int, int]] = []
    first = total = 0
    for i, (_, _, count) in enumerate(units):
        if total + count > size:
            bounds.append((units[first][0], units[i - 1][1]))
            while total > overlap or total + count > size:
                total -= units[first][2]
                first += 1
        total += count
    if units:
        bounds.append((units[first][0], units[-1][1]))
    return bounds


def _units(text: str, size: int) -> list[tuple[int, int, int]]:
    """Return (start, end, words) of the sentences, those of more than `size` words cut into pieces."""
    words = word_bounds(text)
    units: list[tuple[int, int, int]] = []
    at = 0
    for start, end in sentence_bounds(text):
        first = at
        while at < len(words) and words[at][0] < end:
            at += 1
        for i in range(first, at - size, size):  # what stands between two words goes with the word before it
            cut = words[i + size][0]
            units.append((start, start + len(text[start:cut].rstrip()), size))
            start, first = cut, i + size
        units.append((start, end, max(1, at - first)))
    return units
