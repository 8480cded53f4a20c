"""The same figure written otherwise: £400 million, £400m, £400million; 9 a.m., 9am, 09:00; March 5, 1990 and 5 March 1990.

A model that was never shown that these are one thing takes another spelling for another figure. Applied to claims of both
classes alike, and to evidence.

Left out: rewording (`rewrite`), and everything that changes what is said (`corrupt`, `restate`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from groundwire.training.lexicon import MONTHS, NUMBER_WORDS
from groundwire.training.sample import Marked

Spell = Callable[[re.Match[str]], Sequence[str]]
"""Gives every spelling of what was matched."""

NUMBER = r"\d[\d,]*(?:\.\d+)?"
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
ABOUT = ("about", "around", "approximately", "roughly")
NAMES = (("the United States", "the U.S.", "the US"), ("the United Kingdom", "the U.K.", "the UK"))
TWELVE = 12
LEAST_GROUPED = 10_000
"""Smaller numbers of four digits may be years."""


def respelled(text: Marked, rng: Random, share: float = 0.7) -> Marked:
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
        glued = (f"{number}{form}" for form in forms if len(form.split()[0]) < len("word"))
        return (*(f"{number} {form}" for form in forms), *glued)

    return spell


def _clock(hour: int, minute: int) -> Sequence[str]:
    """A time of day, midnight and noon left as they are."""
    if not (0 <= minute < 60 and 0 < hour < 24) or hour == TWELVE:
        return ()
    small, half = hour % TWELVE, "am" if hour < TWELVE else "pm"
    dotted = f"{half[0]}.m."
    long = [f"{small}:{minute:02} {dotted}", f"{small}.{minute:02}{half}", f"{small}:{minute:02} {half}"]
    return (
        *long,
        f"{hour:02}:{minute:02}",
        *([f"{small}{half}", f"{small} {half}", f"{small} {dotted}"] if not minute else []),
    )


def _half_day(match: re.Match[str]) -> Sequence[str]:
    hour = int(match["hour"])
    if not 0 < hour < TWELVE:
        return ()
    return _clock(hour + (TWELVE if match["half"][0] in "pP" else 0), int(match["minute"] or 0))


def _whole_day(match: re.Match[str]) -> Sequence[str]:
    return _clock(int(match["hour"]), int(match["minute"]))


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
    return (NUMBER_WORDS[int(match.group()) - 1],)


def _digits(match: re.Match[str]) -> Sequence[str]:
    return (str(NUMBER_WORDS.index(match.group()) + 1),)


def _grouped(match: re.Match[str]) -> Sequence[str]:
    value = int(match.group().replace(",", ""))
    return (f"{value:,}", str(value)) if value >= LEAST_GROUPED or "," in match.group() else ()


def _scaled(match: re.Match[str]) -> Sequence[str]:
    factor = {"thousand": 10**3, "million": 10**6, "billion": 10**9}[match["scale"]]
    value = round(float(match["number"].replace(",", "")) * factor)
    return (f"{value:,}", match.group())


def _age(match: re.Match[str]) -> Sequence[str]:
    number = match["number"]
    return (f"{number}-year-old", f"{number} year old", f"{number}-year old")


def _one_of(forms: Sequence[str]) -> tuple[re.Pattern[str], Spell]:
    return re.compile("|".join(rf"\b{re.escape(form)}(?!\w)" for form in forms)), lambda _: forms


def _counted(forms: Sequence[str]) -> re.Pattern[str]:
    """A number with one of the spellings of a unit behind it, the longest that fits."""
    units = "|".join(map(re.escape, sorted(forms, key=len, reverse=True)))
    return re.compile(rf"(?<![\w.,$€£-])(?P<number>{NUMBER}) ?(?:{units})(?![\w²/]| (?:per|an) hour)")


_MONTH = "(?P<month>" + "|".join(MONTHS) + ")"
_YEAR = r"(?:,? (?P<year>[12]\d{3})\b)?"
_SCALE = "|".join(sorted((form for forms in SCALES.values() for form in forms), key=len, reverse=True))
_SMALL_WORDS = "|".join(NUMBER_WORDS[1:20])

RULES: tuple[tuple[re.Pattern[str], Spell], ...] = (
    (re.compile(rf"\b{_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?![.:]\d){_YEAR}"), _date),
    (re.compile(rf"(?<![\d.,])(?P<day>\d{{1,2}})(?:st|nd|rd|th)? {_MONTH}\b{_YEAR}"), _date),
    (
        re.compile(r"\b(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))? ?(?P<half>a\.m\.|p\.m\.|[ap]m|[AP]M)(?!\w)"),
        _half_day,
    ),
    (re.compile(r"(?<=\b(?:at|by) )(?P<hour>\d{1,2})[:.](?P<minute>\d{2})\b(?! ?[ap]\.?m|[:.]\d)"), _whole_day),
    (re.compile(rf"(?P<sign>[$€£]) ?(?P<number>{NUMBER})(?: ?(?P<scale>{_SCALE}))?(?![\w%])"), _money),
    *((_counted(forms), _unit(forms)) for forms in UNITS),
    (re.compile(rf"(?<![\w.,$€£-])(?P<number>{NUMBER}) (?P<scale>thousand|million|billion)\b(?= [a-z])"), _scaled),
    (re.compile(r"\b(?P<number>\d{1,2})-year[- ]old\b"), _age),
    (re.compile(r"(?<![\w.,$€£-])\d{1,3}(?:,\d{3})+(?![\d,]*\w|\.\d)|(?<![\w.,$€£-])\d{5,9}(?![\w,.]*\d)"), _grouped),
    (re.compile(r"(?<![\w.,$£€-])(?:[2-9]|1[0-9]|20)(?= (?![ap]\.?m\b)[a-z])"), _words),
    (re.compile(rf"(?<![\w-])(?:{_SMALL_WORDS})(?= [a-z])"), _digits),
    *(_one_of(forms) for forms in NAMES),
    (re.compile(rf"\b(?:{'|'.join(ABOUT)})(?= [$€£]?\d)"), lambda _: ABOUT),
)
