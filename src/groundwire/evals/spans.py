"""Spans measured: which words of an answer a verdict marks as not backed, beside those that the gold spans mark.

A word is marked when a span overlaps it. A claim that is not supported and names no words is marked as a whole. Every
word is a row of `groundwire.evals.metrics` whose class is *backed*, so precision, recall and F1 are those of the words
that are not; words of one answer are resampled together. Left out: half points for near misses, and characters.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from groundwire.evals.bootstrap import Bootstrap, Figure
from groundwire.evals.metrics import SPAN_METRICS, Rows
from groundwire.text import word_bounds
from groundwire.types import Case, Label, Span, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """The words of one answer, in order: whether gold and verdict mark each, and the row's group if it has one."""

    gold: tuple[bool, ...]
    found: tuple[bool, ...]
    group: str | None = None


def known(case: Case) -> bool:
    """Say whether the gold spans of a case are known: it has some, or it is supported and has none."""
    return bool(case.spans) or case.label is Label.SUPPORTED


def marked_by(verdict: Verdict) -> list[Span]:
    """Return what a verdict marks: the spans of its claims, and the whole of unsupported claims that name none."""
    wrong = [claim for claim in verdict.claims if claim.label in (Label.CONTRADICTED, Label.NOT_ENOUGH_INFO)]
    return [span for claim in wrong for span in claim.spans or (claim.claim.span,)]


def compare(case: Case, found: Sequence[Span]) -> Marked:
    """Mark the words of a case's answer by its gold spans and by those that were found."""
    words = word_bounds(case.answer)
    gold, ours = (_overlapped(words, spans) for spans in (case.spans, found))
    return Marked(gold=gold, found=ours, group=case.group)


def figures(rows: Sequence[Marked], bootstrap: Bootstrap) -> dict[str, Figure]:
    """Measure precision, recall and F1 of the marked words over all answers; undefined where gold marks none."""
    backed = [not word for row in rows for word in row.gold]
    scores = [0.0 if word else 1.0 for row in rows for word in row.found]
    groups: list[Hashable] = []
    for i, row in enumerate(rows):
        groups += [f"row {i}" if row.group is None else f"group {row.group}"] * len(row.gold)
    return bootstrap.figures(dict(SPAN_METRICS), Rows.of(backed, scores), groups)


def _overlapped(words: Sequence[tuple[int, int]], spans: Sequence[Span]) -> tuple[bool, ...]:
    """Say of each word whether a span overlaps it, in one pass."""
    places = sorted((span.start, span.end) for span in spans if span.start < span.end)
    marks: list[bool] = []
    at = 0
    for start, end in words:
        while at < len(places) and places[at][1] <= start:
            at += 1
        marks.append(at < len(places) and places[at][0] < end)
    return tuple(marks)
