"""ApplyGuardrail's contextual grounding: the shapes of the bedrock-runtime service model, qualifiers, AWS's errors."""

from typing import Any

import botocore.session
import pytest
from botocore.validate import ParamValidator
from fastapi.testclient import TestClient

from groundwire.errors import Busy, UsageError
from groundwire.server.wires.bedrock import BLOCKED_BY_GROUNDING, BLOCKED_BY_RELEVANCE

from .conftest import IDLE, OPEN, SUPPORTED, Scripted

PATH = "/guardrail/abc123/version/DRAFT/apply"
SOURCE = "London is the capital of UK. Tokyo is the capital of Japan."
QUERY = "What is the capital of Japan?"
ANSWER = "The capital of Japan is Tokyo."


def block(text: str, *qualifiers: str) -> dict[str, Any]:
    return {"text": {"text": text, **({"qualifiers": list(qualifiers)} if qualifiers else {})}}


def asked(**more: Any) -> dict[str, Any]:
    content = [block(SOURCE, "grounding_source"), block(QUERY, "query"), block(ANSWER, "guard_content")]
    return {"source": "OUTPUT", "content": content} | more


def filters(answer: Any) -> dict[str, Any]:
    return {f["type"]: f for f in answer["assessments"][0]["contextualGroundingPolicy"]["filters"]}


@pytest.fixture
def scripted() -> Scripted:
    return Scripted(claims=[(ANSWER, SUPPORTED, 0.9, [])], logits=[2.0])


def test_the_answer_has_the_shape_of_the_service_model(http: TestClient, scripted: Scripted) -> None:
    answer = http.post(PATH, json=asked())
    assert answer.status_code == 200
    relevance = pytest.approx(0.880797)
    assert answer.json() == {
        "usage": {
            "topicPolicyUnits": 0,
            "contentPolicyUnits": 0,
            "wordPolicyUnits": 0,
            "sensitiveInformationPolicyUnits": 0,
            "sensitiveInformationPolicyFreeUnits": 0,
            "contextualGroundingPolicyUnits": 1,
        },
        "action": "NONE",
        "actionReason": "No action.",
        "outputs": [],
        "assessments": [
            {
                "contextualGroundingPolicy": {
                    "filters": [
                        {"type": "GROUNDING", "threshold": 0.5, "score": 0.9, "action": "NONE", "detected": False},
                        {
                            "type": "RELEVANCE",
                            "threshold": 0.5,
                            "score": relevance,
                            "action": "NONE",
                            "detected": False,
                        },
                    ]
                }
            }
        ],
        "guardrailCoverage": {"textCharacters": {"guarded": 30, "total": 118}},
    }
    shape = botocore.session.get_session().get_service_model("bedrock-runtime").operation_model("ApplyGuardrail")
    assert not ParamValidator().validate(answer.json(), shape.output_shape).has_errors()
    (_, [case], threshold), (_, pairs) = scripted.asked
    assert (case.question, case.answer, [p.text for p in case.contexts]) == (QUERY, ANSWER, [SOURCE])
    assert threshold is None
    assert pairs == [(QUERY, ANSWER)]


def test_an_answer_that_is_not_grounded_is_blocked(http: TestClient, scripted: Scripted) -> None:
    scripted.claims = [(ANSWER, OPEN, 0.2, [])]
    answer = http.post(PATH, json=asked()).json()
    assert (answer["action"], answer["outputs"]) == ("GUARDRAIL_INTERVENED", [{"text": BLOCKED_BY_GROUNDING}])
    assert [(f["action"], f["detected"]) for f in filters(answer).values()] == [("BLOCKED", True), ("NONE", False)]


def test_relevance_is_that_of_the_best_sentence(http: TestClient, scripted: Scripted) -> None:
    longer = f"Good question. {ANSWER}"
    scripted.claims = [("Good question.", IDLE, None, []), (ANSWER, SUPPORTED, 0.9, [])]
    scripted.logits = [-3.0, -4.0, 1.0]
    content = [block(SOURCE, "grounding_source"), block(QUERY, "query"), block(longer)]
    assert http.post(PATH, json=asked(content=content)).json()["action"] == "NONE"
    assert scripted.asked[1][1] == [(QUERY, longer), (QUERY, "Good question."), (QUERY, ANSWER)]
    scripted.logits = [-3.0, -4.0, -1.0]
    answer = http.post(PATH, json=asked(content=content)).json()
    assert (answer["action"], answer["outputs"]) == ("GUARDRAIL_INTERVENED", [{"text": BLOCKED_BY_RELEVANCE}])


