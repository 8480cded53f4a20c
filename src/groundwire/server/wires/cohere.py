"""Cohere's rerank: POST /v2/rerank.

Documents are ordered by their relevance to the query, the sigmoid of the model's logit, which lies in [0, 1] as theirs does
but is another model's: whatever `model` names, the server's own ranks.

As there: at most 1 000 documents (there advised, here held to), which have to have room in the queue in tokens besides;
longer documents are cut, and `meta.warnings` says how many; unknown fields are ignored, and so is `priority`. A document is
cut to `max_tokens_per_doc` words of ours, and to what the model reads. Nothing is billed. Otherwise than there:
`relevant_spans` are refused. Left out: v1, documents of several fields, the other endpoints.
Source: docs.cohere.com/reference/rerank and /errors; the cohere package.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal
from uuid import uuid4

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from groundwire.odds import sigmoid
from groundwire.server.errors import BAD_REQUEST, ApiError, invalid, too_many
from groundwire.server.replies import replied
from groundwire.server.wires.request import Wired, bounded, limits_of, said, worded
from groundwire.text import word_bounds

PREFIXES = ("/v2/",)
MOST_DOCUMENTS = 1_000

router = APIRouter(route_class=Wired)


class RelevantSpans(BaseModel):
    """Whether the words that made the rank are asked for."""

    mode: Literal["enabled", "disabled"]


class RerankRequest(BaseModel):
    """The body."""

    model: str
    query: str
    documents: list[str]
    top_n: Annotated[int, Field(ge=1)] | None = None
    max_tokens_per_doc: Annotated[int, Field(ge=1)] | None = None
    relevant_spans: RelevantSpans | None = None


@router.post("/v2/rerank", response_model=dict[str, Any])
async def rerank(asked: RerankRequest, request: Request) -> Response:
    """Order documents by their relevance to the query, best first; equals stay in the order they came in."""
    if asked.relevant_spans and asked.relevant_spans.mode == "enabled":
        raise ApiError(400, BAD_REQUEST, "not_supported", "spans are not told: ask without them", "relevant_spans")
    worded("query", asked.query)
    if not asked.documents:
        raise invalid("missing_text", "list of documents must not be empty", "documents")
    if len(asked.documents) > MOST_DOCUMENTS:
        raise too_many("documents", MOST_DOCUMENTS)
    named = [(f"documents.{n}", text) for n, text in enumerate(asked.documents)]
    bounded(limits_of(request), [("query", asked.query), *named])
    # In a thread: words of a megabyte are counted for longer than other requests should wait.
    kept = await asyncio.to_thread(lambda: [_shortened(text, asked.max_tokens_per_doc) for text in asked.documents])
    pairs = [(asked.query, text) for text in kept]
    engine, ticket = request.app.state.engine, request.state.ticket
    logits = await engine.score(pairs, ticket)
    overlong = await engine.truncated(pairs, ticket, relevance=True)
    cut = sum(k != d or long for k, d, long in zip(kept, asked.documents, overlong, strict=True))
    ordered = sorted(range(len(logits)), key=lambda n: (-logits[n], n))[: asked.top_n]
    told = {
        "id": str(uuid4()),
        "results": [{"index": n, "relevance_score": sigmoid(logits[n])} for n in ordered],
        "meta": {
            "api_version": {"version": "2"},
            "billed_units": {"search_units": 0},
            **({"warnings": [f"documents that are too long and were judged by their beginning: {cut}"]} if cut else {}),
        },
    }
    return await replied(told)


def _shortened(text: str, words: int | None) -> str:
    if words is None or len(text) <= words:
        return text
    bounds = word_bounds(text)
    return text if len(bounds) <= words else text[: bounds[words - 1][1]]


def error_status(error: ApiError) -> int:
    """Return the HTTP status that the service has for this error."""
    return {413: 400, 422: 400}.get(error.status, error.status)


def error_body(error: ApiError, request_id: str) -> dict[str, Any]:
    """Return the service's envelope."""
    return {
        "id": request_id,
        "message": f"invalid request: {said(error)}" if error_status(error) == 400 else said(error),
    }
