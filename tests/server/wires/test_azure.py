"""Groundedness detection: the shapes of the quickstart, offsets in three units, Azure's errors."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from groundwire.errors import Busy

from .conftest import CONTRADICTED, IDLE, OPEN, SUPPORTED, Scripted

PATH = "/contentsafety/text:detectGroundedness?api-version=2024-09-15-preview"
SENTENCES = ("Naïve 😀 yes.", "She gets 12/hour.", "She likes tea.")
TEXT = " ".join(SENTENCES)
SOURCE = "They pay me 10/hour."


def asked(**more: Any) -> dict[str, Any]:
    return {
        "domain": "Generic",
        "task": "QnA",
        "qna": {"query": "How much does she get?"},
        "text": TEXT,
        "groundingSources": [SOURCE],
    } | more


@pytest.fixture
def scripted() -> Scripted:
    return Scripted(
        claims=[
            (SENTENCES[0], SUPPORTED, 0.9, []),
            (SENTENCES[1], CONTRADICTED, 0.1, [(0, SOURCE, 0.1)]),
            (SENTENCES[2], OPEN, 0.2, [(0, SOURCE, 0.0)]),
        ],
        unbacked={SENTENCES[2]: ["tea"]},
    )


def test_the_answer_has_the_documented_shape(http: TestClient, scripted: Scripted) -> None:
    answer = http.post(PATH, json=asked(reasoning=False))
    assert answer.status_code == 200
    assert answer.json() == {
        "ungroundedDetected": True,
        "ungroundedPercentage": pytest.approx(31 / 43),
        "ungroundedDetails": [
            {
                "text": SENTENCES[1],
                "offset": {"utf8": 17, "utf16": 14, "codePoint": 13},
                "length": {"utf8": 17, "utf16": 17, "codePoint": 17},
            },
            {
                "text": SENTENCES[2],
                "offset": {"utf8": 35, "utf16": 32, "codePoint": 31},
                "length": {"utf8": 14, "utf16": 14, "codePoint": 14},
            },
        ],
    }
    [(_, [case], threshold)] = scripted.asked
    assert threshold is None
    assert (case.question, case.answer, case.contexts[0].text) == ("How much does she get?", TEXT, SOURCE)


def test_a_length_counts_in_its_own_unit(http: TestClient, scripted: Scripted) -> None:
    scripted.claims = [(SENTENCES[0], OPEN, 0.1, [])]
    detail = http.post(PATH, json=asked()).json()["ungroundedDetails"][0]
    assert detail["length"] == {"utf8": 16, "utf16": 13, "codePoint": 12}


def test_a_reason_is_told_out_of_the_evidence(http: TestClient, scripted: Scripted) -> None:
    resource = {"resourceType": "AzureOpenAI", "azureOpenAIEndpoint": "https://example.org"}
    details = http.post(PATH, json=asked(reasoning=True, llmResource=resource)).json()["ungroundedDetails"]
    assert [detail["reason"] for detail in details] == [
        'Grounding source 1 says otherwise: "They pay me 10/hour."',
        'No grounding source says "tea"; the nearest, source 1, says: "They pay me 10/hour."',
    ]


@pytest.mark.parametrize("claims", [[(TEXT, SUPPORTED, 0.9, [])], [(TEXT, IDLE, None, [])]])
def test_nothing_is_ungrounded_in_what_is_backed_or_needs_no_check(
    http: TestClient, scripted: Scripted, claims: Any
) -> None:
    scripted.claims = claims
    expected = {"ungroundedDetected": False, "ungroundedPercentage": 0.0, "ungroundedDetails": []}
    assert http.post(PATH, json=asked()).json() == expected


def test_names_may_be_capitalised_as_in_older_samples(http: TestClient, scripted: Scripted) -> None:
    body = {
        "Domain": "MEDICAL",
        "Task": "summarization",
        "Text": TEXT,
        "GroundingSources": [SOURCE],
        "Reasoning": False,
    }
    assert http.post(PATH, json=body).status_code == 200
    assert scripted.asked[0][1][0].question is None


@pytest.mark.parametrize("field", ["correction", "mitigating"])
def test_a_correction_is_refused_and_not_passed_over(http: TestClient, scripted: Scripted, field: str) -> None:
    answer = http.post(PATH, json=asked(**{field: True}))
    assert answer.status_code == 400
    assert answer.headers["x-ms-error-code"] == "NotSupported"
    assert answer.json() == {
        "error": {"code": "NotSupported", "message": f"{field}: this server corrects nothing: ask without it"}
    }
    assert scripted.asked == []
    assert http.post(PATH, json=asked(**{field: False})).status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        asked(domain="SECRET"),
        asked(task="SECRET"),
        asked(qna=None),
        asked(qna={"query": "  "}),
        asked(text=" "),
        asked(text="x" * 2_001),
        asked(groundingSources=[]),
        asked(groundingSources=["", " "]),
        asked(groundingSources="SECRET"),
        asked(SECRET="x"),
        {"text": "SECRET"},
        "SECRET",
    ],
)
def test_a_bad_request_is_azures_400(http: TestClient, scripted: Scripted, body: Any) -> None:
    answer = http.post(PATH, json=body)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == answer.headers["x-ms-error-code"] == "InvalidRequestBody"
    assert "SECRET" not in answer.text
    assert scripted.asked == []


def test_a_full_queue_is_too_many_requests(http: TestClient, scripted: Scripted) -> None:
    scripted.error = Busy("full", retry_after=3)
    answer = http.post(PATH, json=asked())
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "3")
    assert answer.json()["error"]["code"] == "TooManyRequests"


def test_a_reason_quotes_no_more_than_a_reader_reads(http: TestClient, scripted: Scripted) -> None:
    long = "x" * 1_900
    scripted.claims = [(SENTENCES[1], CONTRADICTED, 0.1, [(0, long, 0.1)])]
    [told] = http.post(PATH, json=asked(groundingSources=[long], reasoning=True)).json()["ungroundedDetails"]
    assert len(told["reason"]) < 1_100


def test_sources_without_number_are_refused(http: TestClient) -> None:
    answer = http.post(PATH, json=asked(groundingSources=["a"] * 2_001))
    assert answer.status_code == 400
    assert "groundingSources" in answer.json()["error"]["message"]
