"""Naming: the words around a figure that are a part of it only where another text writes the same with a sign.

500 pounds is £500 to one text and a weight to another, `# 20` a treebank's £20 or a rank, 120 basis points 1.2 per cent: these
are further readings of a figure, of which the text that it is compared with decides. Left out: other currencies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from groundwire.quantities.quantity import Quantity

_BEHIND = re.compile(
    r"[ \xa0-]?(?:(?P<d>(?:u\.?s\.? )?dollars?|usd)|(?P<e>euros?|eur)|(?P<p>pounds?(?: sterling)?|gbp)|(?P<y>yen|jpy)"
    r"|(?P<points>basis points?|bps?))(?![^\W_])",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"\b(?:(?P<d>USD|US\$)|(?P<e>EUR)|(?P<p>GBP|UK£)|(?P<y>JPY))[ \xa0]?\Z")
_SIGNS = {"d": "$", "e": "€", "p": "£", "y": "¥"}
_LONGEST = 5
"""Characters of what is named before a figure."""
_BRACKET = re.compile(r"[ \xa0]?\([^()\n]{1,45}\)")
"""The second spelling of a figure that has two."""


def readings(text: str, figure: Quantity) -> Iterator[Quantity]:
    """Yield what a figure is with the words around it, the figure itself, and what it is where it need not be that."""
    if figure.kind in ("number", "year") and not figure.unit:
        behind = _BEHIND.match(text, figure.end)
        before = None if behind else _BEFORE.search(text, max(0, figure.start - _LONGEST), figure.start)
        if behind and behind.lastgroup == "points":
            value, step = figure.value / 100, figure.step / 100
            yield replace(figure, kind="percent", value=value, step=step, end=behind.end(), also=(), measure=None)
        elif behind:
            yield replace(figure, kind="number", unit=_SIGNS[behind.lastgroup or ""], end=behind.end(), measure=None)
        elif before:
            yield replace(
                figure, kind="number", unit=_SIGNS[before.lastgroup or ""], start=before.start(), measure=None
            )
    yield figure
    if not figure.unit and text.endswith("# ", 0, figure.start):
        yield replace(figure, start=figure.start - 2, unit="£")


def written(text: str, start: int, end: int) -> str:
    """Return how a text writes a figure; of one in two spellings (`thirty-six (36) months`) the first."""
    figure = text[start:end]
    return _BRACKET.sub("", figure, count=1) if "(" in figure and figure[0] != "(" and figure[1] != "(" else figure
