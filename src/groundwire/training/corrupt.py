"""Edits of one fact in a sentence: what turns a supported claim into one that the evidence refutes or does not back.

Each operator is pure: (sentence, passage, pool, rng) → Edit or None where it does not apply. An edit keeps both sides
marked, so that the pair can be turned around (the edited sentence in the evidence, the original as the claim): then no
word is a cue by itself. Leaves out: rewording that keeps the meaning (`rewrite`), negation and added facts (`restate`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from groundwire.training.lexicon import (
    FUNCTION_WORDS,
    MONTHS,
    NUMBER_WORDS,
    OPPOSITES,
    ORDINALS,
    QUANTIFIERS,
    TENS,
    UNITS,
    WEEKDAYS,
)
from groundwire.training.sample import REFUTES, Marked
from groundwire.training.vocabulary import Vocabulary

NUMBER = re.compile(
    r"(?<![\w.,/:-])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w-])|(?<![\w.,/:-])\d+(?:\.\d+)?(?![\w,/:-]*\d)(?![a-zA-Z-])"
)
YEAR = re.compile(r"(?<![\w.,/:$£€-])(?:1[0-9]|20)\d\d(?![\w/:%-]|[.,]\d)")
MONTH = re.compile(r"\b(?:" + "|".join(MONTHS) + r")\b")
WEEKDAY = re.compile(r"\b(?:" + "|".join(WEEKDAYS) + r")\b")
WORD = re.compile(r"[A-Za-z]+")
NAME = re.compile(r"\b[A-Z][\w’'.-]*\w(?: (?:of |the |de |van |von |al-)?[A-Z][\w’'-]*\w)*")


@dataclass(frozen=True, slots=True)
class Edit:
    """One changed fact: the sentence before and after, the changed words marked in both, and the claim's new label."""

    before: Marked
    after: Marked
    label: int
    operator: str
    old: str = ""
    new: str = ""


@dataclass(frozen=True, slots=True)
class Pool:
    """What other passages lend to an edit: names, qualifying phrases, and the words that fit a place."""

    names: Sequence[str]
    phrases: Sequence[str]
    sentences: Sequence[str]
    words: Vocabulary | None = None


Operator = Callable[[str, str, Pool, Random], Edit | None]


def swap(text: str, start: int, end: int, new: str, operator: str, label: int = REFUTES) -> Edit | None:
    """The edit that puts `new` in place of text[start:end]; None where nothing would change."""
    old = text[start:end]
    if not new or new.casefold() == old.casefold():
        return None
    plain = Marked(text)
    return Edit(plain.mark(start, end), plain.splice(start, end, new, mark=True), label, operator, old, new)


def like(old: str, new: str) -> str:
    """`new` in the letter case of `old`."""
    if old.isupper() and len(old) > 1:
        return new.upper()
    return new[:1].upper() + new[1:] if old[:1].isupper() else new


def _shift(old: str, rng: Random) -> str:
    """A number of the same shape: a small step, another size, or digits in another order."""
    digits = old.replace(",", "")
    places = len(digits.split(".")[1]) if "." in digits else 0
    value = float(digits)
    kind = rng.random()
    if kind < 0.3:
        new = value + rng.choice((-3, -2, -1, 1, 2, 3)) * (10**-places if rng.random() < 0.5 else 1)
    elif kind < 0.55:
        new = value * rng.choice((0.5, 0.6, 0.75, 0.8, 0.9, 1.1, 1.25, 1.3, 1.5, 1.75))
    elif kind < 0.75:
        new = value * rng.choice((2, 3, 4, 10, 100, 0.1, 0.2))
    else:
        chars = list(digits)
        rng.shuffle(chars)
        new = float("".join(chars).strip(".") or 1) if value else 1.0
    if new <= 0:
        new = value + rng.randint(1, 9)
    return f"{new:,.{places}f}" if "," in old else f"{new:.{places}f}"


def number(text: str, passage: str, pool: Pool, rng: Random) -> Edit | None:
    """One figure becomes another: near, far, transposed, or another figure of the passage."""
    spots = [m for m in NUMBER.finditer(text) if not YEAR.fullmatch(m.group())]
    if not spots:
        return None
    spot = rng.choice(spots)
    if rng.random() < 0.35:
        others = [
            m.group() for m in NUMBER.finditer(passage) if not YEAR.fullmatch(m.group()) and m.group() not in text
        ]
        if others:
            return swap(text, *spot.span(), rng.choice(others), "number")
    return swap(text, *spot.span(), _shift(spot.group(), rng), "number")


def number_word(text: str, passage: str, pool: Pool, rng: Random) -> Edit | None:
    """A number or an ordinal in words becomes another of its kind."""
    spots = [
        m for m in WORD.finditer(text) if any(m.group().lower() in kind for kind in (NUMBER_WORDS[1:], TENS, ORDINALS))
    ]
    if not spots:
        return None
    spot = rng.choice(spots)
    word = spot.group().lower()
    kind = next(kind for kind in (NUMBER_WORDS, TENS, ORDINALS) if word in kind)
    new = rng.choice([other for other in kind if other != word])
    return swap(text, *spot.span(), like(spot.group(), new), "number_word")


def year(text: str, passage: str, pool: Pool, rng: Random) -> Edit | None:
    """One year becomes another, of the passage where it has one."""
    spots = list(YEAR.finditer(text))
    if not spots:
        return None
    spot = rng.choice(spots)
    others = [y for y in YEAR.findall(passage) if y not in text]
    if others and rng.random() < 0.4:
        return swap(text, *spot.span(), rng.choice(others), "year")
    new = int(spot.group()) + rng.choice((-30, -20, -10, -5, -3, -2, -1, 1, 2, 3, 4, 5, 10, 11, 20))
    return swap(text, *spot.span(), str(min(new, 2099)), "year")


