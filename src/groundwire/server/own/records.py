"""What a route answers: the library's own record of a verdict, and what the request asked for besides.

Left out: the record itself (`groundwire.render`), and reading the request (`models`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from groundwire.render import answer_record, record
from groundwire.server.errors import ApiError, invalid
from groundwire.server.own.models import Options
from groundwire.types import Answer, ClaimVerdict, Hit, Passage, Verdict

T = TypeVar("T")

MOST_CITED = 8_000_000
"""Characters of citations in one answer. Every claim cites its evidence, so many claims on one huge word would be gigabytes."""
INLINE = 64
"""Claims and citations that are written out on the event loop; more are handed to a thread."""


def published(verdict: Verdict, options: Options, *, cut: bool = False) -> dict[str, Any]:
    """Return the record of a verdict. `explain` adds the evidence of each claim, `truncate` whether a text was cut."""
    made = record(verdict, offset_encoding=options.offset_encoding)
    if options.explain:
        for claim, written in zip(verdict.claims, made["claims"], strict=True):
            written["evidence"] = _explained(claim, written["citations"])
    if options.truncate:
        made["truncated"] = cut
    return made


def found(verdict: Verdict, options: Options, *, cut: bool = False) -> dict[str, Any]:
    """Return the record of a verified answer; `explain` adds the passages that were judged, in the order of their index."""
    made = published(verdict, options, cut=cut)
    if options.explain:
        made["contexts"] = [passage_record(passage) for passage in verdict.case.contexts]
    return made


def claim_record(verdict: Verdict, options: Options) -> dict[str, Any]:
    """Return the record of one claim of an answer that is still being judged: that of a verdict with this claim alone."""
    claims: list[dict[str, Any]] = published(verdict, options)["claims"]
    return claims[0]


def grown(answer: Answer, options: Options, *, cut: bool = False) -> dict[str, Any]:
    """Return the record of a generated answer, its verdict as the options want it."""
    return {**answer_record(answer), "verdict": published(answer.verdict, options, cut=cut)}


def passage_record(passage: Passage) -> dict[str, Any]:
    """Return a passage as JSON values; `source`, `start` and `end` say where in its document it stands."""
    origin = passage.origin
    return {
        "id": passage.id,
        "title": passage.title,
        "text": passage.text,
        **({} if origin is None else {"source": origin.source, "start": origin.start, "end": origin.end}),
        **({"metadata": dict(passage.meta)} if passage.meta else {}),
    }


def hit_record(hit: Hit, rank: int) -> dict[str, Any]:
    """Return a hit as JSON values; ranks count from 1."""
    return {"rank": rank, "score": hit.score, "by": hit.by, **passage_record(hit.passage)}


async def written(verdicts: Sequence[Verdict], made: Callable[[], T]) -> T:
    """Return what `made` makes of these verdicts, in a thread where it is much. Raises ApiError where it is too much."""

    def bounded() -> T:
        evidence = (e for verdict in verdicts for claim in verdict.claims for e in claim.evidence)
        if sum(e.span.end - e.span.start for e in evidence) > MOST_CITED:
            raise too_large()
        return made()

    claims = sum(len(verdict.claims) for verdict in verdicts)
    if claims > INLINE or claims + sum(len(c.evidence) for verdict in verdicts for c in verdict.claims) > INLINE:
        return await asyncio.to_thread(bounded)
    return bounded()


def too_large() -> ApiError:
    """More citations than an answer can hold."""
    return invalid(
        "answer_too_large", f"the citations would have more than {MOST_CITED} characters: send fewer claims at once"
    )


def _explained(claim: ClaimVerdict, citations: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return each piece of evidence with what made its weight; places are those of the citations."""
    return [
        {
            **{name: citation[name] for name in ("context_id", "index", "start", "end")},
            "relevance": evidence.relevance,
            "weight": evidence.weight,
            "supports": evidence.entailment.supports,
            "refutes": evidence.entailment.refutes,
            "neutral": evidence.entailment.neutral,
        }
        for evidence, citation in zip(claim.evidence, citations, strict=True)
    ]
