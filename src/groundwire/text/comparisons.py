"""Comparisons: signs before a figure in words, since a small model reads `<1.5 g` and `>1.5 g` as the same.

`not less than 5` and `at or above 5` are `at least 5` in the same way: a small model reads the negation alone.

Left out: signs in code, in markup, in formulas (0 < x < 1), before names, and those that begin a line, where mail quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_NUMBER_WORD = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|half|a (?:hundred|thousand|million|billion))\b"
)
_FIGURE = r"(?:[~≈]|(?:US)?[$€£¥])?\.?\d"
# What is no comparison comes first, and is passed over: fences and spans of code, tags, addresses and dates in brackets.
_COMPARED = re.compile(
    rf"""```[\s\S]*?(?:```|\Z) | `[^`\n]{{1,200}}` | </?[A-Za-z][^<>]{{0,200}}> | <\d[^<>\s]{{0,60}}>
  | <\d{{4}}-\d\d-\d\d[^<>\n]{{1,20}}>
  | (?<![-=<>~!])(?P<sign>[<>]=|[≤≥⩽⩾]|[<>])[ \xa0]?(?={_FIGURE})
  | \b(?:[Nn](?:ot|o)[ ](?P<than>less|fewer|lower|more|greater|higher)[ ]than
      |(?P<at>[Aa]t[ ]or[ ](?:below|under|above|over)))[ ](?={_FIGURE}|{_NUMBER_WORD})""",
    re.VERBOSE,
)
_WORDS = {"<": "less than ", ">": "more than ", "<=": "at most ", ">=": "at least "}
_WORDS |= {"≤": "at most ", "⩽": "at most ", "≥": "at least ", "⩾": "at least "}
_LEAST = frozenset(("less", "fewer", "lower", "above", "over"))
"""What not to be, or what to be at or, is to be at least."""
_FORMULA = re.compile(r"(?:(?<![\w.,])[\d.,]{1,20}|[<>≤≥]=?[ ]?\w{1,20})[ ]?\Z")
"""Before a sign: a bare number, or a name that another sign compares."""
_REST = re.compile(
    r"[~≈$€£¥US]{0,4}[\d.,]{1,40}[ ]?(?:[*+^=<>?{]|&&|\|\||;[ ]?(?:\w{1,20}(?:\+\+|--|\+=)|(?=\n|\Z))|\)\s?(?:[{;]|&&|\|\|))"
)
"""Behind a sign: a figure that is part of a formula or of code."""
_NAME = re.compile(r"[A-Za-z_\])]\Z")
_AROUND = 30


def comparisons(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, in words) of the comparisons before a figure in a text, in order and disjoint. Linear."""
    for match in _COMPARED.finditer(text):
        start, end = match.span()
        sign = match["sign"]
        if match["than"] or match["at"]:
            words = "at least " if (match["than"] or match["at"].rpartition(" ")[2]) in _LEAST else "at most "
            yield start, end, words.capitalize() if match[0][0].isupper() else words
        elif sign and not _is_no_comparison(text, sign, start, end):
            apart = start == 0 or text[start - 1].isspace() or text[start - 1] in "([{|/\"'“‘"
            yield start, end, _WORDS[sign] if apart else " " + _WORDS[sign]


def _is_no_comparison(text: str, sign: str, start: int, end: int) -> bool:
    """Whether a sign quotes a line, is an operator, or part of a formula."""
    before = text[max(0, start - _AROUND) : start]
    if sign == ">" and not before.rpartition("\n")[2].strip(" \t>"):
        return True
    if len(sign) == 2 and _NAME.search(before):  # numpy>=1.2
        return True
    return bool(_FORMULA.search(before) or _REST.match(text, end))


def spelled_out(text: str) -> str:
    """Return the text with the comparisons before its figures in words: `<1.5 g` is `less than 1.5 g`."""
    parts: list[str] = []
    last = 0
    for start, end, words in comparisons(text):
        parts += [text[last:start], words]
        last = end
    return "".join([*parts, text[last:]]) if parts else text
