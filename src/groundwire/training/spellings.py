"""The same figure written otherwise: £400 million, £400m, £400million; 9 a.m., 9am, 09:00; March 5, 1990 and 5 March 1990.

A model that was never shown that these are one thing takes another spelling for another figure. Applied to claims of both
classes alike, and to evidence.

Left out: rewording (`rewrite`), and everything that changes what is said (`corrupt`, `restate`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from groundwire.training.lexicon import MONTHS, NUMBER_WORDS, TENS
from groundwire.training.sample import Marked

Spell = Callable[[re.Match[str]], Sequence[str]]
"""Gives every spelling of what was matched."""

NUMBER = r"\d++(?:,\d{3}(?!\d))*+(?:\.\d++)?+"
CURRENCIES = {"$": ("dollars", "US$"), "€": ("euros", "EUR "), "£": ("pounds", "GBP ")}
SCALES = {
    "thousand": ("thousand", "k"),
    "million": ("million", "m", "mn"),
    "billion": ("billion", "bn"),
    "trillion": ("trillion", "tn"),
}
UNITS = (
    ("kilometres", "kilometers", "km"),
    ("metres", "meters"),
    ("centimetres", "centimeters", "cm"),
    ("millimetres", "millimeters", "mm"),
    ("kilograms", "kilogrammes", "kilos", "kg"),
    ("grams", "grammes"),
    ("litres", "liters"),
    ("tonnes", "metric tons"),
    ("miles per hour", "miles an hour", "mph"),
    ("kilometres per hour", "kilometers per hour", "km/h", "kph"),
    ("hours", "hrs"),
    ("minutes", "mins", "min"),
    ("percent", "per cent", "%"),
    ("degrees Celsius", "°C", "degrees C"),
    ("square metres", "square meters", "m²", "sq m"),
    ("square kilometres", "square kilometers", "km²", "sq km"),
    ("megabytes", "MB"),
    ("gigabytes", "GB"),
)
"""Spellings of one unit, plural; those that may stand for another (m, g, l) are left out."""
NAMES = (("the United States", "the U.S.", "the US"), ("the United Kingdom", "the U.K.", "the UK"))
TWELVE = 12
LEAST_GROUPED, MOST_DIGITS = 10_000, 12
"""Smaller numbers of four digits may be years; longer ones are of another kind."""
GLUED = 4
"""Letters of the longest unit that is written without a space before it."""


def spelled_otherwise(text: Marked, rng: Random, share: float = 0.7) -> Marked:
    """Write this share of the figures, dates, times and units of the text otherwise.

    What an edit has changed is respelled as a whole or not at all, so that its mark stays true.
    """
    for pattern, spell in RULES:
        for match in reversed(list(pattern.finditer(text.text))):
            start, end = match.span()
            inside = all(e <= start or s >= end or (s <= start and e >= end) for s, e in text.spans)
            others = [form for form in spell(match) if form != match.group()]
            if inside and others and rng.random() < share:
                text = text.splice(start, end, rng.choice(others))
    return text


def _money(match: re.Match[str]) -> Sequence[str]:
    sign, number, scale = match["sign"], match["number"], match["scale"]
    name, code = CURRENCIES[sign]
    if scale is None:
        return (f"{sign}{number}", f"{sign} {number}", f"{number} {name}", f"{code}{number}")
    long, *short = next(forms for forms in SCALES.values() if scale in forms)
    glued = [f"{sign}{number}{form}" for form in (long, *short)]
    return (f"{sign}{number} {long}", f"{sign} {number} {long}", f"{number} {long} {name}", *glued)


def _unit(forms: Sequence[str]) -> Spell:
    def spell(match: re.Match[str]) -> Sequence[str]:
        number = match["number"]
        if number == "1":
            return ()
        glued = (f"{number}{form}" for form in forms if len(form) <= GLUED)
        return (*(f"{number} {form}" for form in forms), *glued)

    return spell


def _clock(hour: int, minute: int) -> Sequence[str]:
    """The spellings of a time of day; none of noon and midnight, which have words of their own."""
    if not (0 <= minute < 60 and 0 < hour < 24) or hour == TWELVE:
        return ()
    small, half = hour % TWELVE, "am" if hour < TWELVE else "pm"
    dotted = f"{half[0]}.m."
    full = (
        f"{small}:{minute:02} {dotted}",
        f"{small}.{minute:02}{half}",
        f"{small}:{minute:02} {half}",
        f"{hour:02}:{minute:02}",
    )
    return full if minute else (*full, f"{small}{half}", f"{small} {half}", f"{small} {dotted}")


def _half_day(match: re.Match[str]) -> Sequence[str]:
    hour = int(match["hour"])
    if not 0 < hour < TWELVE:
        return ()
    forms = _clock(hour + (TWELVE if match["half"][0] in "pP" else 0), int(match["minute"] or 0))
    return _dotless_at_the_end(match, forms)


def _whole_day(match: re.Match[str]) -> Sequence[str]:
    return _dotless_at_the_end(match, _clock(int(match["hour"]), int(match["minute"])))


def _dotless_at_the_end(match: re.Match[str], forms: Sequence[str]) -> Sequence[str]:
    """The forms, none where the stop behind an abbreviation may be the sentence's too."""
    behind = match.string[match.end() :]
    if match.group().endswith(".") and (not behind.strip() or behind.lstrip()[:1].isupper()):
        return ()
    return [form for form in forms if not (form.endswith(".") and behind[:1] in ("", "."))]


