"""Units: what a word behind a number measures, and how much of the base unit one of it is. Only exact factors.

A month has no fixed number of days, so it is given a length that no number of days comes to: months and years agree among
themselves, and differ from any days. 1 MB is 1,000,000 bytes to some and 1,048,576 to others: it has both factors.

Left out: units of other systems (miles, °F, ounces), money, and what only rounds to another (a quarter is three months of
some year).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit: what it measures, and what one of it is in the base unit; several factors where people differ."""

    dimension: str
    factors: tuple[float, ...]


_MONTH = 2.0**0.5 * 1.9e6
"""Seconds, about."""
_TIMES = (
    (1e-9, "ns", "nanosecond nanoseconds"),
    (1e-6, "µs μs", "us usec microsecond microseconds"),
    (1e-3, "ms", "msec msecs millis millisecond milliseconds"),
    (1.0, "s", "sec secs second seconds"),
    (60.0, "", "min mins minute minutes"),
    (3600.0, "h", "hr hrs hour hours"),
    (86400.0, "", "day days"),
    (604800.0, "", "wk wks week weeks"),
    (_MONTH, "", "month months"),
    (12 * _MONTH, "", "yr yrs year years"),
)
_PREFIXES = {
    "n": ("nano", 1e-9),
    "µ": ("micro", 1e-6),
    "μ": ("micro", 1e-6),
    "m": ("milli", 1e-3),
    "c": ("centi", 1e-2),
    "d": ("deci", 1e-1),
    "": ("", 1.0),
    "k": ("kilo", 1e3),
    "M": ("mega", 1e6),
    "G": ("giga", 1e9),
    "T": ("tera", 1e12),
}
_SI = (
    ("metre", "m", "nµμmcdk", "metre metres meter meters"),
    ("gram", "g", "µμmk", "gram grams gramme grammes"),
    ("litre", "l L", "µμmcd", "litre litres liter liters"),
    ("watt", "W", "mkMGT", "watt watts"),
    ("watt hour", "Wh", "kMGT", "watt-hour"),
    ("hertz", "Hz", "kMGT", "hertz"),
    ("volt", "V", "µμmk", "volt volts"),
)
"""Dimension, symbols, the prefixes that are in use, words."""
_ANY_CASE = {"KM", "Km", "KG", "Kg", "CM", "Cm", "KW", "Kw", "kw", "KWH", "KWh", "kwh", "khz", "KHz", "mhz", "ghz"}
"""Spellings of symbols in other letters that leave no doubt: mW and MW, ms and MS do."""


def _times() -> Iterator[tuple[str, Unit]]:
    for seconds, symbols, words in _TIMES:
        for name in (*symbols.split(), *words.split()):
            yield name, Unit("time", (seconds,))


def _si() -> Iterator[tuple[str, Unit]]:
    for dimension, symbols, prefixes, words in _SI:
        for prefix in ("", *prefixes):
            long, factor = _PREFIXES[prefix]
            unit = Unit(dimension, (factor,))
            yield from ((prefix + symbol, unit) for symbol in symbols.split())
            yield from ((long + word, unit) for word in words.split())
    yield from ((name, Unit("gram", (1e-6,))) for name in ("mcg", "ug"))
    yield from ((name, Unit("gram", (1e3,))) for name in ("kilo", "kilos"))
    yield from ((name, Unit("gram", (1e6,))) for name in ("tonne", "tonnes"))


def _data() -> Iterator[tuple[str, Unit]]:
    """Yield bytes and bits: Mb is a megabit to whoever is careful, and a megabyte to whoever writes mb."""
    for n, (letter, long) in enumerate(zip(("", *"kMGTP"), ("", "kilo", "mega", "giga", "tera", "peta"), strict=True)):
        byte, bit = tuple(dict.fromkeys((8.0 * 1000**n, 8.0 * 1024**n))), (1000.0**n,)
        yield from ((name, Unit("data", byte)) for name in (f"{letter}B", f"{long}byte", f"{long}bytes"))
        yield from (
            (name, Unit("data", bit)) for name in (f"{letter}bit", f"{letter}bits", f"{long}bit", f"{long}bits")
        )
        if n:
            yield from ((name, Unit("data", (*byte, *bit))) for name in (f"{letter}b", f"{letter.lower()}b"))
            yield f"{letter.upper()}iB", Unit("data", (8.0 * 1024**n,))
            yield f"{letter}bps", Unit("data a second", bit)
    yield "KB", Unit("data", (8e3, 8192.0))


def _spelled(units: Iterable[tuple[str, Unit]]) -> Mapping[str, Unit]:
    """Add to the units as they are written: words of more than two letters in capitals, and symbols that leave no doubt."""
    named = dict(units)
    plain = {name.lower(): unit for name, unit in named.items()}
    for name in [*named]:
        if len(name) > 2 and name.islower() and not name.endswith("bps"):
            named.setdefault(name.upper(), named[name])
            named.setdefault(name.capitalize(), named[name])
    named.update({name: plain[name.lower()] for name in _ANY_CASE})
    return named


UNITS = _spelled([*_times(), *_si(), *_data()])
"""Every spelling of a unit, and the unit."""
