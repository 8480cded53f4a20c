"""Which words of which source each sentence of an answer cites, and the names that links lead to them by.

Left out: how sentences and sources are drawn (`answered.py`, `sources.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.types import Answer, Evidence, Label

MOST_CITED = 3
"""Citations that are drawn of one sentence, best first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """One sentence's citation of `start` to `end` in the source at `index`.

    `claim` is the number of the sentence from 1. `anchor` names the words on the page: the same words have one name.
    """

    claim: int
    label: Label
    index: int
    start: int
    end: int
    anchor: str
    evidence: Evidence


def source_anchor(index: int) -> str:
    """Return the name of a whole source on the page."""
    return f"s{index + 1}"


def citations_of(answer: Answer) -> list[list[Citation]]:
    """Return the citations of each sentence, in their order. Evidence that points at no source of the answer is left out."""
    named: dict[tuple[int, int, int], str] = {}
    return [
        [
            _citation(answer, n, claim.label, evidence, named)
            for evidence in claim.evidence[:MOST_CITED]
            if answer.text and 0 <= evidence.index < len(answer.sources)
        ]
        for n, claim in enumerate(answer.verdict.claims, 1)
    ]


def by_source(cited: Sequence[Sequence[Citation]], index: int) -> list[Citation]:
    """Return all citations of one source, by where they begin."""
    found = [citation for claim in cited for citation in claim if citation.index == index]
    return sorted(found, key=lambda c: (c.start, c.end, c.claim))


def _citation(
    answer: Answer, claim: int, label: Label, evidence: Evidence, named: dict[tuple[int, int, int], str]
) -> Citation:
    length = len(answer.sources[evidence.index].text)
    start = min(max(evidence.span.start, 0), length)
    end = min(max(evidence.span.end, start), length)
    place = (evidence.index, start, end)
    whole = source_anchor(evidence.index)
    anchor = named.setdefault(place, f"{whole}-{len(named) + 1}") if start < end else whole
    return Citation(
        claim=claim, label=label, index=evidence.index, start=start, end=end, anchor=anchor, evidence=evidence
    )
