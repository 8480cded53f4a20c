"""A figure that a source has with the other sign is denied by it, whatever a model makes of the two.

To a small model -12 degrees and 12 degrees are the same but for a hyphen. Which of the two is said can be read without one,
where both measure the same thing (a percentage, a currency, the same word behind them) and no word near the one without a
minus says which way it goes: what fell by 3 per cent grew by -3. Where only one of them names what it measures, or neither,
both must be plainly stated (is 80.25, temp_c: -3.5) of something with the same name, and the figure as it is in no source.

Left out: figures in brackets, as accounts write losses and everybody writes asides, but for `$(4.5) million`; sums of money
in cells of tables, where a minus may be a statement's way to say that 80.25 was spent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from groundwire.judge.hours import denied
from groundwire.quantities import Quantity, QuantityIndex, quantities
from groundwire.text import is_stop_word
from groundwire.types import Finding

_DOWN = re.compile(
    r"\b(?:below|under|lower\w*|less|fewer|down\w*|fall\w*|fell|drop\w*|declin\w*|decreas\w*|shr[aiu]nk\w*|contract\w*|los[est]\w*"
    r"|lost|deficit\w*|negative\w*|reduc\w*|cut\w*|wors\w*|off|sank|sink\w*|slump\w*|slid\w*|short\w*|debt\w*|ow(?:e|es|ed|ing)"
    r"|minus|differ\w*|between|range\w*|from|tumbl\w*|slip\w*|plung\w*|dip\w*|eas(?:ed|es|ing)|retreat\w*|weak\w*|crash\w*"
    r"|depreciat\w*|plummet\w*|discount\w*|cheap\w*|sav(?:e|ed|es|ing|ings)|behind|deep\w*|depth|pa(?:id|y|ys|yment)|spent|spend\w*"
    r"|outflow\w*|penalt\w*|fees?|costs?|charge\w*|deduct\w*|back|earl\w*|error|margin|expens\w*|transact\w*|purchas\w*|bought|bills?|rent|withdr\w*|debit\w*|overdr\w*|due|arrears"
    r"|in the red)\b",
    re.IGNORECASE,
)
"""Words that give a figure a direction, or make the sign before it a dash."""
_BEFORE, _AFTER = 60, 30
"""So many characters around a figure hold such a word."""
_SAID = re.compile(
    r"(?:\b(?:is|was|were|are|be|been|at|of|to|by|reached|hit|about|around|nearly|almost|recorded|reads?|shows?|showed)\s"
    r"|[=:(][ \t]?)\Z"
)
"""What stands before a minus that is one: elsewhere it may be a dash, an item's mark, a range."""
_STATED = re.compile(
    r"(?:\b(?:is|was|were|are|been|stands at|stood at|reached|recorded|reads?|shows?|showed)\s"
    r"|[=:][ \t]?[\"']?)\Z"
)
"""What stands before a figure that is all that is said of something."""
_CELL = re.compile(r"(?:\|[ \t]*|\t|[^\s\d],)\Z")
"""What stands before a figure in a cell of a table."""
_OPEN = re.compile(r"\s?(?:[-–—/:^+×*]|to\b)")
"""What makes a part of something out of the figure before it."""
_NAMES = {"dollars": "$", "usd": "$", "euros": "€", "eur": "€", "pounds": "£", "gbp": "£", "yen": "¥", "jpy": "¥"}
_NAMES |= {"degree": "°", "degrees": "°"}
_MONEY = frozenset("$€£¥₹₩")
_LABEL = re.compile(r"[^\W\d_]{3,}")
_SHORT = 4
"""So many letters at least have two words in common of which one is short for the other: temp, temperature."""
_MINUS = re.compile(r"[-−](?:[$€£¥₹₩][ ]?)?\.?\d|minus |negative |[$€£]\(\d|\([$€£]\d", re.IGNORECASE)
"""What every figure below nothing begins with: without one there are no signs to compare."""
_WORD = re.compile(r"[ \xa0-]?(°|[^\W\d_]+)")