def date(text: str, passage: str, pool: Pool, rng: Random) -> Edit | None:
    """One month or weekday becomes another."""
    spots = [*MONTH.finditer(text), *WEEKDAY.finditer(text)]
    if not spots:
        return None
    spot = rng.choice(spots)
    kind = MONTHS if spot.group() in MONTHS else WEEKDAYS
    return swap(text, *spot.span(), rng.choice([other for other in kind if other != spot.group()]), "date")


def names(text: str) -> list[re.Match[str]]:
    """The capitalised names of a text, without those that may only be the first word of a sentence."""
    found = []
    for match in NAME.finditer(text):
        words = match.group().split()
        if words[0].lower() in FUNCTION_WORDS or match.group() in MONTHS or match.group() in WEEKDAYS:
            continue
        lead = text[: match.start()].rstrip(" \"'“‘(")
        if len(words) == 1 and (not lead or lead[-1] in ".!?:;\n"):
            continue
        found.append(match)
    return found


def _alike(old: str, new: str) -> bool:
    """Whether two names may stand for each other's kind: same shape, no shared word, not one within the other."""
    a, b = old.split(), new.split()
    if old.isupper() != new.isupper() or (len(a) == 1) != (len(b) == 1) or abs(len(a) - len(b)) > 1:
        return False
    return not {w.casefold() for w in a} & {w.casefold() for w in b} and old[:5].casefold() != new[:5].casefold()


def entity(text: str, passage: str, pool: Pool, rng: Random) -> Edit | None:
    """One name becomes another of the same shape, from the same passage first."""
    spots = names(text)
    if not spots:
        return None
    spot = rng.choice(spots)
    near = [m.group() for m in names(passage) if _alike(spot.group(), m.group()) and m.group() not in text]
    if not near or rng.random() < 0.3:
        drawn = rng.sample(pool.names, min(40, len(pool.names)))
        near = [n for n in drawn if _alike(spot.group(), n) and n not in text] or near
    return swap(text, *spot.span(), rng.choice(near), "entity") if near else None


SYMMETRIC = re.compile(r"\b(?:and|or|with|versus|vs|between|married|met|than|equals|like)\b|&")
VERB_LIKE = re.compile(
    r"\b(?:is|was|were|are|has|had|to|by|from|of|for|[a-z]+ed|[a-z]+s|won|beat|led|gave|sold|wrote|took|made)\b"
)
BOUND = re.compile(r"\W*(?:(?:of|for|to) )?(?:the )?\W*")
"""Between two halves of one title ("Goal of the Week"), not between two that do something."""
DEMONYM = re.compile(r"(?:\w+ )?(?:\w+(?:ish|ese|[a-z]an)|French|Greek|Dutch) (?:[a-z]|$)")
"""A people's name before what it qualifies."""


def _parties(a: re.Match[str], b: re.Match[str]) -> bool:
    """Whether two names of one text can have done each other's part."""
    between = a.string[a.end() : b.start()]
    if BOUND.fullmatch(between) or SYMMETRIC.search(between) or not VERB_LIKE.search(between):
        return False
    if any(DEMONYM.fullmatch(name.string[name.start() : name.end() + 2]) for name in (a, b)):
        return False
    if _alike(a.group(), b.group()):
        return len(between) < 80
    short, long = sorted((a.group(), b.group()), key=len)
    return len(between) < 30 and len(short.split()) == 1 and len(long.split()) == 2 and _alike(short, long.split()[0])


def roles(text: str, passage: str, pool: Pool, rng: Random) -> Edit | None:
    """Two names trade places: A verb B → B verb A."""
    found = names(text)
    pairs = [(a, b) for a, b in pairwise(found) if _parties(a, b)]
    if not pairs:
        return None
    a, b = rng.choice(pairs)
    before = Marked(text).mark(*a.span()).mark(*b.span())
    after = Marked(text).splice(*b.span(), a.group(), mark=True).splice(*a.span(), b.group(), mark=True)
    return Edit(before, after, REFUTES, "roles")


def _listed(table: dict[str, tuple[str, ...]], name: str, text: str, rng: Random) -> Edit | None:
    spots = [m for m in WORD.finditer(text) if m.group().lower() in table]
    if not spots:
        return None
    spot = rng.choice(spots)
    new = rng.choice(table[spot.group().lower()])
    return swap(text, *spot.span(), like(spot.group(), new), name)


def opposite(text: str, passage: str, pool: Pool, rng: Random) -> Edit | None:
    """One word becomes its opposite."""
    return _listed(OPPOSITES, "opposite", text, rng)


def unit(text: str, passage: str, pool: Pool, rng: Random) -> Edit | None:
    """One unit or magnitude becomes another, where a figure stands near it."""
    edit = _listed(UNITS, "unit", text, rng)
    if edit is None:
        return None
    start = edit.before.spans[0][0]
    near = text[max(0, start - 14) : start]
    return edit if re.search(r"\d", near) or any(w.lower() in NUMBER_WORDS for w in WORD.findall(near)) else None


def quantifier(text: str, passage: str, pool: Pool, rng: Random) -> Edit | None:
    """All → some, always → never, and so on."""
    return _listed(QUANTIFIERS, "quantifier", text, rng)
