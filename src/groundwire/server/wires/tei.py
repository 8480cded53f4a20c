"""Hugging Face text-embeddings-inference: POST /predict and /rerank, GET /info and /health.

/predict judges (premise, claim) pairs as an entailment model served there would: `inputs` is one pair of strings, or a batch
of pairs. The labels are entailment, neutral and contradiction (entailment and not_entailment for a model of two classes),
best first. With `raw_scores` a score is the logarithm of the probability: a logit less what all labels of the pair share.
/rerank orders `texts` by their relevance to `query`, by the sigmoid of the logit or with `raw_scores` the logit.

As there: unknown fields are ignored; a batch, or a pair that is longer than the model reads, is refused (413) unless
`truncate`, and then `x-groundwire-truncated` says of how many pairs the evidence was cut. Otherwise than there: one text
alone is refused, because a claim needs a premise; texts are cut at the end only. A batch has at most the server's limit of
items, which /info tells, though 1 000 texts may be reranked at once; what they cost in tokens has to have room in the queue.
/health and /info want the key too. Left out: embeddings and what is made of them (/embed, /similarity), /tokenize, gRPC.
Source: the service's OpenAPI document (docs/openapi.json) and router.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, BeforeValidator

from groundwire import __version__
from groundwire.odds import sigmoid
from groundwire.server.errors import BAD_REQUEST, ApiError, invalid, too_many, unavailable
from groundwire.server.replies import replied, reply
from groundwire.server.wires.request import Wired, bounded, limits_of, said
from groundwire.types import Entailment

PREFIXES = ("/predict", "/rerank", "/info", "/health")
MOST_TEXTS = 1_000
CUT = "x-groundwire-truncated"
LEAST = 1e-38
"""A probability is not taken for smaller before its logarithm is taken; the least that a float32 holds in full."""

_TOO_LARGE = {"text_too_long", "too_many_items", "pair_too_long"}
_TYPES = {404: "Validation", 408: "Overloaded", 413: "Validation", 422: "Validation", 429: "Overloaded"} | {
    503: "Unhealthy",
    504: "Overloaded",
}

router = APIRouter(route_class=Wired)


class _Cutting(BaseModel):
    truncate: bool | None = None
    truncation_direction: Annotated[
        Literal["right"], BeforeValidator(lambda said: said.lower() if isinstance(said, str) else said)
    ] = "right"
    raw_scores: bool = False


class PredictRequest(_Cutting):
    """The body of /predict."""

    inputs: str | list[str] | list[list[str]]


class RerankRequest(_Cutting):
    """The body of /rerank."""

    query: str
    texts: list[str]
    return_text: bool = False


@router.post("/predict", response_model=list[Any])
async def predict(asked: PredictRequest, request: Request) -> Response:
    """Judge pairs: one list of labels with scores, or a list a pair for a batch."""
    inputs = asked.inputs
    single = isinstance(inputs, str) or any(isinstance(text, str) for text in inputs)
    batch = [[inputs] if isinstance(inputs, str) else inputs] if single else inputs
    limits = limits_of(request)
    if not batch:
        raise invalid("missing_text", "there is nothing to judge", "inputs")
    if len(batch) > limits.items:
        raise too_many("inputs", limits.items)
    pairs = [_pair(texts) for texts in batch]
    bounded(limits, (("inputs", text) for pair in pairs for text in pair))
    judged = await request.app.state.engine.entail(pairs, request.state.ticket)
    headers = await _cut(request, asked, pairs, relevance=False)
    told = [_labels(entailment, raw=asked.raw_scores) for entailment in judged]
    return reply(told[0] if single else told, headers=headers)


def _pair(texts: Any) -> tuple[str, str]:
    if len(texts) != 2:
        raise invalid("not_a_pair", "an input is a pair of texts: the premise and the claim", "inputs")
    return texts[0], texts[1]


def _labels(entailment: Entailment, *, raw: bool) -> list[dict[str, Any]]:
    scores = {"entailment": entailment.supports, "not_entailment": 1 - entailment.supports}
    if entailment.refutes is not None:
        neutral = max(0.0, 1 - entailment.supports - entailment.refutes)
        scores = {
            "entailment": entailment.supports,
            "neutral": neutral if entailment.neutral is None else entailment.neutral,
            "contradiction": entailment.refutes,
        }
    ordered = sorted(scores.items(), key=lambda item: -item[1])
    return [{"score": math.log(max(p, LEAST)) if raw else p, "label": label} for label, p in ordered]


@router.post("/rerank", response_model=list[dict[str, Any]])
async def rerank(asked: RerankRequest, request: Request) -> Response:
    """Order texts by their relevance to the query, best first; equals stay in the order they came in."""
    if not asked.texts:
        raise invalid("missing_text", "there are no texts to rank", "texts")
    if len(asked.texts) > MOST_TEXTS:
        raise too_many("texts", MOST_TEXTS)
    bounded(limits_of(request), [("query", asked.query), *((f"texts.{n}", t) for n, t in enumerate(asked.texts))])
    pairs = [(asked.query, text) for text in asked.texts]
    logits = await request.app.state.engine.score(pairs, request.state.ticket)
    headers = await _cut(request, asked, pairs, relevance=True)
    ranked = [
        {
            "index": n,
            **({"text": asked.texts[n]} if asked.return_text else {}),
            "score": logits[n] if asked.raw_scores else sigmoid(logits[n]),
        }
        for n in sorted(range(len(logits)), key=lambda n: (-logits[n], n))
    ]
    return await replied(ranked, headers=headers)


async def _cut(
    request: Request, asked: _Cutting, pairs: Sequence[tuple[str, str]], *, relevance: bool
) -> dict[str, str]:
    """Return the header that says of how many pairs the model read only the beginning, where it did.

    Raises ApiError 413 unless that was asked for.
    """
    cut = sum(await request.app.state.engine.truncated(pairs, request.state.ticket, relevance=relevance))
    if cut and not asked.truncate:
        message = f"{cut} of the pairs are longer than the model reads: shorten them, or ask with truncate"
        raise ApiError(413, BAD_REQUEST, "pair_too_long", message)
    return {CUT: str(cut)} if cut else {}


@router.get("/info")
async def info(request: Request) -> dict[str, Any]:
    """Describe the model and the limits."""
    model, limits = request.app.state.engine.model, limits_of(request)
    labels = ("entailment", "neutral", "contradiction")
    told = {
        "id2label": {str(n): label for n, label in enumerate(labels)},
        "label2id": {label: n for n, label in enumerate(labels)},
    }
    return {
        "model_id": model.name,
        "model_sha": model.identity or None,
        "model_dtype": model.precision,
        "model_type": {"reranker": told},
        "max_concurrent_requests": limits.connections,
        "max_input_length": model.max_length,
        "max_batch_tokens": model.max_batch_tokens,
        "max_batch_requests": None,
        "max_client_batch_size": limits.items,
        "auto_truncate": False,
        "tokenization_workers": 1,
        "version": __version__,
        "sha": None,
        "docker_label": None,
    }


@router.get("/health", response_class=Response)
async def health(request: Request) -> Response:
    """Say that the model is there (200, no body), or that it is not (503)."""
    if not request.app.state.engine.ready:  # the guard answers for a server that ends
        raise unavailable("not_ready", "unhealthy")
    return Response()


def error_status(error: ApiError) -> int:
    """Return the HTTP status that the service has for this error."""
    return 413 if error.code in _TOO_LARGE else error.status


def error_body(error: ApiError, request_id: str) -> dict[str, Any]:
    """Return the service's envelope."""
    status = error_status(error)
    return {"error": said(error), "error_type": _TYPES.get(status, "Backend" if status >= 500 else "Validation")}
