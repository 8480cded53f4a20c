"""Cohere's rerank: the shapes of its reference, cut documents are told, its errors."""

from typing import Any
from uuid import UUID

import pytest
from fastapi.testclient import TestClient

from groundwire.errors import Busy

from .conftest import Scripted

DOCUMENTS = [
    "Carson City is a capital.",
    "Saipan is an island.",
    "Washington, D.C. is the capital of the United States.",
]


def asked(**more: Any) -> dict[str, Any]:
    return {"model": "rerank-v3.5", "query": "What is the capital of the United States?", "documents": DOCUMENTS} | more


@pytest.fixture
def scripted() -> Scripted:
    return Scripted(logits=[0.0, -2.0, 2.0])


def test_the_answer_has_the_documented_shape(http: TestClient, scripted: Scripted) -> None:
    answer = http.post("/v2/rerank", json=asked(top_n=2, priority=3))
    assert answer.status_code == 200
    told = answer.json()
    assert UUID(told.pop("id"))
    assert told == {
        "results": [
            {"index": 2, "relevance_score": pytest.approx(0.8807970779778823)},
            {"index": 0, "relevance_score": 0.5},
        ],
        "meta": {"api_version": {"version": "2"}, "billed_units": {"search_units": 0}},
    }
    assert scripted.asked == [("score", [(asked()["query"], document) for document in DOCUMENTS])]


def test_documents_are_cut_to_so_many_words_and_that_is_told(http: TestClient, scripted: Scripted) -> None:
    told = http.post("/v2/rerank", json=asked(max_tokens_per_doc=4)).json()
    assert [text for _, text in scripted.asked[0][1]] == ["Carson City is a", DOCUMENTS[1], "Washington, D.C. is"]
    assert told["meta"]["warnings"] == ["documents that are too long and were judged by their beginning: 2"]


def test_what_the_model_cuts_is_told_too(http: TestClient, scripted: Scripted) -> None:
    scripted.cut = [False, True, False]
    told = http.post("/v2/rerank", json=asked()).json()
    assert told["meta"]["warnings"] == ["documents that are too long and were judged by their beginning: 1"]


@pytest.mark.parametrize(
    "body",
    [
        asked(documents=[]),
        asked(documents=["x"] * 1_001),
        asked(documents=["x" * 2_001]),
        asked(documents=[{"SECRET": "x"}]),
        asked(query="  "),
        asked(top_n=0),
        asked(max_tokens_per_doc=0),
        asked(relevant_spans={"mode": "enabled"}),
        {"query": "SECRET", "documents": DOCUMENTS},
        7,
    ],
)
def test_a_bad_request_is_a_message(http: TestClient, scripted: Scripted, body: Any) -> None:
    answer = http.post("/v2/rerank", json=body)
    assert answer.status_code == 400
    assert answer.json()["message"].startswith("invalid request: ")
    assert "SECRET" not in answer.text
    assert scripted.asked == []


def test_a_full_queue_is_told_as_a_message(http: TestClient, scripted: Scripted) -> None:
    scripted.error = Busy("full", retry_after=4)
    answer = http.post("/v2/rerank", json=asked())
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "4")
    assert answer.json()["message"].startswith("the queue is full")