def _date(match: re.Match[str]) -> Sequence[str]:
    month, day, year = match["month"], int(match["day"]), match["year"]
    at, short = MONTHS.index(month) + 1, month[:3]
    nth = f"{day}{_ordinal(day)}"
    if not 1 <= day <= 31:
        return ()
    if year is None:
        return (f"{month} {day}", f"{day} {month}", f"{month} {nth}", f"{short} {day}", f"{day} {short}")
    first = (f"{month} {day}, {year}", f"{month} {nth}, {year}", f"{short} {day}, {year}", f"{short}. {day}, {year}")
    return (
        *first,
        f"{day} {month} {year}",
        f"{nth} {month} {year}",
        f"{day} {short} {year}",
        f"{year}-{at:02}-{day:02}",
    )


def _ordinal(day: int) -> str:
    return "th" if day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def _words(match: re.Match[str]) -> Sequence[str]:
    before = match.string[: match.start()].split()
    date = before and before[-1][:3] in {month[:3] for month in MONTHS}
    return () if date else (NUMBER_WORDS[int(match.group()) - 1],)


def _digits(match: re.Match[str]) -> Sequence[str]:
    before = match.string[: match.start()].split()
    part = before and before[-1].lower().rpartition("-")[2] in PARTS_OF_NUMBERS
    return () if part else (str(NUMBER_WORDS.index(match.group()) + 1),)


def _grouped(match: re.Match[str]) -> Sequence[str]:
    digits = match.group().replace(",", "")
    fits = len(digits) <= MOST_DIGITS and digits[0] != "0" and ("," in match.group() or int(digits) >= LEAST_GROUPED)
    return (f"{int(digits):,}", digits) if fits else ()


def _scaled(match: re.Match[str]) -> Sequence[str]:
    number = match["number"].replace(",", "")
    zeros = {"thousand": 3, "million": 6, "billion": 9}[match["scale"]]
    whole, _, rest = number.partition(".")
    if len(rest) > zeros or len(whole) > zeros:
        return ()
    return (f"{int(whole + rest.ljust(zeros, '0')):,}", match.group())


def _age(match: re.Match[str]) -> Sequence[str]:
    number = match["number"]
    return (f"{number}-year-old", f"{number} year old", f"{number}-year old")


def _one_of(forms: Sequence[str]) -> tuple[re.Pattern[str], Spell]:
    pattern = re.compile("|".join(rf"\b{re.escape(form)}(?![\w$-])" for form in forms))
    return pattern, lambda match: _dotless_at_the_end(match, forms)


