"""How a sentence opens: what ties it to the one before it, and what marks it as no statement of its own.

English alone; a sentence of another language opens nothing that is known here, and stands where it stood.
Left out: who a pronoun stands for. A sentence that leans on another is only ever read behind it.
"""

from __future__ import annotations

import re

_LINK = (
    r"however|moreover|furthermore|additionally|in addition|therefore|thus|hence|also|besides|likewise|similarly|"
    r"consequently|accordingly|nevertheless|nonetheless|as a result|in fact|indeed|of course|on the other hand|in contrast|"
    r"by contrast|conversely|for example|for instance|in other words|meanwhile|finally|again|then|next|"
    r"first(?:ly)?|second(?:ly)?|third(?:ly)?|last(?:ly)?|so|well|plus"
)
_CONNECTIVE = re.compile(
    rf"(?:(?:and|but|so) )?(?:{_LINK}), (?=\w)"
    r"|(?:and|but|so) (?=(?:the|an?|it|its|they|he|she|this|these|there|their|when|you|in)\b)",
    re.I,
)
"""What joins a sentence to the one before it and says nothing itself. "Otherwise" and "instead" are not among these."""

_REFERENCE = re.compile(
    r"""(?:\w{1,20},?\ )?(?:he|she|they|it|them|him)\b
      | (?:\w{1,20},?\ ){0,2}(?:this|these|those|such(?!\ as\b))\b
      | (?:his|her|hers|its|their|theirs|that|here|otherwise|instead|both|another|others?|thereafter|afterwards?
          |either|neither)\b
      | (?:the|one|some|most|many|all|each|none|two|three|half|part)\ (?:(?:of\ )?(?:them|these|those|which)
          |(?:former|latter|others?|same|above|two|first|second|third|last))\b
      | the\ (?:next|following|remaining)\b
    """,
    re.I | re.X,
)
"""What stands for something: a pronoun first or second, "this" among the first three words, "the latter"."""
_NO_REFERENCE = re.compile(
    r"""it\ (?:is|was|can\ be|may\ be)\ (?:also\ |very\ |not\ |usually\ |often\ |generally\ )?
          (?:possible|important|necessary|recommended|estimated|likely|unlikely|best|easy|difficult|hard|common|believed
          |thought|advised|essential|true|safe|better)\ (?:that|to|for)\b
      | it\ (?:usually\ |typically\ |generally\ )?(?:takes|costs)\b
      | (?:(?:for|to|by|of|with)\ )?those\ (?:who|with|of|in)\b
      | (?:when|as|if)\ it\ comes\ to\b | both\ \w{1,40}\ and\b | n?either\ \w{1,40}\ n?or\b | that\ said\b
      | the\ (?:first|second|third|last)\ (?!of\b)\w{1,40}\ (?:of|in|to|is|was)\b
    """,
    re.I | re.X,
)
"""What only looks so: "It is possible to", "those who", "both A and B"."""
_MARK = re.compile(
    r"(?:[-*+•◦▪●·–—]|#{1,6}|>|\d{1,3}[.)])\s+(?=\S)"
    r"|\d{1,2} (?=(?:The|An?|It|If|In|This|These|When|You|Your|To|For|There|They|He|She|We|As|At|On)\b)"
)
"""What marks a line of a list, the bare figures of "1 The first thing. 2 The second." among it."""


_ELSEWHERE = re.compile(
    r"\b(?:see|shown|listed|described|mentioned|noted|discussed|illustrated|given|as) (?:below|above)\b|\b(?:below|above)[.!:]$"
    r"|^(?:view|browse|shop|subscribe|download|visit|see also|learn more|find out|for (?:more|other|further) "
    r"(?:information|details|uses|definitions))\b|\bmay refer to\b"
    r"|\b(?:click|tap) (?:here|on|the)\b|\bread more\b|\bthis (?:page|article|section|chapter|video|post|website)\b"
    r"|\bI(?:['’]m| am| was) (?:wondering|asking|confused)\b|\bI (?:wonder|have a question|(?:want|would like|need) to know)\b",
    re.I,
)


def points_elsewhere(sentence: str) -> bool:
    """Say whether a sentence speaks of its own page ("shown below", "click here") or asks ("I wonder"): no answer does."""
    return _ELSEWHERE.search(sentence) is not None


def without_mark(sentence: str) -> str:
    """Return the sentence without the bullet, number or `#` that a line of a list or a heading begins with."""
    mark = _MARK.match(sentence)
    return sentence[mark.end() :] if mark else sentence


def without_link(sentence: str) -> str:
    """Return the sentence without the connective that joins it to another ("However, the ..." gives "The ...")."""
    end = link_end(sentence)
    return capital(sentence[end:]) if end else sentence


def link_end(sentence: str) -> int:
    """Return where the connective ends that a sentence opens with, 0 where it opens with none."""
    link = _CONNECTIVE.match(sentence)
    return link.end() if link else 0


def leans(sentence: str) -> bool:
    """Say whether a sentence opens with a word that stands for something named before it."""
    words = without_link(sentence)
    return _REFERENCE.match(words) is not None and _NO_REFERENCE.match(words) is None


def capital(sentence: str) -> str:
    """Return the sentence with a capital first letter; a word with its own capitals (iPhone) stays as it is."""
    first = sentence.split(" ", 1)[0]
    return sentence[0].upper() + sentence[1:] if first.isascii() and first.islower() else sentence
