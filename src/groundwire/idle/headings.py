"""Headings: lines that only name what stands below them.

"## Before 2010", "**Not included**", "Section 1.": what is written as a heading is one unless it plainly states something
(`stating`: "**The museum was closed in 1990**").

Left out: what a heading says of the lines below it (`groundwire.claims`). English: a line of other words has to be short or
written as a title. Every pattern is bounded.
"""

from __future__ import annotations

import re

from groundwire.idle.chatter import shipped
from groundwire.idle.stating import NUMBERED, states
from groundwire.quantities import quantities
from groundwire.text import content_terms, folded_words, is_stop_word

STOPS = ".!?…。！？؟۔।"
"""What a sentence ends with, and a heading or a bare answer does not."""
COLONS = (":", "：")
"""What a heading, or what leads into a list, may end with."""
SHORT = 2
"""The most content terms of a heading that is not written as a title."""
TITLE = 5
"""The most words of a title that are no stop words: "Background and Early Life"."""
LONGEST, WORDS = 120, 10
"""Characters and words: a longer line says something."""
STATES = re.compile(
    r"\b(?:am|is|are|was|were|has|have|had|does|did|will|would|can|could|may|might|must|not|no|never|none|nobody|nothing|"
    r"\w{2,20}ed|fell|rose|won|lost|grew|died|left|made|sank|beat|quit|hit|met|sold|bought|built|broke|began|became|went|came|"
    r"saw|took|gave|got|said|told|found|kept|led|paid|ran|sent|shut|spent|stood|cut|rises|falls|wins|loses|denies|says|gains|"
    r"drops|grows|dies|leaves)\b|n['’]t\b",
    re.IGNORECASE,
)
"""What may make a sentence of a line."""
_BRACKETS = re.compile(r"\([^()]{0,100}\)")
DATING = frozenset("after around before between early late since until".split())
MONTHS = frozenset("jan feb mar apr may jun jul aug sep oct nov dec".split())
_COUNTED = r"(?:\d{1,3}(?:\.\d{1,3}){0,4}|[IVX]{1,5})"
_LABEL = re.compile(
    rf"\W{{0,20}}(?:(?i:sections?|clause|article|chapter|paragraph|§§?)\s{{0,3}}{_COUNTED}|\d{{1,2}}(?:\.\d{{1,2}}){{1,4}})\.\W{{0,20}}"
)
"""The number of a section alone, with the stop that parts it from what it says; "Option 2." may be an answer."""
_MARKED_LABEL = re.compile(rf"\W{{0,20}}(?i:{NUMBERED})\.?\s{{0,3}}(?:{_COUNTED}|[A-Z])[.)]\W{{0,20}}")
_HASHED = re.compile(r"[^\w\n#]{0,20}#{1,6}(?![#\d])")
_SIGNS = re.compile(r"\A(?:[^\w\"'“‘(\[$€£¥<>≥≤~+]|_){0,40}")
"""What stands before the words of a heading: its mark, an emoji."""
_NUMBER = re.compile(r"\A(?:\d{1,3}(?:\.\d{1,3}){0,3}[.)]?|[IVX]{1,5}[.)]|[A-Z][.)])\s{1,10}(?=\S)")
_ANSWER = re.compile(r"[\w ]{0,30}\banswer\s{0,4}[:：]\s{0,4}\w", re.IGNORECASE)
_SMALL = re.compile(r"(?<![\w'’-])[^\W\d_A-Z][\w'’-]{0,40}")


def heads(line: str, *, apart: bool) -> bool:
    """Say whether a line is a heading: `apart` where it is in bold from one end to the other.

    A line that is marked as one ("## Overview", bold) names what follows unless it ends with a stop or states something; one
    with a colon behind it has to be short or a title, and the number of a section alone ("Section 1.") is one as it is.
    Whether anything follows is not asked.
    """
    if len(line) > 2 * LONGEST:
        return False
    marked = apart or _HASHED.match(line) is not None
    if _LABEL.fullmatch(line) or (marked and _MARKED_LABEL.fullmatch(line)):
        return True
    words = _bare(line)
    if not any(map(str.isalnum, words)) or words.rstrip("\"'”’»)")[-1:] in STOPS:
        return False
    if (marked or words.endswith(COLONS)) and _names(words, apart):
        return True
    return (
        marked
        and len(words) <= LONGEST
        and len(words.split()) <= WORDS
        and _is_english(words)
        and not (_ANSWER.match(words) or _measures(words) or states(words.rstrip(":： ")))
    )


def _measures(words: str) -> bool:
    """Say whether words hold a sum, a share, a measure or a date besides what they name: "Revenue up 12%"; in brackets it is a
    part of a name."""
    words = _BRACKETS.sub(" ", words)
    found = quantities(words)
    named = any(term.isalpha() for term in content_terms(words) if term not in DATING and term[:3] not in MONTHS)
    return named and any(one.unit or one.measure or one.kind in ("percent", "date", "time") for one in found)


def _bare(line: str) -> str:
    """Return a line without what marks or numbers it as a heading."""
    return _NUMBER.sub("", _SIGNS.sub("", line, count=1), count=1).rstrip("*_# \t\n")


def _names(words: str, apart: bool) -> bool:
    """Say whether the words of a marked line are so few, or so written, that they can but name."""
    if any(map(str.isdigit, words)) or _ANSWER.match(words):
        return False
    short = len(content_terms(words)) <= SHORT and not (apart and STATES.search(words))
    return short or (_titled(words) and not STATES.search(words))


def _titled(words: str) -> bool:
    """Say whether all words but stop words are capitalised, and few."""
    named = [word for word in words.split() if not is_stop_word(word)]
    return len(named) <= TITLE and all(word[:1].isupper() or not word[:1].isalpha() for word in named)


def _is_english(words: str) -> bool:
    """Say whether words may be English, where alone verbs are told: most of those that are written small are known."""
    if any(c.isalpha() and c > "\u024f" for c in words):
        return False
    small = folded_words(" ".join(_SMALL.findall(words)))
    known = shipped().kinds
    if any(not word.isascii() and word not in known for word in small):
        return False
    return 2 * sum(word in known for word in small) >= len(small)
