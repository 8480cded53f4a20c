"""Surroundings: a window of a context together with what stands around it, put together from the windows beside it.

A short window is read best where one place settles a claim; who "she" is, which year, which of two, often stands a few
sentences before. Left out: which windows are worth it (`premises`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from groundwire.text import word_bounds
from groundwire.types import Source, Span


def surrounded(of_context: Sequence[Source], at: int, most: int) -> Source | None:
    """Return the window at this place with as many of those beside it as make at most `most` words, before and after in turn.

    `of_context` are sources of one context in the order of their starts; they may overlap. Where one of the context's is
    missing among them, it ends there. None where nothing beside it fits.
    """
    window = whole = of_context[at]
    before, after = at - 1, at + 1
    while before >= 0 or after < len(of_context):
        if before >= 0:
            wider = _joined(of_context[before], whole, most)
            before, whole = (before - 1, wider) if wider else (-1, whole)
        if after < len(of_context):
            wider = _joined(whole, of_context[after], most)
            after, whole = (after + 1, wider) if wider else (len(of_context), whole)
    return replace(window, text=whole.text, span=whole.span) if whole is not window else None


def _joined(left: Source, right: Source, most: int) -> Source | None:
    """Return two neighbours as one source; None where it has more than `most` words, or a source between them is missing."""
    gap = right.span.start - left.span.end
    if gap > len(right.before):
        return None
    text = left.text + (right.before + right.text if gap >= 0 else right.text[-gap:])
    if len(word_bounds(text)) > most:
        return None
    span = Span(source=left.span.source, start=left.span.start, end=max(left.span.end, right.span.end))
    return replace(left, text=text, span=span)
