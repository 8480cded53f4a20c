"""LettuceDetect's spans: the shapes of its web API, offsets in code points, its errors."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from groundwire.errors import Busy

from .conftest import CONTRADICTED, IDLE, OPEN, SUPPORTED, Scripted

PATH = "/v1/lettucedetect/spans"
SENTENCES = ("Here you are 😀.", "The capital is Paris.", "It has 69 million people.", "It is old.")
ANSWER = " ".join(SENTENCES)


def asked(**more: Any) -> dict[str, Any]:
    return {"contexts": ["Paris is the capital. 67 million."], "question": "Capital?", "answer": ANSWER} | more


@pytest.fixture
def scripted() -> Scripted:
    return Scripted(
        claims=[
            (SENTENCES[0], IDLE, None, []),
            (SENTENCES[1], SUPPORTED, 0.9, []),
            (SENTENCES[2], CONTRADICTED, 0.25, []),
            (SENTENCES[3], OPEN, 0.5, []),
        ],
        unbacked={SENTENCES[2]: ["69 million"]},
    )


def test_the_answer_has_the_documented_shape(http: TestClient) -> None:
    answer = http.post(PATH, json=asked(other=1))
    assert answer.status_code == 200
    assert answer.json() == {
        "predictions": [
            {"start": 45, "end": 55, "text": "69 million", "hallucination_score": 0.75},
            {"start": 64, "end": 74, "text": "It is old.", "hallucination_score": 0.5},
        ]
    }
    assert all(ANSWER[p["start"] : p["end"]] == p["text"] for p in answer.json()["predictions"])


def test_an_empty_answer_has_no_spans(http: TestClient, scripted: Scripted) -> None:
    answer = http.post(PATH, json={"contexts": [], "question": "", "answer": ""})
    assert (answer.status_code, answer.json()) == (200, {"predictions": []})
    assert scripted.asked == []


@pytest.mark.parametrize(
    "body",
    [
        asked(contexts=[]),
        asked(contexts=[" "]),
        asked(answer=None),
        asked(answer="x" * 2_001),
        asked(contexts="SECRET"),
        {"question": "SECRET"},
    ],
)
def test_a_bad_request_has_a_detail(http: TestClient, scripted: Scripted, body: Any) -> None:
    answer = http.post(PATH, json=body)
    assert answer.status_code == 422
    assert list(answer.json()) == ["detail"]
    assert "SECRET" not in answer.text
    assert scripted.asked == []


def test_a_full_queue_has_a_detail(http: TestClient, scripted: Scripted) -> None:
    scripted.error = Busy("full", retry_after=4)
    answer = http.post(PATH, json=asked())
    assert (answer.status_code, answer.headers["retry-after"], list(answer.json())) == (429, "4", ["detail"])
