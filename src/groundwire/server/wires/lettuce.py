"""LettuceDetect's web API: POST /v1/lettucedetect/spans.

A span is a stretch of the answer, in code points, that the contexts do not back: the words that nothing backs, or the whole
sentence where no part of it is known to be worse than another. `hallucination_score` is 1 less the score of its sentence.

As there: unknown fields are ignored, and an empty answer has no spans. Otherwise than there: contexts without any text are
refused (422). Left out: /v1/lettucedetect/token, whose tokens are those of LettuceDetect's own model.
Source: the package lettucedetect, its web API's models and client.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from groundwire.server.errors import ApiError
from groundwire.server.replies import reply
from groundwire.server.wires.request import Wired, answered, case_of, limits_of, said, verdict_on
from groundwire.types import ClaimVerdict, Label, Verdict

PREFIXES = ("/v1/lettucedetect/",)
_UNBACKED = (Label.CONTRADICTED, Label.NOT_ENOUGH_INFO)

router = APIRouter(route_class=Wired)


class DetectionRequest(BaseModel):
    """The body."""

    contexts: list[str]
    question: str
    answer: str


@router.post("/v1/lettucedetect/spans", response_model=dict[str, Any])
async def spans(asked: DetectionRequest, request: Request) -> Response:
    """Find the stretches of the answer that the contexts do not back."""
    if not asked.answer.strip():
        return reply({"predictions": []})
    case = case_of(
        limits_of(request),
        answer=("answer", asked.answer),
        sources=[(f"contexts.{n}", text) for n, text in enumerate(asked.contexts)] or [("contexts", "")],
        question=("question", asked.question) if asked.question.strip() else None,
    )
    verdict = await verdict_on(request, case)
    return await answered(
        verdict, lambda: {"predictions": [one for claim in verdict.claims for one in _predictions(verdict, claim)]}
    )


def _predictions(verdict: Verdict, claim: ClaimVerdict) -> list[dict[str, Any]]:
    if claim.label not in _UNBACKED or claim.score is None:
        return []
    return [
        {
            "start": span.start,
            "end": span.end,
            "text": span.of(verdict.case.answer),
            "hallucination_score": 1 - claim.score,
        }
        for span in claim.spans or (claim.claim.span,)
    ]


def error_body(error: ApiError, request_id: str) -> dict[str, Any]:
    """Return the service's envelope."""
    return {"detail": said(error)}
