"""Evidence: the findings of a claim as citations, best first, each a view into a given context.

Left out: scores and labels.
"""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.quantities import quantities
from groundwire.text import content_terms, sentence_bounds
from groundwire.types import Claim, Evidence, Finding, Source, Span

FIGURE = 1.5
"""Terms that a figure is worth: a claim about a number is borne out, or not, where numbers stand."""


def cite(claim: Claim, findings: Sequence[Finding], against: Finding | None, *, narrow: bool) -> tuple[Evidence, ...]:
    """Return the evidence of a claim, best first: what supports it most, or first the finding `against` a contradicted one.

    `narrow` points at the sentence of each source that shares most with the claim rather than at the whole source, and of the
    sources of one premise names first the one that does.
    A place is cited once, with the best entailment that it took part in, and no part of it again.
    """
    asked = _Asked(claim)
    cited: list[Evidence] = []
    for finding in sorted(findings, key=lambda f: (f is not against, -f.entailment.supports)):
        weighed = list(zip(finding.premise.sources, finding.premise.weights, strict=True))
        for source, weight in asked.most_first(weighed) if narrow else weighed:
            span = _narrowed(source, asked) if narrow else source.span
            if any(_is_part(span, other.span) for other in cited if other.index == source.index):
                continue
            cited.append(
                Evidence(
                    claim_id=claim.id,
                    index=source.index,
                    span=span,
                    entailment=finding.entailment,
                    relevance=source.relevance,
                    weight=weight,
                )
            )
    return tuple(cited)


def _is_part(a: Span, b: Span) -> bool:
    """Whether one place is part of the other. Windows that merely share their edges are two places."""
    return (a.start <= b.start and b.end <= a.end) or (b.start <= a.start and a.end <= b.end)


def _narrowed(source: Source, claim: _Asked) -> Span:
    """Return the sentence of `source` that speaks most of what the claim asks; the whole source when none does."""
    bounds = sentence_bounds(source.text)
    shared = [claim.shared_with(source.text[start:end]) for start, end in bounds]
    if not shared or not max(shared):
        return source.span
    start, end = bounds[shared.index(max(shared))]
    at = source.span.start
    return Span(source=source.span.source, start=at + start, end=at + end)


class _Asked:
    """What to look for in a sentence: the claim's content terms, and a figure where it has one."""

    def __init__(self, claim: Claim) -> None:
        self._terms = set(content_terms(claim.text))
        self._figures = _has_figures(claim.text)

    def most_first(self, weighed: Sequence[tuple[Source, float]]) -> list[tuple[Source, float]]:
        """Return sources with their weights, that first which shares most with the claim; equals stay in their order."""
        return sorted(weighed, key=lambda one: -self.shared_with(one[0].text)) if len(weighed) > 1 else list(weighed)

    def shared_with(self, sentence: str) -> float:
        """Return the number of terms in common, and FIGURE more where both have a figure, be it another one."""
        shared = len(self._terms & set(content_terms(sentence)))
        return shared + FIGURE * (self._figures and shared > 0 and _has_figures(sentence))


def _has_figures(text: str) -> bool:
    return any(not quantity.weak for quantity in quantities(text))
