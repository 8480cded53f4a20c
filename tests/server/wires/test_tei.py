"""text-embeddings-inference: pairs and batches as its OpenAPI document has them, ranks, its errors."""

import math
from typing import Any

import pytest
from fastapi.testclient import TestClient

from groundwire.errors import Busy
from groundwire.types import Entailment

from .conftest import Scripted

YES = Entailment(supports=0.7, refutes=0.1, neutral=0.2)
NO = Entailment(supports=0.1, refutes=0.9, neutral=0.0)


def labels(*pairs: tuple[str, float]) -> list[dict[str, Any]]:
    return [{"score": pytest.approx(score), "label": label} for label, score in pairs]


def test_one_pair_gives_its_labels_best_first(http: TestClient, scripted: Scripted) -> None:
    scripted.entailments = [YES]
    answer = http.post("/predict", json={"inputs": ["premise", "claim"], "parameters": {}})
    assert answer.status_code == 200
    assert answer.json() == labels(("entailment", 0.7), ("neutral", 0.2), ("contradiction", 0.1))
    assert scripted.asked == [("entail", [("premise", "claim")])]


def test_a_batch_gives_a_list_a_pair(http: TestClient, scripted: Scripted) -> None:
    scripted.entailments = [YES, NO]
    answer = http.post("/predict", json={"inputs": [["a", "b"], ["c", "d"]]}).json()
    assert [one[0] for one in answer] == labels(("entailment", 0.7), ("contradiction", 0.9))
    assert scripted.asked == [("entail", [("a", "b"), ("c", "d")])]


def test_raw_scores_are_logits_of_the_same_probabilities(http: TestClient, scripted: Scripted) -> None:
    scripted.entailments = [NO]
    answer = http.post("/predict", json={"inputs": ["a", "b"], "raw_scores": True}).json()
    whole = sum(math.exp(one["score"]) for one in answer)
    found = {one["label"]: math.exp(one["score"]) / whole for one in answer}
    assert found == {"contradiction": pytest.approx(0.9), "entailment": pytest.approx(0.1), "neutral": pytest.approx(0)}


def test_a_model_of_two_classes_has_two_labels(http: TestClient, scripted: Scripted) -> None:
    scripted.entailments = [Entailment(supports=0.25)]
    answer = http.post("/predict", json={"inputs": ["a", "b"]}).json()
    assert answer == labels(("not_entailment", 0.75), ("entailment", 0.25))


def test_ranks_are_sorted_and_are_sigmoids(http: TestClient, scripted: Scripted) -> None:
    scripted.logits = [-1.0, 2.0, 2.0]
    answer = http.post("/rerank", json={"query": "q", "texts": ["a", "b", "c"]})
    assert answer.status_code == 200
    high, low = pytest.approx(0.8807970779778823), pytest.approx(0.2689414213699951)
    assert answer.json() == [{"index": 1, "score": high}, {"index": 2, "score": high}, {"index": 0, "score": low}]
    assert scripted.asked == [("score", [("q", "a"), ("q", "b"), ("q", "c")])]
    assert "x-groundwire-truncated" not in answer.headers


def test_ranks_may_be_raw_and_bring_their_texts(http: TestClient, scripted: Scripted) -> None:
    scripted.logits = [-1.0, 2.0]
    body = {"query": "q", "texts": ["a", "b"], "raw_scores": True, "return_text": True, "truncation_direction": "Right"}
    expected = [{"index": 1, "text": "b", "score": 2.0}, {"index": 0, "text": "a", "score": -1.0}]
    assert http.post("/rerank", json=body).json() == expected


@pytest.mark.parametrize(
    ("path", "body"),
    [("/rerank", {"query": "q", "texts": ["a", "b"]}), ("/predict", {"inputs": [["q", "a"], ["q", "b"]]})],
)
def test_nothing_is_cut_unless_that_is_asked_for(
    http: TestClient, scripted: Scripted, path: str, body: dict[str, Any]
) -> None:
    scripted.logits, scripted.entailments, scripted.cut = [1.0, 2.0], [YES, NO], [True, False]
    refused = http.post(path, json=body)
    assert refused.status_code == 413
    assert refused.json()["error_type"] == "Validation"
    answer = http.post(path, json=body | {"truncate": True})
    assert (answer.status_code, answer.headers["x-groundwire-truncated"]) == (200, "1")


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/predict", {"inputs": "SECRET"}, 422),
        ("/predict", {"inputs": ["SECRET"]}, 422),
        ("/predict", {"inputs": ["SECRET", "b", "c"]}, 422),
        ("/predict", {"inputs": [["a", "b"], ["SECRET"]]}, 422),
        ("/predict", {"inputs": [["a", "b"], "SECRET"]}, 422),
        ("/predict", {"inputs": []}, 422),
        ("/predict", {}, 422),
        ("/predict", {"inputs": [["a", "b"]] * 33}, 413),
        ("/predict", {"inputs": ["a", "x" * 2_001]}, 413),
        ("/rerank", {"query": "q", "texts": []}, 422),
        ("/rerank", {"query": "SECRET"}, 422),
        ("/rerank", {"query": "q", "texts": ["x"] * 1_001}, 413),
        ("/rerank", {"query": "q", "texts": ["x" * 2_001]}, 413),
        ("/rerank", {"query": "q", "texts": ["a"], "truncation_direction": "left"}, 422),
    ],
)
def test_a_bad_request_is_an_error_of_the_kind_validation(
    http: TestClient, scripted: Scripted, path: str, body: Any, status: int
) -> None:
    answer = http.post(path, json=body)
    assert answer.status_code == status
    assert answer.json() == {"error": answer.json()["error"], "error_type": "Validation"}
    assert "SECRET" not in answer.text
    assert scripted.asked == []


def test_a_full_queue_is_overload(http: TestClient, scripted: Scripted) -> None:
    scripted.error = Busy("full", retry_after=4)
    answer = http.post("/rerank", json={"query": "q", "texts": ["a"]})
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "4")
    assert answer.json()["error_type"] == "Overloaded"


def test_info_has_what_clients_read(http: TestClient) -> None:
    told = http.get("/info").json()
    assert {"model_id": "mini", "model_sha": "c0ffee", "model_dtype": "int8"}.items() <= told.items()
    assert (told["max_client_batch_size"], told["max_input_length"], told["max_batch_tokens"]) == (32, 512, 1024)
    assert told["model_type"]["reranker"]["label2id"]["entailment"] == 0


def test_health_follows_the_engine(http: TestClient, scripted: Scripted) -> None:
    healthy = http.get("/health")
    assert (healthy.status_code, healthy.content) == (200, b"")
    scripted.ready = False
    down = http.get("/health")
    assert (down.status_code, down.json()["error_type"]) == (503, "Unhealthy")
