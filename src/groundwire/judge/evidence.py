"""Evidence: the findings of a claim as citations, best first, each a view into a given context.

Left out: scores and labels.
"""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.text import content_terms, sentence_bounds
from groundwire.types import Claim, Evidence, Finding, Label, Source, Span


def cite(claim: Claim, findings: Sequence[Finding], label: Label, *, narrow: bool) -> tuple[Evidence, ...]:
    """Return the evidence of a claim, best first: what supports it, or for a contradicted claim what refutes it.

    `narrow` points at the sentence of each source that shares most with the claim rather than at the whole source.
    A place is cited once, with the best entailment that it took part in.
    """
    terms = set(content_terms(claim.text)) if narrow else set()
    cited: dict[tuple[int, int, int], Evidence] = {}
    for finding in sorted(findings, key=lambda f: -_worth(f, label)):
        for source, weight in zip(finding.premise.sources, finding.premise.weights, strict=True):
            span = _narrowed(source, terms) if narrow else source.span
            cited.setdefault(
                (source.index, span.start, span.end),
                Evidence(
                    claim_id=claim.id,
                    index=source.index,
                    span=span,
                    entailment=finding.entailment,
                    relevance=source.relevance,
                    weight=weight,
                ),
            )
    return tuple(cited.values())


def _worth(finding: Finding, label: Label) -> float:
    entailment = finding.entailment
    if label is Label.CONTRADICTED and entailment.refutes is not None:
        return entailment.refutes
    return entailment.supports


def _narrowed(source: Source, terms: set[str]) -> Span:
    """Return the sentence of `source` that shares most terms with the claim; the whole source when none shares any."""
    bounds = sentence_bounds(source.text)
    shared = [len(terms & set(content_terms(source.text[start:end]))) for start, end in bounds]
    if not shared or not max(shared):
        return source.span
    start, end = bounds[shared.index(max(shared))]
    at = source.span.start
    return Span(source=source.span.source, start=at + start, end=at + end)
