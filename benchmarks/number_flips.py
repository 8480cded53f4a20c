"""Numbers in running text, and how one of them is changed into another; nothing here is shared with training or judging.

Kinds: a year, a percentage or an amount of money, a decimal, another whole number, a number word. Changes: near (the
second digit that counts, or the last decimal, by one to three), far (a half, double to tenfold), transposed (two digits
trade places), other (another number of the same kind from the evidence), shifted (a year by one to thirty).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

KINDS = ("integer", "decimal", "year", "percent or money", "number word")

SMALL = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
FIGURE = re.compile(
    r"(?<![\w.,/:#\[–-])(?P<unit>[$£€] ?)?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?![\w/:\]–-]|[.,]\d)(?P<percent> ?%| per ?cent\b)?"
)
WORD = re.compile(rf"(?<![\w-])(?:{'|'.join(SMALL + TENS)})(?![\w-])")
PROSE = re.compile(r"[A-Z\"“][^\n|]{30,300}[.!][\"”]?")
NOISE = re.compile(r"https?:|www\.|[{}<>|_=@]|\.\.|…|  |[a-z]\.\w|[Ââ]")
YEARS = range(1500, 2030)


@dataclass(frozen=True)
class Number:
    """A number as it is written, without its unit, and where it stands."""

    text: str
    kind: str
    start: int
    end: int


def is_prose(sentence: str) -> bool:
    """Say whether this is one whole sentence of words: eight to forty, mostly letters."""
    letters = sum(c.isalpha() or c == " " for c in sentence)
    words = len(sentence.split())
    whole = PROSE.fullmatch(sentence) and not NOISE.search(sentence) and sentence.count("(") == sentence.count(")")
    return bool(whole) and 8 <= words <= 40 and letters >= 0.8 * len(sentence)


def numbers(text: str) -> list[Number]:
    """Return the numbers of a text in order; not those inside names, ranges, dates in digits, versions or times."""
    found = [Number(m["digits"], _kind(m), *m.span("digits")) for m in FIGURE.finditer(text) if value(m["digits"])]
    found += [Number(m.group(), "number word", *m.span()) for m in WORD.finditer(text)]
    return sorted(found, key=lambda number: number.start)


def _kind(match: re.Match[str]) -> str:
    digits = match["digits"]
    if match["unit"] or match["percent"]:
        return "percent or money"
    if "." in digits:
        return "decimal"
    return "year" if len(digits) == 4 and int(digits) in YEARS else "integer"


def value(digits: str) -> float:
    """Return the value of a number in digits."""
    return float(digits.replace(",", ""))


def changed(number: Number, sentence: str, evidence: str, rng: Random) -> dict[str, str]:
    """Return the new number by the name of each change that gives one which is new to the sentence."""
    own = {n.text for n in numbers(sentence)}
    others = [n.text for n in numbers(evidence) if n.kind == number.kind and n.text not in own]
    made = {name: change(number.text, others, rng) for name, change in CHANGES[_form(number)].items()}
    return {name: new for name, new in made.items() if new and new not in own and _plausible(number, new)}


def _form(number: Number) -> str:
    return number.kind if number.kind in ("year", "number word") else "figure"


def _plausible(number: Number, new: str) -> bool:
    if number.kind == "number word":
        return True
    if number.kind == "year":
        return new.isdecimal() and int(new) in YEARS
    return value(new) > 0 and value(new) != value(number.text)


def _near(old: str, others: list[str], rng: Random) -> str:
    places = _places(old)
    step = 10.0**-places if places else 10.0 ** max(0, len(old.replace(",", "")) - 2)
    return _written(value(old) + rng.choice((-3, -2, -1, 1, 2, 3)) * step, old)


def _far(old: str, others: list[str], rng: Random) -> str:
    return _written(value(old) * rng.choice((0.5, 2, 3, 5, 10)), old)


def _transposed(old: str, others: list[str], rng: Random) -> str | None:
    spots = [i for i in range(len(old) - 1) if old[i].isdecimal() and old[i + 1].isdecimal()]
    spots = [i for i in spots if old[i] != old[i + 1] and (i > 0 or old[1] != "0")]
    if not spots:
        return None
    i = rng.choice(spots)
    return old[:i] + old[i + 1] + old[i] + old[i + 2 :]


def _other(old: str, others: list[str], rng: Random) -> str | None:
    return rng.choice(others) if others else None


def _shifted(old: str, others: list[str], rng: Random) -> str:
    return str(int(old) + rng.choice((-1, 1)) * rng.choice((1, 2, 3, 5, 10, 20, 30)))


def _next_word(old: str, others: list[str], rng: Random) -> str:
    row = SMALL if old in SMALL else TENS
    return row[max(0, min(len(row) - 1, row.index(old) + rng.choice((-2, -1, 1, 2))))]


def _far_word(old: str, others: list[str], rng: Random) -> str:
    row = SMALL if old in SMALL else TENS
    return rng.choice([word for word in row if abs(row.index(word) - row.index(old)) > 2])


def _places(old: str) -> int:
    return len(old.partition(".")[2])


def _written(new: float, old: str) -> str:
    """Write a number as `old` is written: as many decimals, and commas where it has some."""
    return f"{new:,.{_places(old)}f}" if "," in old else f"{new:.{_places(old)}f}"


Change = Callable[[str, list[str], Random], str | None]
CHANGES: dict[str, dict[str, Change]] = {
    "figure": {"near": _near, "far": _far, "transposed": _transposed, "other": _other},
    "year": {"shifted": _shifted, "transposed": _transposed, "other": _other},
    "number word": {"near": _next_word, "far": _far_word, "other": _other},
}
