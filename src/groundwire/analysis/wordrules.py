"""The word rules as patterns: Lucene's StandardTokenizer, which is Unicode's UAX #29 with emoji, in linear time.

A token is, at each place, the longest of these; what begins none of them is passed over.

- Letters and digits side by side and the connectors (`_`) among them; a letter joins the next across one of ' . : and
  their like, a digit the next across one of ' . , ; and their like. Hebrew letters keep a ' after them and join across
  one ". Katakana join Katakana, and others only across a connector. Connectors alone are no token.
- A run of a script without spaces (Thai, Lao, Burmese, Khmer); one Han or Hiragana character.
- An emoji with its skin tone, selector, joined emoji or tags; two regional indicators; a keycap.

Every character brings the marks, joiners and format characters that stand behind it. All repeats are possessive and every
run that can come to nothing is itself matched by the last alternative, so nothing is scanned more than a few times;
`nothing` tells these runs from tokens, `awkward` the texts where this does not hold.

Left out: token types; the limit of 255 (`groundwire.analysis.standard`).

Source: UAX #29, sections 4.1 and 6.2; UTS #51, section 1.4.9; the grammar published with Lucene 9, for where it departs
from them.
"""

from __future__ import annotations

import re
from functools import cache

from groundwire.analysis import wordbreak as wb

ASCII = re.compile(
    r"\w++(?:[':.,;]\b(?:(?<=[A-Za-z][':.])[A-Za-z]|(?<=[0-9]['.,;])[0-9])\w*+)*+",
    re.ASCII,
)
"""The words of ASCII text; runs of `_` alone come too."""

_SELECTORS = "fe0e-fe0f"
_JOINER = r"\u200d"
_COLOUR = r"\ufe0f"
"""The selector that asks for an emoji's coloured form."""

_KEYCAP = r"\u20e3"
_TAGS = r"[\U000e0020-\U000e007e]++\U000e007f"


_BEGINNING = wb.characters(wb.UNSPACED, wb.SKIN) + _JOINER
"""Marks that may begin a token are among these."""


def _one_of(ranges: str) -> str:
    return f"[{ranges}]" if ranges else "(?!)"