def test_without_a_query_or_a_model_that_reads_relevance_there_is_no_such_filter(
    http: TestClient, scripted: Scripted
) -> None:
    content = [block(SOURCE, "grounding_source"), block(ANSWER)]
    assert list(filters(http.post(PATH, json=asked(content=content)).json())) == ["GROUNDING"]
    scripted.no_relevance = UsageError("does not score relevance")
    assert list(filters(http.post(PATH, json=asked()).json())) == ["GROUNDING"]


def test_what_holds_nothing_to_check_gets_no_score(http: TestClient, scripted: Scripted) -> None:
    scripted.claims = [(ANSWER, IDLE, None, [])]
    assert list(filters(http.post(PATH, json=asked()).json())) == ["RELEVANCE"]


def test_blocks_are_what_their_qualifiers_say(http: TestClient, scripted: Scripted) -> None:
    scripted.claims = []
    content = [
        block("One source.", "grounding_source"),
        block("Another.", "grounding_source", "guard_content"),
        block("Asked", "query"),
        block("this?", "query", "guard_content"),
        block("Plain."),
        block("Guarded.", "guard_content"),
    ]
    http.post(PATH, json=asked(content=content))
    case = scripted.asked[0][1][0]
    assert [passage.text for passage in case.contexts] == ["One source.", "Another."]
    assert (case.question, case.answer) == ("Asked\nthis?", "Plain.\nGuarded.")
    http.post(PATH, json=asked(content=content[:4]))
    assert scripted.asked[-2][1][0].answer == "Another.\nthis?"


def test_an_input_is_not_checked_for_grounding(http: TestClient, scripted: Scripted) -> None:
    answer = http.post(PATH, json=asked(source="INPUT")).json()
    assert (answer["action"], answer["outputs"], answer["assessments"]) == ("NONE", [], [{}])
    assert answer["usage"]["contextualGroundingPolicyUnits"] == 0
    assert scripted.asked == []


def test_fields_that_are_not_known_are_ignored_and_ids_may_be_names_of_resources(http: TestClient) -> None:
    arn = "arn%3Aaws%3Abedrock%3Aus-east-1%3A123456789012%3Aguardrail%2Fabc123"
    assert http.post(f"/guardrail/{arn}/version/1/apply", json=asked(outputScope="FULL", other=1)).status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        asked(source="SECRET"),
        asked(content=[block(ANSWER)]),
        asked(content=[block(SOURCE, "grounding_source")]),
        asked(content=[block(SOURCE, "SECRET"), block(ANSWER)]),
        asked(content=[{"image": {"format": "png", "source": {"bytes": "SECRET"}}}, block(SOURCE, "grounding_source")]),
        asked(content=[{}]),
        asked(content=[block("x" * 2_001, "grounding_source"), block(ANSWER)]),
        asked(content=[]),
        {"source": "OUTPUT"},
        [],
    ],
)
def test_a_bad_request_is_a_validation_exception(http: TestClient, scripted: Scripted, body: Any) -> None:
    answer = http.post(PATH, json=body)
    assert (answer.status_code, answer.headers["x-amzn-errortype"]) == (400, "ValidationException")
    assert list(answer.json()) == ["message"]
    assert "SECRET" not in answer.text
    assert scripted.asked == []


@pytest.mark.parametrize("path", ["/guardrail/UPPER/version/1/apply", "/guardrail/abc/version/0/apply"])
def test_ids_and_versions_are_spelled_as_there(http: TestClient, path: str) -> None:
    answer = http.post(path, json=asked())
    assert (answer.status_code, answer.headers["x-amzn-errortype"]) == (400, "ValidationException")


def test_a_full_queue_throttles(http: TestClient, scripted: Scripted) -> None:
    scripted.error = Busy("full", retry_after=3)
    answer = http.post(PATH, json=asked())
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "3")
    assert answer.headers["x-amzn-errortype"] == "ThrottlingException"
