"""AWS Bedrock's ApplyGuardrail, its contextual grounding alone: POST /guardrail/{id}/version/{version}/apply.

GROUNDING is the score of the answer against the blocks that are qualified `grounding_source`, RELEVANCE whether it has to
do with those that are qualified `query`: of the answer and each of its sentences the best one counts, as there of chunks.
What is guarded are the blocks with neither qualifier (else those that are `guard_content` too). A filter that scores under
its threshold is BLOCKED; then the action is GUARDRAIL_INTERVENED and `outputs` holds one sentence in place of the answer.

A guardrail is configured in AWS's console, and here not at all: any id and version is the same one. Its GROUNDING threshold
is the server's (0.5 unless told otherwise; the console proposes 0.7, but for scores of another scale), RELEVANCE blocks
under 0.5, where relevant and not are as likely. Without a query, or a model that reads relevance, there is no RELEVANCE
filter; of an answer with nothing to check in it no GROUNDING filter.

As there: unknown fields are ignored; with source INPUT nothing is checked, for grounding is a matter of answers. Otherwise
than there: an OUTPUT without a grounding source is refused, where AWS lets it pass unchecked; images are refused; both
filters are told whatever `outputScope` says. `usage` counts units of 1 000 characters, and nothing is billed. Left out:
the other policies, Converse and InvokeModel, and AWS's signatures: the key is a bearer token (AWS_BEARER_TOKEN_BEDROCK),
which boto3 sends over TLS only.
Source: the service model of bedrock-runtime (2023-09-30), and guardrails-contextual-grounding-check in the user guide.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel

from groundwire.errors import UsageError
from groundwire.odds import sigmoid
from groundwire.server.errors import ApiError, invalid
from groundwire.server.wires.request import Named, Wired, bounded, case_of, limits_of, said, verdict_on
from groundwire.types import Verdict

PREFIXES = ("/guardrail/",)
RELEVANT = 0.5
UNIT = 1_000
"""Characters of text that the service counts as one unit."""
BLOCKED_BY_GROUNDING = "The answer was blocked: it is not grounded in its sources."
BLOCKED_BY_RELEVANCE = "The answer was blocked: it does not answer the query."

_ID = r"^([a-z0-9]+|arn:aws(-[^:]+)?:bedrock:[a-z0-9-]{1,20}:[0-9]{12}:guardrail/[a-z0-9]+)$"
_VERSION = r"^([1-9][0-9]{0,7}|DRAFT)$"
_ERRORS = {
    400: "ValidationException",
    403: "AccessDeniedException",
    404: "ResourceNotFoundException",
    408: "RequestTimeoutException",
    429: "ThrottlingException",
    500: "InternalServerException",
    503: "ServiceUnavailableException",
}
_USAGE = (
    "topicPolicyUnits",
    "contentPolicyUnits",
    "wordPolicyUnits",
    "sensitiveInformationPolicyUnits",
    "sensitiveInformationPolicyFreeUnits",
)

router = APIRouter(route_class=Wired)


class TextBlock(BaseModel):
    """A text and what it is."""

    text: str
    qualifiers: list[Literal["grounding_source", "query", "guard_content"]] = []


class Block(BaseModel):
    """A block of the content."""

    text: TextBlock | None = None
    image: dict[str, Any] | None = None


class ApplyGuardrailRequest(BaseModel):
    """The body."""

    source: Literal["INPUT", "OUTPUT"]
    content: list[Block]
    outputScope: Literal["INTERVENTIONS", "FULL"] = "INTERVENTIONS"  # noqa: N815 - the service's own name


@router.post("/guardrail/{identifier:path}/version/{version}/apply")
async def apply_guardrail(
    identifier: Annotated[str, Path(pattern=_ID, max_length=2048)],
    version: Annotated[str, Path(pattern=_VERSION)],
    asked: ApplyGuardrailRequest,
    request: Request,
) -> dict[str, Any]:
    """Say whether the answer is grounded in its sources and relevant to its query."""
    parts = _Parts(asked.content)
    if asked.source == "INPUT":
        bounded(limits_of(request), parts.all)
        return _response([], [], parts, 0)
    case = case_of(
        limits_of(request),
        answer=("content", "\n".join(text for _, text in parts.guarded)),
        sources=parts.sources or [("content", "")],
        question=("content", "\n".join(text for _, text in parts.query)) if parts.query else None,
    )
    verdict = await verdict_on(request, case)
    grounding, relevance = _grounding(verdict), await _relevance(request, verdict)
    blocked = [
        sentence
        for filters, sentence in ((grounding, BLOCKED_BY_GROUNDING), (relevance, BLOCKED_BY_RELEVANCE))
        if any(one["detected"] for one in filters)
    ]
    return _response([*grounding, *relevance], blocked, parts, -(-parts.characters // UNIT))


class _Parts:
    """The texts of the content by what they are. Raises ApiError 422 for a block that holds no text."""

    def __init__(self, content: list[Block]) -> None:
        texts: list[tuple[Named, set[str]]] = []
        for n, block in enumerate(content):
            if block.image is not None or block.text is None:
                raise invalid("not_supported", "a block must hold a text: nothing else is checked", f"content.{n}")
            texts.append(((f"content.{n}.text.text", block.text.text), set(block.text.qualifiers)))
        self.all = [text for text, _ in texts]
        self.sources = [text for text, kinds in texts if "grounding_source" in kinds]
        self.query = [text for text, kinds in texts if "query" in kinds]
        plain = [text for text, kinds in texts if not kinds & {"grounding_source", "query"}]
        self.guarded = plain or [text for text, kinds in texts if "guard_content" in kinds]
        self.characters = sum(len(text) for _, text in self.all)


def _grounding(verdict: Verdict) -> list[dict[str, Any]]:
    return [] if verdict.score is None else [_filter("GROUNDING", verdict.score, verdict.threshold)]


async def _relevance(request: Request, verdict: Verdict) -> list[dict[str, Any]]:
    """Score the answer and each of its sentences for the query."""
    query, answer = verdict.case.question, verdict.case.answer
    if not (query or "").strip():
        return []
    pieces = dict.fromkeys([answer, *(claim.claim.span.of(answer) for claim in verdict.claims)])
    pairs = [(query, piece) for piece in pieces]
    try:
        logits = await request.app.state.engine.score(pairs, request.state.ticket)
    except UsageError:  # a model that reads no relevance: a guardrail without this filter
        return []
    return [_filter("RELEVANCE", sigmoid(max(logits)), RELEVANT)]


def _filter(kind: str, score: float, threshold: float) -> dict[str, Any]:
    under = score < threshold
    return {
        "type": kind,
        "threshold": threshold,
        "score": score,
        "action": "BLOCKED" if under else "NONE",
        "detected": under,
    }


def _response(filters: list[dict[str, Any]], blocked: list[str], parts: _Parts, units: int) -> dict[str, Any]:
    usage = dict.fromkeys(_USAGE, 0) | {"contextualGroundingPolicyUnits": units}
    guarded = sum(len(text) for _, text in parts.guarded) if units else 0
    return {
        "usage": usage,
        "action": "GUARDRAIL_INTERVENED" if blocked else "NONE",
        "actionReason": "Guardrail blocked." if blocked else "No action.",
        "outputs": [{"text": sentence} for sentence in blocked[:1]],
        "assessments": [{"contextualGroundingPolicy": {"filters": filters}}] if filters else [{}],
        "guardrailCoverage": {"textCharacters": {"guarded": guarded, "total": parts.characters}},
    }


def error_status(error: ApiError) -> int:
    """Return the HTTP status that the service has for this error."""
    return {401: 403, 413: 400, 422: 400, 504: 503}.get(error.status, error.status)


def error_headers(error: ApiError) -> dict[str, str]:
    """Return the header from which the AWS SDKs take the name of an error."""
    status = error_status(error)
    name = _ERRORS.get(status, "InternalServerException" if status >= 500 else "ValidationException")
    return {"x-amzn-errortype": name}


def error_body(error: ApiError, request_id: str) -> dict[str, Any]:
    """Return the service's envelope."""
    return {"message": said(error)}
