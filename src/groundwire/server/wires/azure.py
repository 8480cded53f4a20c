"""Azure AI Content Safety's groundedness detection: POST /contentsafety/text:detectGroundedness.

`ungroundedDetails` are the sentences that no source backs, with offset and length in bytes of UTF-8, in units of UTF-16 and
in code points; `ungroundedPercentage` is their share of the sentences' code points, from 0 to 1. With `reasoning` each has
a `reason` out of the evidence that was found. No language model of the caller's is asked for it, since no request may name
an address: `llmResource` is taken and not used.

As there: unknown fields are refused (400, InvalidRequestBody), names of fields may begin with a capital. Both domains are
judged alike. `correction` (and its older name `mitigating`) is refused: there is none yet. Any `api-version` will do. Left
out: the other operations of the service, and sign-in with Entra ID.
Source: learn.microsoft.com/azure/ai-services/content-safety/quickstart-groundedness and its concepts/response-codes.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, BeforeValidator, ConfigDict, model_validator
from pydantic.alias_generators import to_camel

from groundwire.render import OffsetEncoding, encoded_offsets
from groundwire.server.errors import BAD_REQUEST, ApiError, invalid
from groundwire.server.wires.request import Wired, answered, case_of, limits_of, said, verdict_on
from groundwire.types import ClaimVerdict, Label, Span, Verdict

PREFIXES = ("/contentsafety/",)
_UNITS: dict[str, OffsetEncoding] = {"utf8": "utf8", "utf16": "utf16", "codePoint": "codepoint"}
_CODES = {401: "401", 403: "403", 404: "ResourceNotFound", 408: "RequestTimeout", 429: "TooManyRequests"} | {
    500: "InternalError",
    503: "ServerBusy",
    504: "ServerBusy",
}
_QUOTED = 1_000
"""Characters of evidence that a reason quotes: a sentence is seldom as long, but a word may be as long as a text."""
_UNGROUNDED = (Label.CONTRADICTED, Label.NOT_ENOUGH_INFO)
_Domain = Literal["Generic", "Medical"]
_Task = Literal["QnA", "Summarization"]


def _spelled(*names: str) -> BeforeValidator:
    """Take any of the names whatever the case of its letters is."""
    known = {name.lower(): name for name in names}
    return BeforeValidator(lambda said: known.get(said.lower(), said) if isinstance(said, str) else said)


router = APIRouter(route_class=Wired)


class _Part(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _uncapitalised(cls, data: Any) -> Any:
        return {k[:1].lower() + k[1:]: v for k, v in data.items()} if isinstance(data, dict) else data


class QnA(_Part):
    """What the text is an answer to."""

    query: str | None = None


class GroundednessRequest(_Part):
    """The body."""

    text: str
    grounding_sources: list[str]
    domain: Annotated[_Domain, _spelled(*get_args(_Domain))] = "Generic"
    task: Annotated[_Task, _spelled(*get_args(_Task))] = "Summarization"
    qna: QnA | None = None
    reasoning: bool | None = None
    correction: bool | None = None
    mitigating: bool | None = None
    llm_resource: dict[str, Any] | None = None


@router.post("/contentsafety/text:detectGroundedness", response_model=dict[str, Any])
async def detect_groundedness(asked: GroundednessRequest, request: Request) -> Response:
    """Say which sentences of the text the sources do not back."""
    if asked.correction or asked.mitigating:
        field = "correction" if asked.correction else "mitigating"
        raise ApiError(400, BAD_REQUEST, "not_supported", "this server corrects nothing: ask without it", field)
    query = asked.qna.query if asked.qna else None
    if asked.task == "QnA" and not (query or "").strip():
        raise invalid("missing_text", "a QnA task needs the query", "qna.query")
    case = case_of(
        limits_of(request),
        answer=("text", asked.text),
        sources=[(f"groundingSources.{n}", text) for n, text in enumerate(asked.grounding_sources)]
        or [("groundingSources", "")],
        question=None if query is None else ("qna.query", query),
    )
    verdict = await verdict_on(request, case)
    return await answered(verdict, lambda: _response(verdict, reasoning=bool(asked.reasoning)))


def _response(verdict: Verdict, *, reasoning: bool) -> dict[str, Any]:
    ungrounded = [claim for claim in verdict.claims if claim.label in _UNGROUNDED]
    ends = [at for claim in ungrounded for at in (claim.claim.span.start, claim.claim.span.end)]
    places = {name: encoded_offsets(verdict.case.answer, ends, unit) for name, unit in _UNITS.items()}
    whole = _points(claim.claim.span for claim in verdict.claims)
    return {
        "ungroundedDetected": bool(ungrounded),
        "ungroundedPercentage": _points(claim.claim.span for claim in ungrounded) / whole if whole else 0.0,
        "ungroundedDetails": [_detail(verdict, claim, places, reasoning) for claim in ungrounded],
    }


def _points(spans: Any) -> int:
    return sum(span.end - span.start for span in spans)


def _detail(
    verdict: Verdict, claim: ClaimVerdict, places: dict[str, dict[int, int]], reasoning: bool
) -> dict[str, Any]:
    span: Span = claim.claim.span
    return {
        "text": span.of(verdict.case.answer),
        "offset": {name: at[span.start] for name, at in places.items()},
        "length": {name: at[span.end] - at[span.start] for name, at in places.items()},
        **({"reason": _reason(verdict, claim)} if reasoning else {}),
    }


def _reason(verdict: Verdict, claim: ClaimVerdict) -> str:
    """Say what was found, in the words of the evidence."""
    if not claim.evidence:
        return "No grounding source has anything near this."
    nearest = claim.evidence[0]
    source, words = nearest.index + 1, verdict.text_of(nearest)
    words = words if len(words) <= _QUOTED else f"{words[:_QUOTED]}…"
    if claim.label is Label.CONTRADICTED:
        return f'Grounding source {source} says otherwise: "{words}"'
    unbacked = ", ".join(f'"{span.of(verdict.case.answer)}"' for span in claim.spans)
    return f'No grounding source says {unbacked or "this"}; the nearest, source {source}, says: "{words}"'


def error_status(error: ApiError) -> int:
    """Return the HTTP status that the service has for this error."""
    return 400 if error.status == 422 else error.status


def error_headers(error: ApiError) -> dict[str, str]:
    """Return the header in which the service repeats its code."""
    return {"x-ms-error-code": _code(error)}


def error_body(error: ApiError, request_id: str) -> dict[str, Any]:
    """Return the service's envelope."""
    return {"error": {"code": _code(error), "message": said(error)}}


def _code(error: ApiError) -> str:
    if error.code == "not_supported":
        return "NotSupported"
    return _CODES.get(error.status, "InternalError" if error.status >= 500 else "InvalidRequestBody")
