"""A verdict in a few plain lines: what is not backed, and what the contexts have that is nearest to it.

For messages of tests and reasons of metrics, where there is no terminal and no page. Left out: what is supported.
"""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.types import LABEL_NAMES, ClaimVerdict, Label, Verdict
from groundwire.visible import one_line

LONGEST = 300
"""Characters of one text that are told; the rest is counted."""


def told(verdict: Verdict) -> str:
    """Return why an answer is not grounded, on several lines; of one that is, a line that says so.

    Texts are shown on one line each, with every control character as a visible escape.
    """
    if verdict.grounded:
        return _heading(verdict, "the answer is grounded")
    return "\n".join((_heading(verdict, "the answer is not grounded"), *_lines(verdict)))


def _heading(verdict: Verdict, what: str) -> str:
    if verdict.score is None:
        return f"{what}: {LABEL_NAMES[verdict.label]} ({_shown(verdict.reason or 'no reason given')})"
    return f"{what}: {LABEL_NAMES[verdict.label]}, score {verdict.score:.2f}, threshold {verdict.threshold:.2f}"


def _lines(verdict: Verdict) -> Iterator[str]:
    if verdict.case.question:
        yield f"  question: {_shown(verdict.case.question)}"
    for claim in verdict.claims:
        if claim.label is Label.SUPPORTED or claim.score is None:
            continue
        yield f'  {LABEL_NAMES[claim.label]} ({claim.score:.2f}): "{_shown(claim.claim.span.of(verdict.case.answer))}"'
        yield from _details(verdict, claim)
    for warning in verdict.warnings:
        yield f"  warning: {_shown(warning)}"


def _details(verdict: Verdict, claim: ClaimVerdict) -> Iterator[str]:
    if claim.reason:
        yield f"    {_shown(claim.reason)}"
    if claim.spans:
        yield "    not backed: " + ", ".join(f'"{_shown(span.of(verdict.case.answer))}"' for span in claim.spans)
    for evidence in claim.evidence[:1]:
        word = "against it" if claim.label is Label.CONTRADICTED else "nearest evidence"
        passage, span = verdict.case.contexts[evidence.index], evidence.span
        place = f"context {evidence.index + 1}" + (
            f" ({one_line(passage.id)})" if passage.id != str(evidence.index) else ""
        )
        yield f'    {word}: "{_shown(verdict.text_of(evidence))}" in {place}, {span.start}–{span.end}'


def _shown(text: str) -> str:
    hidden = len(text) - LONGEST
    return one_line(text[:LONGEST]) + (f"… ({hidden} more characters)" if hidden > 0 else "")
