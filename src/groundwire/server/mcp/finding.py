"""Evidence for a query or a claim: whole passages of an index, or windows of texts, ordered by what a model says of them.

A query orders by relevance, a claim by how clearly a window says that it is so or is not so. Of many windows only those are
read that share most words with what is looked for, and the result says how many were not.

Left out: verdicts, which need more than one window (`groundwire.check`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import anyio.to_thread

from groundwire.models.batcher.ticket import Ticket
from groundwire.server.engine import Engine
from groundwire.server.mcp.asked import Search
from groundwire.sources import Windows
from groundwire.text import content_terms
from groundwire.types import Case, Entailment, Passage, Source

MOST_READ = 64
"""Windows that a model reads for one search."""
PASSAGES = 10
"""Passages of an index that are read for a claim, at least."""
_WINDOWS = Windows(60, 20)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The evidence as JSON values, best first, and what is to be said of how it was found."""

    evidence: list[dict[str, Any]]
    warnings: list[str]


async def find(engine: Engine, search: Search, ticket: Ticket) -> Found:
    """Look for evidence. Raises what the engine raises."""
    if search.index is None:
        return await _in_texts(engine, search, search.contexts, ticket)
    hits = await engine.search(search.index, search.text, max(search.k, PASSAGES * search.is_claim), ticket)
    if search.is_claim:
        return await _in_texts(engine, search, [hit.passage for hit in hits], ticket)
    found = [_entry(n, hit.passage, 0, len(hit.passage.text), hit.score) for n, hit in enumerate(hits[: search.k], 1)]
    return Found(evidence=found, warnings=[])


async def _in_texts(engine: Engine, search: Search, passages: Sequence[Passage], ticket: Ticket) -> Found:
    # In a thread: a megabyte of text is cut for longer than other messages should wait.
    cut = await anyio.to_thread.run_sync(_WINDOWS.cut, Case(id="0", answer="", contexts=tuple(passages)))
    read = await anyio.to_thread.run_sync(shortlist, search.text, cut, MOST_READ)
    warnings = []
    if len(read) < len(cut):
        warnings.append(
            f"{len(read)} of {len(cut)} windows were read: those that share most words with what is looked for"
        )
    if not read:
        return Found(evidence=[], warnings=warnings)
    judged = await _judged(engine, search, read, ticket)
    best = sorted(judged, key=lambda one: -one[1])[: search.k]
    evidence = [
        {**_entry(n, passages[s.index], s.span.start, s.span.end, score), **said}
        | ({"index": s.index} if search.index is None else {})
        for n, (s, score, said) in enumerate(best, 1)
    ]
    return Found(evidence=evidence, warnings=warnings)


async def _judged(
    engine: Engine, search: Search, read: Sequence[Source], ticket: Ticket
) -> list[tuple[Source, float, dict[str, Any]]]:
    """Return every window with what orders it, and what is said of it beside."""
    if not search.is_claim:
        scores = await engine.score([(search.text, source.text) for source in read], ticket)
        return [(source, score, {}) for source, score in zip(read, scores, strict=True)]
    found = await engine.entail([(source.text, search.text) for source in read], ticket)
    return [(s, max(e.supports, e.refutes or 0.0), _said(e)) for s, e in zip(read, found, strict=True)]


def shortlist(text: str, sources: Sequence[Source], most: int) -> list[Source]:
    """Return the `most` sources that share most terms with the text, in their own order; of equal ones the first."""
    if len(sources) <= most:
        return list(sources)
    terms = set(content_terms(text))
    shared = [len(terms.intersection(content_terms(source.text))) for source in sources]
    kept = sorted(range(len(sources)), key=lambda i: (-shared[i], i))[:most]
    return [sources[i] for i in sorted(kept)]


def _said(entailment: Entailment) -> dict[str, Any]:
    said = {"supports": entailment.supports, "refutes": entailment.refutes, "neutral": entailment.neutral}
    known = {name: value for name, value in said.items() if value is not None}
    known.setdefault("neutral", 1 - sum(known.values()))
    return {"says": max(known, key=lambda name: known[name]), **known}


def _entry(rank: int, passage: Passage, start: int, end: int, score: float) -> dict[str, Any]:
    title = {} if passage.title is None else {"title": passage.title}
    place = {"start": start, "end": end, "text": passage.text[start:end]}
    return {"rank": rank, "context_id": passage.id, **title, **place, "score": score}
