"""Google's check grounding: POST /v1/projects/{p}/locations/{l}/groundingConfigs/{c}:check, and under /v1beta.

A claim is a sentence of `answerCandidate`, its positions are bytes of UTF-8, the end exclusive. It is cited when it scores
`citationThreshold` (0.6 unless given) or more: by every chunk that supports it that well alone, else by the best one, since
it took several. `supportScore` is documented as roughly the share of supported claims; it is the mean of the scores of
the claims that needed a check, which is the share that is expected, and stays apart from the threshold. When no claim
needed one it is left out: there is no share of nothing.

As there: at most 200 facts; unknown fields are refused (400); names in camel or snake case; a claim's `score` only with
`enableClaimLevelScore`. Otherwise than there: facts without any text are refused; neither the project nor the config is
looked at; `attributes` and `userLabels` change nothing. Left out: `citedFacts`, contradiction scores, other methods.
Source: cloud.google.com/generative-ai-app-builder/docs/check-grounding, and the REST reference of groundingConfigs.check.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from groundwire.render import encoded_offsets
from groundwire.server.errors import ApiError, too_many
from groundwire.server.wires.request import Wired, answered, case_of, limits_of, said, verdict_on
from groundwire.types import ClaimVerdict, Evidence, Label, Verdict

PREFIXES = ("/v1/projects/", "/v1beta/projects/")
MOST_FACTS = 200
THRESHOLD = 0.6
_PATH = "projects/{project}/locations/{location}/groundingConfigs/{config}:check"
_CODES = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND"} | {
    408: "DEADLINE_EXCEEDED",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}

router = APIRouter(route_class=Wired)


class _Message(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")


class Fact(_Message):
    """A text to check against."""

    fact_text: str = ""
    attributes: dict[str, str] = {}


class GroundingSpec(_Message):
    """How it is checked."""

    citation_threshold: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = THRESHOLD
    enable_claim_level_score: bool = False


class CheckGroundingRequest(_Message):
    """The body."""

    answer_candidate: str
    facts: list[Fact] = []
    grounding_spec: GroundingSpec = GroundingSpec()
    user_labels: dict[str, str] = {}


@router.post(f"/v1/{_PATH}", response_model=dict[str, Any])
@router.post(f"/v1beta/{_PATH}", response_model=dict[str, Any])
async def check_grounding(
    project: str, location: str, config: str, asked: CheckGroundingRequest, request: Request
) -> Response:
    """Say which sentences of the answer the facts support."""
    if len(asked.facts) > MOST_FACTS:
        raise too_many("facts", MOST_FACTS)
    facts = [(f"facts.{n}.factText", fact.fact_text) for n, fact in enumerate(asked.facts)]
    case = case_of(
        limits_of(request), answer=("answerCandidate", asked.answer_candidate), sources=facts or [("facts", "")]
    )
    spec = asked.grounding_spec
    verdict = await verdict_on(request, case, threshold=spec.citation_threshold)
    return await answered(verdict, lambda: _response(verdict, spec))


def _response(verdict: Verdict, spec: GroundingSpec) -> dict[str, Any]:
    chunks: dict[tuple[int, int, int], int] = {}
    spans = [claim.claim.span for claim in verdict.claims]
    places = encoded_offsets(verdict.case.answer, [at for s in spans for at in (s.start, s.end)], "utf8")
    claims = [_claim(verdict, claim, places, chunks, spec) for claim in verdict.claims]
    scores = [claim.score for claim in verdict.claims if claim.score is not None]
    return {
        **({"supportScore": sum(scores) / len(scores)} if scores else {}),
        "citedChunks": [
            {"chunkText": verdict.case.contexts[index].text[start:end], "source": str(index)}
            for index, start, end in chunks
        ],
        "claims": claims,
    }


def _claim(
    verdict: Verdict,
    claim: ClaimVerdict,
    places: dict[int, int],
    chunks: dict[tuple[int, int, int], int],
    spec: GroundingSpec,
) -> dict[str, Any]:
    """Return one claim; chunks that it is the first to cite are added to `chunks`."""
    span = claim.claim.span
    told: dict[str, Any] = {
        "startPos": places[span.start],
        "endPos": places[span.end],
        "claimText": span.of(verdict.case.answer),
        "groundingCheckRequired": claim.score is not None,
    }
    if claim.score is None:
        return told
    cited = [(e.index, e.span.start, e.span.end) for e in _cited(claim, spec.citation_threshold)]
    told["citationIndices"] = sorted(chunks.setdefault(chunk, len(chunks)) for chunk in dict.fromkeys(cited))
    return told | ({"score": claim.score} if spec.enable_claim_level_score else {})


def _cited(claim: ClaimVerdict, threshold: float) -> list[Evidence]:
    if claim.label is not Label.SUPPORTED:
        return []
    alone = [evidence for evidence in claim.evidence if evidence.entailment.supports >= threshold]
    return alone or list(claim.evidence[:1])


def error_status(error: ApiError) -> int:
    """Return the HTTP status that the service has for this error."""
    return {413: 400, 422: 400}.get(error.status, error.status)


def error_body(error: ApiError, request_id: str) -> dict[str, Any]:
    """Return the service's envelope."""
    status = error_status(error)
    code = _CODES.get(status, "INTERNAL" if status >= 500 else "INVALID_ARGUMENT")
    return {"error": {"code": status, "message": said(error), "status": code}}
