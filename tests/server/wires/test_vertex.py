"""Check grounding: the shapes of the REST reference, UTF-8 offsets, citations into chunks, Google's errors."""

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from groundwire.errors import Busy

from .conftest import IDLE, OPEN, SUPPORTED, Scripted

PATH = "/v1/projects/p/locations/global/groundingConfigs/default_grounding_config:check"
SENTENCES = ("Sure, here it is.", "Brontë wrote “Villette” 😀.", "It sold 3 copies.")
ANSWER = " ".join(SENTENCES)
FACTS = ["", "Villette is by Charlotte Brontë. It came out in 1853.", "Brontë wrote Villette."]


def asked(**more: Any) -> dict[str, Any]:
    return {
        "answerCandidate": ANSWER,
        "facts": [{"factText": fact, "attributes": {"author": "x"}} for fact in FACTS],
    } | more


@pytest.fixture
def scripted() -> Scripted:
    return Scripted(
        claims=[
            (SENTENCES[0], IDLE, None, []),
            (
                SENTENCES[1],
                SUPPORTED,
                0.9,
                [(2, FACTS[2], 0.95), (1, "Villette is by Charlotte Brontë.", 0.7), (1, "It came out in 1853.", 0.1)],
            ),
            (SENTENCES[2], OPEN, 0.2, [(1, "It came out in 1853.", 0.05)]),
        ]
    )


def test_the_answer_has_the_documented_shape(http: TestClient, scripted: Scripted) -> None:
    answer = http.post(PATH, json=asked())
    assert answer.status_code == 200
    assert answer.json() == {
        "supportScore": pytest.approx(0.55),
        "citedChunks": [
            {"chunkText": "Brontë wrote Villette.", "source": "2"},
            {"chunkText": "Villette is by Charlotte Brontë.", "source": "1"},
        ],
        "claims": [
            {"startPos": 0, "endPos": 17, "claimText": SENTENCES[0], "groundingCheckRequired": False},
            {
                "startPos": 18,
                "endPos": 52,
                "claimText": SENTENCES[1],
                "groundingCheckRequired": True,
                "citationIndices": [0, 1],
            },
            {
                "startPos": 53,
                "endPos": 70,
                "claimText": SENTENCES[2],
                "groundingCheckRequired": True,
                "citationIndices": [],
            },
        ],
    }
    for claim in answer.json()["claims"]:
        assert ANSWER.encode()[claim["startPos"] : claim["endPos"]].decode() == claim["claimText"]
    [(_, [case], threshold)] = scripted.asked
    assert threshold == 0.6
    assert [passage.text for passage in case.contexts] == FACTS


def test_a_threshold_is_that_of_the_claims_and_of_their_citations(http: TestClient, scripted: Scripted) -> None:
    spec = {"citationThreshold": 0.8, "enableClaimLevelScore": True}
    answer = http.post(PATH, json=asked(groundingSpec=spec)).json()
    assert answer["citedChunks"] == [{"chunkText": "Brontë wrote Villette.", "source": "2"}]
    assert [claim.get("score") for claim in answer["claims"]] == [None, 0.9, 0.2]
    assert scripted.asked[0][2] == 0.8


def test_a_claim_that_took_several_chunks_cites_the_best(http: TestClient, scripted: Scripted) -> None:
    scripted.claims = [(ANSWER, SUPPORTED, 0.8, [(2, FACTS[2], 0.5), (1, FACTS[1], 0.4)])]
    answer = http.post(PATH, json=asked()).json()
    assert answer["claims"][0]["citationIndices"] == [0]
    assert answer["citedChunks"] == [{"chunkText": FACTS[2], "source": "2"}]


def test_no_support_score_is_made_up_where_nothing_needed_a_check(http: TestClient, scripted: Scripted) -> None:
    scripted.claims = [(ANSWER, IDLE, None, [])]
    answer = http.post(PATH, json=asked()).json()
    assert "supportScore" not in answer
    assert answer["claims"][0]["groundingCheckRequired"] is False


def test_names_may_be_written_in_snake_case_and_under_v1beta(http: TestClient, scripted: Scripted) -> None:
    body = {
        "answer_candidate": ANSWER,
        "facts": [{"fact_text": fact} for fact in FACTS],
        "grounding_spec": {"citation_threshold": 0},
        "userLabels": {"team": "search"},
    }
    assert http.post(PATH.replace("v1", "v1beta"), json=body).status_code == 200
    assert scripted.asked[0][2] == 0.0


@pytest.mark.parametrize(
    "body",
    [
        asked(facts=[]),
        asked(facts=[{"factText": " "}]),
        asked(facts=[{"factText": "x"}] * 201),
        asked(answerCandidate=""),
        asked(answerCandidate="x" * 2_001),
        asked(groundingSpec={"citationThreshold": 1.5}),
        asked(secretField="SECRET"),
        {"facts": [{"factText": "SECRET"}]},
        asked(facts=[{"factText": ["SECRET"]}]),
        asked(facts="SECRET"),
        ["SECRET"],
    ],
)
def test_a_bad_request_is_googles_400(http: TestClient, scripted: Scripted, body: Any) -> None:
    answer = http.post(PATH, json=body)
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert {"code": 400, "status": "INVALID_ARGUMENT"}.items() <= error.items()
    assert error["message"]
    assert "SECRET" not in answer.text
    assert scripted.asked == []


def test_a_number_that_is_none_is_no_threshold(http: TestClient) -> None:
    body = json.dumps(asked(groundingSpec={"citationThreshold": float("nan")}))
    assert http.post(PATH, content=body, headers={"content-type": "application/json"}).status_code == 400


def test_a_full_queue_is_resource_exhausted(http: TestClient, scripted: Scripted) -> None:
    scripted.error = Busy("full", retry_after=7)
    answer = http.post(PATH, json=asked())
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "7")
    assert answer.json()["error"]["status"] == "RESOURCE_EXHAUSTED"