class _Figure(NamedTuple):
    """A figure whose sign is all that gives it a direction."""

    quantity: Quantity
    thing: str
    """What it measures: "%", a currency, the word behind it; "" where nothing says."""
    stated: bool
    cell: bool
    label: str
    """What stands before it in its line."""


def with_signs(claim: str, findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings, those certain to deny the claim whose premise has one of its figures with the other sign, where no
    premise has that figure as it is."""
    if not any(map(_MINUS.search, (claim, *(finding.premise.text for finding in findings)))):
        return list(findings)
    ours = list(_signed(claim, quantities(claim)))
    if not ours:
        return list(findings)
    read = [(finding.premise.text, quantities(finding.premise.text)) for finding in findings]
    measured = QuantityIndex(one for text, every in read for one in every if _is_figure(one) and _thing(text, one))
    bare = QuantityIndex(one for _, every in read for one in every)
    turned = [one for one in ours if not measured.says(one.quantity)]
    unsaid = {one.quantity.value for one in turned if not bare.says(one.quantity)}
    values = {-one.quantity.value for one in turned}
    return [
        denied(finding)
        if any(
            _opposes(claim, one, other, unsaid)
            for other in _signed(text, (figure for figure in every if figure.value in values))
            for one in turned
        )
        else finding
        for finding, (text, every) in zip(findings, read, strict=True)
    ]


def _opposes(claim: str, one: _Figure, other: _Figure, unsaid: set[float]) -> bool:
    """Whether a premise's figure denies one of the claim, which is in no premise; `unsaid` are in none with any unit."""
    if one.quantity.value != -other.quantity.value:
        return False
    thing = one.thing or other.thing
    measured = bool(thing) and thing not in _MONEY
    if one.thing and one.thing == other.thing:
        return measured or not (one.cell or other.cell)
    if (one.thing and other.thing) or one.quantity.value not in unsaid or not one.stated:
        return False
    return measured if other.cell else other.stated and _is_of(claim, other.label)


def _is_of(claim: str, label: str) -> bool:
    """Whether a claim has a word of a label, or one that is short for another."""
    words = [word for word in _LABEL.findall(claim.lower()) if not is_stop_word(word)]
    return any(
        word == name or (min(len(word), len(name)) >= _SHORT and (word.startswith(name) or name.startswith(word)))
        for name in _LABEL.findall(label.lower())
        for word in words
    )


def _is_figure(one: Quantity) -> bool:
    return one.kind in ("number", "percent") and bool(one.value) and not one.weak


def _thing(text: str, figure: Quantity) -> str:
    """Return what a figure measures, as far as it says."""
    if figure.kind == "percent" or figure.unit:
        return figure.unit or "%"
    match = _WORD.match(text, figure.end)
    word = match[1].lower() if match else ""
    return "" if is_stop_word(word) else _NAMES.get(word, word)


def _signed(text: str, every: Iterable[Quantity]) -> Iterator[_Figure]:
    """Yield the figures whose sign is all that gives them a direction."""
    for figure in filter(_is_figure, every):
        thing, start, near = _thing(text, figure), figure.start, max(0, figure.start - 20)
        stated, cell = bool(_STATED.search(text, near, start)), bool(_CELL.search(text, near, start))
        said = stated or bool(_SAID.search(text, near, start))
        if (figure.value < 0 or thing in _MONEY) and not (said or (cell and thing not in _MONEY)):
            continue
        if not thing and _OPEN.match(text, figure.end):
            continue
        if figure.value < 0 or not _DOWN.search(text, max(0, start - _BEFORE), figure.end + _AFTER):
            label = text[max(0, start - _BEFORE) : start].rpartition("\n")[2]
            yield _Figure(figure, thing, stated, cell and not said, label)
