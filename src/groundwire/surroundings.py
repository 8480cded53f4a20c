"""Surroundings: a window of a context together with what stands around it, put together from the windows beside it.

A short window is read best where one place settles a claim; who "she" is, which year, which of two, often stands a few
sentences before. Left out: which windows are worth it (`premises`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from groundwire.types import Source, Span

GAP = 4
"""Characters between two windows that may be white space; over a wider gap it is not known what was left out."""


def surrounded(of_context: Sequence[Source], at: int, most: int) -> Source | None:
    """Return the window at this place with as many of those beside it as make at most `most` words, before and after in turn.

    `of_context` are the windows of one context in their order; they may overlap. None where nothing beside it fits.
    White space between two windows becomes line breaks: every offset stays what it is in the context.
    """
    whole = of_context[at]
    before, after = at - 1, at + 1
    while before >= 0 or after < len(of_context):
        if before >= 0:
            wider = _joined(of_context[before], whole, most)
            before, whole = (before - 1, wider) if wider else (-1, whole)
        if after < len(of_context):
            wider = _joined(whole, of_context[after], most)
            after, whole = (after + 1, wider) if wider else (len(of_context), whole)
    return whole if whole.span != of_context[at].span else None


def _joined(left: Source, right: Source, most: int) -> Source | None:
    """Return two neighbours as one source; None where it has more than `most` words, or text between them is missing."""
    gap = right.span.start - left.span.end
    if gap > GAP:
        return None
    text = left.text + "\n" * gap + right.text if gap >= 0 else left.text + right.text[-gap:]
    if len(text.split()) > most:
        return None
    ends = max(left.span.end, right.span.end)
    return replace(right, text=text, span=Span(source=left.span.source, start=left.span.start, end=ends))
