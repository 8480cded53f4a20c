"""Reading: where the quantities of a text stand and what each one is worth, in one pass of one pattern.

Left out: month names of languages other than English, Roman numerals, digits that are part of a name (COVID-19, B12) or of
a run of more than 40.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace

from groundwire.quantities.joined import doubled, mixed
from groundwire.quantities.measures import RANGE, measured
from groundwire.quantities.quantity import Kind, Quantity
from groundwire.quantities.spelled import SCALES, WORDS, spelled

_SUFFIXES = {"k": 1e3, "m": 1e6, "mm": 1e6, "mn": 1e6, "mln": 1e6, "bn": 1e9, "b": 1e9, "tn": 1e12}
_VULGAR = {"½": 1 / 2, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 1 / 4, "¾": 3 / 4, "⅕": 1 / 5, "⅛": 1 / 8}
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?(?!\d)"
_YEAR = r"[12]\d{3}"
_SCALE = "hundred|thousand|million|billion|trillion"
_GAP = r"(?:[ \xa0]{1,2}|[ ]?\n[ ]?)"
_SCALED = rf"(?:(?:{_GAP}|-)?(?:{_SCALE})\b){{1,2}}|[ \xa0]?(?:k|mn|mln|bn|tn)\b|[mb]\b"
_OF_MONEY = r"[ \xa0]?(?:mm?|b)\b"
"""Scales behind a sum of money alone: 3 mm are millimetres."""
# Treebanks write £ as "# ". A smaller number behind it may be a place in a list, and one that begins a line is a heading.
_SUM = rf"\d{{1,3}},\d{{3}}|\d++(?:\.\d++)?(?:{_SCALED})"
# 4,50 € and €1.234,56: beside that sign alone a comma before one or two digits is sure to part decimals; 1'450 is Swiss.
_EURO = r"\d{1,3}(?:\.\d{3}){0,3}+,\d\d?(?!\d)"
_CONTINENTAL = (
    rf"(?:(?<=€)|(?<=€[ ])){_EURO}|{_EURO}(?=[ \xa0]?(?:€|eur\b|euros?\b))|\d{{1,3}}(?:['’]\d{{3}}){{1,4}}+(?![\d'’])"
)
_PERCENT = r"[ \xa0]?(?:%|٪|per[ ]?cent\b|percentage[ ]points?\b|pct\b)"

# Tried in this order where a word, number or sign begins, on text in small letters (a pattern that ignores case is several
# times slower, and so is one without the look-ahead before each group). Every repetition is bounded or possessive.
_PATTERN = rf"""(?:(?<!\w)|(?<=\dt)(?=\d\d:))(?:
    (?=\d)(?<![.,/-])(?:
        (?P<iso>{_YEAR}(?P<dash>[-/])(?:0[1-9]|1[0-2])(?P=dash)(?:0[1-9]|[12]\d|3[01]))(?!\d)
      | (?P<compact>(?<!\#)(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))(?![^\Wt]|t(?!\d)|[:-]|[.,/]\d)
      | (?P<slash>\d\d?(?P<sep>[/.-])\d\d?(?P=sep)(?:{_YEAR}|\d\d))(?![\w/-]|\.\d)
      | (?P<time>(?:[01]?\d|2[0-4])(?::[0-5]\d){{1,2}}(?:[ \xa0]?[ap]\.?m\b)?|1?\d(?:\.[0-5]\d)?[ \xa0]?[ap]\.?m\b)(?!:)
      | (?P<dmy>{_DAY}(?:[ \xa0](?:of[ ])?{_MONTH}\b(?:\.?,?[ \xa0]{_YEAR}\b)?
          |(?P<hyphen>[/-]){_MONTH}(?P=hyphen){_YEAR}(?![\w/-])))
      | (?P<fraction>[1-9]/(?:10|[2-9]))(?![\w/])
    )
  | (?=[\d.\#$€£¥₹₩−mn-])(?=\d|\.\d|\#[ ]\d|[$€£¥₹₩−-][ ]?[\d.$€£¥₹₩]|minus[ ][\d$€£]|negative[ ][\d$€£])
      (?<![^\W\d_]-)(?<!\d[.,])(?P<number>
      (?P<sign>(?<![.)\]/-])[-−]|(?<!\d[ ])minus[ ]
        |negative[ ](?=[$€£]|\d++(?:\.\d++)?{_PERCENT}))?
      (?:(?P<unit>[$€£¥₹₩])[ ]?|(?P<pounds>(?<=\S[ ])\#)[ ](?={_SUM}))?
      (?P<digits>{_CONTINENTAL}|\d{{1,3}}(?:,\d{{3}}){{1,9}}+(?:\.\d++)?
        |[1-9]\d{{0,2}}(?:[ \xa0\u202f]\d{{3}}){{1,9}}+(?![\d,.]?\d)
        |\d++(?:\.\d++)?|\.\d++))
      (?:(?P<ordinal>st|nd|rd|th)\b|(?P<decade>'?s)\b|[ ]?(?P<vulgar>[½⅓⅔¼¾⅕⅛])
        |(?P<scale>{_SCALED}|(?(unit){_OF_MONEY}|(?!))))?
      (?P<percent>{_PERCENT})?
  | (?=[adfjmnos])(?P<mdy>{_MONTH}\b\.?[ \xa0]{{1,2}}(?:{_DAY}(?![\w%]|[.,:]\d)(?:(?:,[ \xa0]?|[ \xa0]){_YEAR}\b)?|{_YEAR}\b))
  | (?=[bdefhmnoqstz])(?P<words>(?:half[ ]a[ ](?={_SCALE}|dozen))?(?:{WORDS})\b
      (?:(?:{_GAP}and{_GAP}(?:a[ ](?=half))?|-|{_GAP})(?:{WORDS})\b)*+)(?P<words_percent>{_PERCENT})?
  | (?P<alone>[½⅓⅔¼¾⅕⅛]%s)
    )"""
_ACCOUNT = rf"|(?=[($€£])(?:[$€£]\(|\([$€£])\d[\d,]{{0,19}}(?:\.\d{{1,9}})?\)(?:{_SCALED}|{_OF_MONEY})"
_QUANTITY = re.compile(_PATTERN.replace("%s", ""), re.VERBOSE)
_IN_ACCOUNTS = re.compile(_PATTERN.replace("%s", _ACCOUNT), re.VERBOSE)
"""Where there are such brackets: the one alternative more takes time at every word."""
_BRACKETS = ("$(", "€(", "£(", "($", "(€", "(£")
_ZONE = re.compile(r"[ ](?:[a-z]{3,5}[ ])?")
_YEARLESS = 1232
"""A date below this has no year."""
_HALVES = re.compile(r"\d[ \xa0]?[ap]\.?m\b|\b(?:afternoon|evening|night)\b")
_NO_SEPARATORS = str.maketrans("", "", ", \xa0\u202f'’")
_COMMA = re.compile(r"[\d.]+,\d\d?")
"""A number whose comma parts its decimals."""
_TURNED = str.maketrans({",": ".", ".": ""})
_AROUND = ("sign", "unit", "ordinal", "decade", "vulgar", "scale", "percent")
_LONGEST = 40  # digits


def quantities(text: str) -> list[Quantity]:
    """Return the quantities of `text` in order, disjoint. In a range (20 to 40 percent) both ends share the unit."""
    found: list[Quantity] = []
    written, text = (
        text,
        text.replace("İ", "i").lower(),
    )  # the one letter that is longer in small: offsets must not move
    pattern = _IN_ACCOUNTS if any(bracket in text for bracket in _BRACKETS) else _QUANTITY
    for match in pattern.finditer(text):
        for quantity in _read(match):
            if found and quantity.start - found[-1].end < 8 and RANGE.fullmatch(text, found[-1].end, quantity.start):
                found[-1] = _shared(found[-1], quantity, _scale(match["scale"]))
            joins = doubled if text.startswith(")", quantity.end) else mixed if quantity.kind == "fraction" else None
            if joins and found and (one := joins(text, found[-1], quantity)):
                found[-1] = one
            else:
                found.append(quantity)
    return measured(written, _of_one_clock(text, _stamped(text, _regrouped(text, found))))


def _of_one_clock(text: str, found: list[Quantity]) -> list[Quantity]:
    """Leave the times of a text whose clock has 24 hours (06:00 to 22:00) the half of the day in which they stand."""
    late = any(one.kind == "time" and one.value >= 13 * 60 and "m" not in text[one.start : one.end] for one in found)
    if not late or _HALVES.search(text):
        return found
    return [replace(one, also=()) if one.kind == "time" else one for one in found]


def _stamped(text: str, found: list[Quantity]) -> list[Quantity]:
    """Give the date of `Tue Feb 6 14:22:10 2024` the year that stands behind the time."""
    for i, day in enumerate(found[:-2]):
        if day.kind == "date" and day.value < _YEARLESS:
            time, year = found[i + 1 : i + 3]
            joined = text[day.end : time.start] == " " and _ZONE.fullmatch(text, time.end, year.start)
            if time.kind == "time" and year.kind == "year" and joined:
                found[i] = replace(day, value=10000 * year.value + day.value)
    return found


def _regrouped(text: str, found: list[Quantity]) -> list[Quantity]:
    """Give the first of `53, 193, 914` the reading 53,193,914 as well: tokenised text parts the groups of a number."""
    for i in range(len(found) - 2, -1, -1):
        head, tail = found[i], found[i + 1]
        if head.kind == "number" and head.value < 1000 and _is_group(text, head.end, tail.start):
            readings = (tail.value, *tail.also)  # of one, two, ... groups, since the last was read first
            joined = (head.value * 1000**n + value for n, value in enumerate(readings, 1))
            found[i] = replace(head, also=(*head.also, *joined))
    return found


def _is_group(text: str, end: int, start: int) -> bool:
    """Say whether exactly three digits stand at `start`, one comma and space after `end`."""
    digits = text[start : start + 4]
    return text[end:start] == ", " and len(digits) >= 3 and digits[:3].isdecimal() and not digits[3:].isdecimal()


def _shared(first: Quantity, last: Quantity, scale: float) -> Quantity:
    """Return the first end of a range with what is only said at its last: `20 to 40 percent`, `$5-6 million`."""
    if first.kind != "number":
        return first
    also = (*first.also, first.value * scale) if scale > 1 and first.value < scale else first.also
    return replace(
        first, kind=last.kind if last.kind == "percent" else "number", also=also, unit=first.unit or last.unit
    )


def _read(match: re.Match[str]) -> list[Quantity]:
    if match["number"]:
        return _number(match)
    start, end = match.span()
    if match["words"]:
        found = spelled(match["words"], start)
        if match["words_percent"]:
            found[-1] = replace(found[-1], kind="percent", end=end, weak=False)
        return found
    if match["mdy"] or match["dmy"]:
        return [_date(match[0], start, end)]
    if match["iso"]:
        return [Quantity(kind="date", value=float("".join(match[0].split(match["dash"]))), start=start, end=end)]
    if match["compact"]:
        return [_compact(match[0], start, end)]
    if match["slash"]:
        return _numeric_date(match)
    if match["time"]:
        return [_time(match[0], start, end)]
    if match["alone"]:
        if match[0] not in _VULGAR:
            return _account(match)
        return [Quantity(kind="fraction", value=_VULGAR[match[0]], start=start, end=end)]
    over, under = match["fraction"].split("/")
    return [Quantity(kind="fraction", value=int(over) / int(under), start=start, end=end)]


def _number(match: re.Match[str]) -> list[Quantity]:
    start, end = match.span()
    digits = match["digits"]
    if len(digits) > _LONGEST:
        return []
    if end - start == len(digits) < 4 and digits.isdecimal():  # the commonest case, with nothing around the digits
        return [Quantity(kind="number", value=float(digits), start=start, end=end, step=1.0, weak=_is_marker(match))]
    sign, unit, ordinal, decade, vulgar, suffix, percent = match.group(*_AROUND)
    unit = "£" if match["pounds"] else unit
    plain, scale = digits.translate(_TURNED if _COMMA.fullmatch(digits) else _NO_SEPARATORS), _scale(suffix)
    value, step = float(plain), _step(plain, scale > 1)
    if vulgar:
        value, step = value + _VULGAR[vulgar], 0.0
    kind: Kind = "number"
    if percent:
        kind = "percent"
    elif ordinal:
        kind, step = "ordinal", 0.0
    elif len(digits) == 4 and 1000 <= value < 2200 and scale == 1 and not sign and not unit:
        kind, step = ("decade" if decade else "year"), 0.0
    return [
        Quantity(
            kind=kind,
            value=(-value if sign else value) * scale,
            start=start,
            end=end,
            also=(value,) if suffix in ("m", "b") and not unit else (),  # 5m may be metres
            unit=unit or "",
            step=step * scale,
            weak=kind == "number" and _is_marker(match),
        )
    ]


def _account(match: re.Match[str]) -> list[Quantity]:
    """Read `$(4.5) million` and `($4.5) million`, which are below nothing: no aside is parted from its scale."""
    start, end = match.span()
    unit = match[0][match[0][0] == "("]
    inside, _, suffix = match[0].replace(unit, "").lstrip("(").partition(")")
    plain = inside.translate(_NO_SEPARATORS)
    scale = _scale(suffix)
    return [
        Quantity(
            kind="number",
            value=-float(plain) * scale,
            start=start,
            end=end,
            unit=unit,
            step=_step(plain, scaled=True) * scale,
        )
    ]


def _scale(words: str | None) -> float:
    if not words:
        return 1.0
    return math.prod(SCALES.get(word) or _SUFFIXES[word] for word in words.replace("-", " ").split())


def _step(plain: str, scaled: bool) -> float:
    """Return what the last digit that counts stands for: in 1,500 it is the hundreds, in 30 or 1.5 the one written last."""
    whole, _, decimals = plain.partition(".")
    if decimals:
        return float(10.0 ** -len(decimals))
    if scaled or len(whole) < 4:
        return 1.0
    return float(10.0 ** min(len(whole) - len(whole.rstrip("0")), len(whole) - 2))


def _is_marker(match: re.Match[str]) -> bool:
    """True for the `2.` or `2)` that begins a list item and for the number of a reference, `[2]`."""
    text, start, end = match.string, match.start(), match.end()
    if text[start - 1 : start] == "[":
        return text[end : end + 1] == "]"
    if end - start > 3 or text[end : end + 1] not in (".", ")") or text[end + 1 : end + 2] not in (" ", "\t"):
        return False
    before = text[max(0, start - 8) : start]
    return (start <= 8 or "\n" in before) and not before.rpartition("\n")[2].strip(" \t(*#")


def _date(text: str, start: int, end: int) -> Quantity:
    """Read a date with a month's name: `12 May 2015`, `May 12`, `May 2015`."""
    year = day = month = 0
    for part in re.findall(r"\d+|[a-z]+", text):
        if part.isdecimal():
            year, day = (int(part), day) if len(part) == 4 else (year, int(part))
        elif part[:3] in _MONTHS:
            month = _MONTHS.index(part[:3]) + 1
    return Quantity(kind="date", value=float(10000 * year + 100 * month + day), start=start, end=end)


def _compact(digits: str, start: int, end: int) -> Quantity:
    """Read `20240206`, a number where no calendar has that day."""
    year, month, day = int(digits[:4]), int(digits[4:6]), int(digits[6:])
    last = 30 if month in (4, 6, 9, 11) else 31 if month != 2 else 28 if year % 4 or year == 1900 else 29
    kind: Kind = "date" if day <= last else "number"
    return Quantity(kind=kind, value=float(digits), start=start, end=end, step=0.0 if kind == "date" else 1.0)


def _numeric_date(match: re.Match[str]) -> list[Quantity]:
    """Read `12/05/2015`, day first or month first; two digits of a year only after a slash."""
    first, second, last = match["slash"].split(match["sep"])
    if len(last) == 2 and match["sep"] != "/":
        return []
    year = int(last) if len(last) == 4 else int(last) + (2000 if int(last) < 50 else 1900)
    days = ((int(first), int(second)), (int(second), int(first)))
    values = [float(10000 * year + 100 * month + day) for day, month in days if 0 < day < 32 and 0 < month < 13]
    if not values:
        return []
    return [Quantity(kind="date", value=values[0], start=match.start(), end=match.end(), also=tuple(values[1:]))]


def _time(text: str, start: int, end: int) -> Quantity:
    """Read a time of the day; without a.m. or p.m. an hour up to 12 may be either."""
    hour, *rest = (int(n) for n in re.findall(r"\d+", text))
    minutes = sum(n / 60**i for i, n in enumerate(rest))
    if "m" in text:
        hour = hour % 12 + (12 if "p" in text else 0)
    value = hour * 60 + minutes
    also = (value % 720 + 720 if value < 720 else value - 720,) if "m" not in text and hour <= 12 else ()
    return Quantity(kind="time", value=value, start=start, end=end, also=also)
