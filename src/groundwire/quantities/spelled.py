"""Numbers spelled in English words: `twenty-one`, `two hundred and fifty thousand`, `one and a half million`, `third`.

Left out: `a few`, `dozens` and other words that name no number, and other languages.
"""

from __future__ import annotations

import re

from groundwire.quantities.quantity import Kind, Quantity


def _numbered(words: str, start: int = 0, step: int = 1) -> dict[str, float]:
    return {word: float(n * step) for n, word in enumerate(words.split(), start=start)}


_ONES = _numbered(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen"
)
_TENS = _numbered("twenty thirty forty fifty sixty seventy eighty ninety", start=2, step=10)
_ORDINALS = _numbered(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth",
    start=1,
) | {word[:-1] + "ieth": n for word, n in _TENS.items()}
SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "dozen": 12.0}
_FRACTIONS = {"half": 1 / 2, "halves": 1 / 2, "thirds": 1 / 3, "quarters": 1 / 4, "fifths": 1 / 5, "tenths": 1 / 10}
WORDS = "|".join(sorted([*_ONES, *_TENS, *SCALES, *_ORDINALS, *_FRACTIONS], key=len, reverse=True))
"""Every number word, longest first, as the inside of a pattern."""

_NUMERAL = re.compile(r"[a-z]+")


def spelled(text: str, offset: int) -> list[Quantity]:
    """Read a run of number words in small letters: `three and four` are two numbers, `two hundred and four` is one."""
    found: list[Quantity] = []
    number = _Spelled()
    for match in _NUMERAL.finditer(text):
        word = match[0]
        if word == "and":
            number.joined = True
        elif word != "a":
            if not number.takes(word):
                found.append(number.quantity(offset))
                number = _Spelled(match.start())
            number.add(word, match.end())
    return [*found, number.quantity(offset)]


class _Spelled:
    """A number that is being read word by word."""

    def __init__(self, start: int = 0) -> None:
        self.start = self.end = start
        self.words: list[str] = []
        self.total = self.current = 0.0
        self.joined = False  # by "and", since the last word

    def takes(self, word: str) -> bool:
        """True when this word can go on the number."""
        if not self.words:
            return True
        last = self.words[-1]
        if last in _ORDINALS:
            return False
        if word in SCALES:  # each may only multiply what is smaller: "one hundred, one thousand" are two
            scale = SCALES[word]
            fits = (
                self.current < 100
                if scale < 1000
                else self.current > 0 and (not self.total or self.total >= 1000 * scale)
            )
            return fits and not self.joined
        if word in _FRACTIONS:
            return last in _ONES
        small = (_ONES | _ORDINALS).get(word, 99.0)
        return last in SCALES or (last in _TENS and 0 < small < 10 and not self.joined)

    def add(self, word: str, end: int) -> None:
        """Take the word."""
        if word in _FRACTIONS:
            part = _FRACTIONS[word]
            self.current = self.current + part if self.joined else (self.current or 1.0) * part
        elif word not in SCALES:
            self.current += (_ONES | _TENS | _ORDINALS)[word]
        elif SCALES[word] < 1000:
            self.current = (self.current or 1.0) * SCALES[word]
        else:
            self.total += (self.current or 1.0) * SCALES[word]
            self.current = 0.0
        self.words.append(word)
        self.end, self.joined = end, False

    def quantity(self, offset: int) -> Quantity:
        """Return what was read; `offset` is where the run begins in the text."""
        last = self.words[-1]
        value = self.total + self.current
        kind: Kind = "ordinal" if last in _ORDINALS else "fraction" if last in _FRACTIONS and value < 1 else "number"
        scale = SCALES.get(last, 1.0)
        return Quantity(
            kind=kind,
            value=value,
            start=offset + self.start,
            end=offset + self.end,
            step=(scale if scale >= 1000 else 1.0) if kind == "number" and "half" not in self.words else 0.0,
            weak=len(self.words) == 1 and value <= 10,
        )