@cache
def simple() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what no text for the second pattern may hold, and the pattern that finds the words of all other texts.

    Such texts have no marks, joiners, Hebrew, Katakana, scripts without spaces or characters beyond the first plane:
    most of what is written with dashes, curly quotes, accents, Greek, Cyrillic, Chinese or Korean.
    """
    hard = wb.characters(wb.EXTENDER, _SELECTORS, wb.HEBREW, wb.KATAKANA, wb.UNSPACED, plane=0)
    letter, digit, connector = (wb.characters(r, plane=0) for r in (wb.LETTER, wb.DIGIT, wb.CONNECTOR))
    in_letters, in_digits = wb.characters(wb.INSIDE_LETTERS), wb.characters(wb.INSIDE_DIGITS)
    some = f"[{letter}{digit}{connector}]"
    across = (
        f"[{in_letters}{in_digits}](?:(?<=[{letter}][{in_letters}])[{letter}]|(?<=[{digit}][{in_digits}])[{digit}])"
    )
    alone = wb.characters(wb.HAN, wb.HIRAGANA, wb.PICTURE, plane=0)
    return (
        re.compile(rf"[{hard}\U00010000-\U0010ffff]"),
        re.compile(f"{some}++(?:{across}{some}*+)*+|[{alone}]"),
    )


@cache
def any_text(plane: int | None) -> re.Pattern[str]:
    """Return the pattern that finds the words of any text; with `plane` 0 of any without characters beyond the first."""
    marks = _marks(plane)
    connector = f"(?:{_class(wb.CONNECTOR, plane)}{marks})"
    segment = _segment(plane)
    return re.compile(
        f"{_picture_letters(plane)}"
        f"|{connector}*+{segment}(?:{connector}++(?:{segment})?+)*+"
        f"|{_class(wb.HAN, plane)}{marks}|{_class(wb.HIRAGANA, plane)}{marks}"
        f"|(?:{_class(wb.UNSPACED, plane)}{marks})++"
        f"|{_pictures(plane)}"
        f"|{_class(wb.FLAG, plane)}{marks}{_class(wb.FLAG, plane)}{marks}"
        f"|{_keycap(plane)}"
        f"|{_nothing(plane)}"
    )


@cache
def awkward() -> re.Pattern[str]:
    """Return the pattern of connectors whose marks can begin a token of their own.

    Where they lead to no word every place in the run has to be tried, which `any_text` would do in quadratic time.
    """
    return re.compile(f"{_class(wb.CONNECTOR, None)}(?:{_idle(None)})*+[{_BEGINNING}]")


@cache
def nothing() -> re.Pattern[str]:
    """Return the pattern of the runs that are found with the words and are no tokens: connectors or joiners alone."""
    return re.compile(_nothing(None))


@cache
def connectors() -> re.Pattern[str]:
    """Return the pattern of a run of connectors with all their marks, as it may stand before a word."""
    return re.compile(f"(?:{_class(wb.CONNECTOR, None)}{_marks(None)})++")


@cache
def starts() -> re.Pattern[str]:
    """Return the pattern of the characters that a token can begin with."""
    words = (wb.LETTER, wb.HEBREW, wb.DIGIT, wb.KATAKANA, wb.CONNECTOR, wb.HAN, wb.HIRAGANA, wb.UNSPACED)
    return re.compile(f"[{wb.characters(*words, wb.PICTURE, wb.PICTURE_LETTER, wb.SKIN, wb.FLAG)}#*{_JOINER}]")


def _class(ranges: str, plane: int | None) -> str:
    return _one_of(wb.characters(ranges, plane=plane))


def _idle(plane: int | None) -> str:
    """Return the pattern of a mark that can begin no token."""
    return f"(?![{_BEGINNING}])[{wb.characters(wb.EXTENDER, _SELECTORS, plane=plane)}]"


def _nothing(plane: int | None) -> str:
    """Return the pattern of runs of connectors with such marks as can begin no token, and of runs of joiners."""
    connector = _class(wb.CONNECTOR, plane)
    return f"{connector}++(?:(?:{_idle(plane)})*+{connector}++)*+|{_JOINER}++"


def _marks(plane: int | None) -> str:
    return f"[{wb.characters(wb.EXTENDER, _SELECTORS, plane=plane)}]*+"


def _segment(plane: int | None) -> str:
    """Return the pattern of what stands between connectors: Katakana, or letters and digits."""
    marks = _marks(plane)
    letter, hebrew, digit = (_class(ranges, plane) for ranges in (wb.LETTER, wb.HEBREW, wb.DIGIT))
    either = _one_of(wb.characters(wb.LETTER, wb.HEBREW, plane=plane))
    in_letters, in_digits = _class(wb.INSIDE_LETTERS, plane), _class(wb.INSIDE_DIGITS, plane)
    across = f"(?:{in_letters}{marks}{either}{marks})*+"
    parts = (
        f"(?:{letter}++{marks})++{across}",
        f"(?:{digit}++{marks})++(?:{in_digits}{marks}(?:{digit}++{marks})++)*+",
        f"{hebrew}{marks}(?:'{marks}|\"{marks}{hebrew}{marks}|{across})",
    )
    return f"(?:(?:{'|'.join(parts)})++|(?:{_class(wb.KATAKANA, plane)}++{marks})++)"


def _drawn(plane: int | None) -> str:
    """Return the marks that belong to a picture; the selectors have their own place behind them."""
    return f"[{wb.characters(wb.EXTENDER, plane=plane)}]*+"


def _joined(plane: int | None) -> tuple[str, str]:
    """Return the patterns of a picture with its selector, and of the selector and joiners before another picture."""
    drawn = _drawn(plane)
    picture = _one_of(wb.characters(wb.PICTURE, wb.PICTURE_LETTER, plane=plane))
    to_next = f"{_COLOUR}(?={_JOINER}++{picture}|{_JOINER}{_class(wb.SKIN, plane)}){_JOINER}++"
    return f"{picture}{drawn}(?:{to_next}|{_COLOUR})?+", to_next


def _pictures(plane: int | None) -> str:
    """Return the pattern of emoji sequences that do not begin with a letter."""
    picture, _ = _joined(plane)
    skin = f"{_class(wb.SKIN, plane)}{_drawn(plane)}"
    return f"(?:{_JOINER}*+{picture}|{skin})(?:(?:(?<={_JOINER})(?:{skin}|{picture}))++|(?<={_COLOUR}){_TAGS})?+"


def _picture_letters(plane: int | None) -> str:
    """Return the pattern of emoji sequences that begin with letters and go on with emoji that are none.

    These are longer than the word that begins at the same letter; all others are not.
    """
    picture, to_next = _joined(plane)
    skin = f"{_class(wb.SKIN, plane)}{_drawn(plane)}"
    letter = _class(wb.PICTURE_LETTER, plane)
    letters = f"(?:{letter}{_drawn(plane)}(?:{to_next}|(?<={_JOINER})))++"
    return f"{letters}(?:{skin}|(?!{letter}){picture})(?:(?<={_JOINER})(?:{skin}|{picture}))*+"


def _keycap(plane: int | None) -> str:
    """Return the pattern of keycaps on # and *; those on digits are words with marks."""
    drawn = _drawn(plane)
    return f"[#*](?:{drawn}{_COLOUR}{_KEYCAP}{drawn}|(?:(?!{_KEYCAP}){drawn[:-2]})*+{_KEYCAP}{drawn})"