def _counted(forms: Sequence[str]) -> re.Pattern[str]:
    """A number with one of the spellings of a unit behind it, the longest that fits."""
    units = "|".join(map(re.escape, sorted(forms, key=len, reverse=True)))
    return re.compile(rf"{_APART}(?P<number>{NUMBER}) ?(?:{units})(?![\w²/]| (?:per|an) hour)")


_MONTH = "(?P<month>" + "|".join(MONTHS) + ")"
_SCALE = "|".join(sorted((form for forms in SCALES.values() for form in forms), key=len, reverse=True))
_SMALL_WORDS = "|".join(NUMBER_WORDS[1:20])
_FRACTIONS = "and|one|hundred|thousand|dozen|half|halves|thirds|quarters|fourths|fifths|sixths|eighths|tenths"
PARTS_OF_NUMBERS = frozenset([*NUMBER_WORDS, *TENS, "hundred", "thousand", "and"])
"""Words behind which a number word may be the rest of a number."""

_APART = r"(?<![\w.,:/$€£–—-])"
"""No digit of a longer figure, of a score, a date or a range stands before."""
_NO_RANGE = r"(?<!\bto )(?<!\band )(?<!\bor )(?<![:–—-] )"
_GOES_ON = (
    r"(?=[.,;:)](?!\d)|$| (?:and|at|in|to|the|a|an|he|she|it|they|after|before|when|with|for|was|were|until|by|on)\b)"
)
"""What follows a date; anything else may be what there are so many of: in March 20 people came."""

RULES: tuple[tuple[re.Pattern[str], Spell], ...] = (
    (re.compile(rf"\b{_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,? (?P<year>[12]\d{{3}}))?+{_GOES_ON}"), _date),
    (
        re.compile(
            rf"{_NO_RANGE}{_APART}(?P<day>\d{{1,2}})(?:st|nd|rd|th)? {_MONTH}(?: (?P<year>[12]\d{{3}}))?+{_GOES_ON}"
        ),
        _date,
    ),
    (
        re.compile(
            rf"{_NO_RANGE}{_APART}(?P<hour>\d{{1,2}})(?:[:.](?P<minute>\d{{2}}))? ?(?P<half>[ap]\.m\.|[ap]m|[AP]M)(?!\w)"
        ),
        _half_day,
    ),
    (
        re.compile(r"(?<=\b(?:at|by) )(?P<hour>0\d|1[3-9]|2[0-3]):(?P<minute>\d{2})(?![\w:]| ?[apAP]\.?[mM]\b)"),
        _whole_day,
    ),
    (
        re.compile(
            rf"(?<![\w$€£])(?P<sign>[$€£]) ?(?P<number>{NUMBER})(?: ?(?P<scale>{_SCALE}))?+(?![\w%]|[-–][\w$€£]|[.,]\d)"
        ),
        _money,
    ),
    *((_counted(forms), _unit(forms)) for forms in UNITS),
    (re.compile(rf"{_NO_RANGE}{_APART}(?P<number>{NUMBER}) (?P<scale>thousand|million|billion)(?= [a-z])"), _scaled),
    (re.compile(r"\b(?P<number>\d{1,2})-year[- ]old\b"), _age),
    (re.compile(rf"{_APART}(?:\d{{1,3}}(?:,\d{{3}}){{1,4}}+|\d{{5,7}}+)(?![\w,–—-]*\w|\.\d)"), _grouped),
    (re.compile(rf"{_APART}(?:[2-9]|1[0-9]|20)(?= (?![ap]\.?m\b)[a-z])"), _words),
    (re.compile(rf"(?<![\w-])(?:{_SMALL_WORDS})(?= (?!(?:{_SMALL_WORDS}|{_FRACTIONS})\b)[a-z])"), _digits),
    *(_one_of(forms) for forms in NAMES),
)
