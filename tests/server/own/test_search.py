from typing import Any

import pytest
from starlette.testclient import TestClient


def test_hits_come_best_first(ask: TestClient, indexed: Any) -> None:
    found = ask.post("/v1/search", json={"query": "Eiffel Tower", "index": "tiny", "k": 2}).json()
    assert found["index"] == "tiny"
    assert [(hit["rank"], hit["id"]) for hit in found["hits"]] == [(1, "tower")]
    assert found["hits"][0]["text"].startswith("The Eiffel Tower")
    assert found["hits"][0]["score"] > 0


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({}, "query"),
        ({"query": " "}, "query"),
        ({"query": 3}, "query"),
        ({"query": "q", "k": 0}, "k"),
        ({"query": "q", "k": 101}, "k"),
        ({"query": "q", "k": 1.5}, "k"),
        ({"query": "q", "index": "other"}, "index"),
        ({"query": "q", "folder": "/etc"}, "folder"),
        ({"query": "q" * 200_001}, "query"),
    ],
)
def test_what_cannot_be_asked_is_named(ask: TestClient, indexed: Any, body: Any, param: str) -> None:
    answered = ask.post("/v1/search", json=body)
    assert (answered.status_code, answered.json()["error"]["param"]) == (422, param)


def test_a_long_query_may_be_cut(ask: TestClient, indexed: Any) -> None:
    found = ask.post("/v1/search", json={"query": "Eiffel " + "q" * 200_001, "truncate": True}).json()
    assert found["truncated"] is True
    assert found["hits"]


def test_indexes_are_listed_with_their_numbers(ask: TestClient, indexed: Any) -> None:
    [index] = ask.get("/v1/indexes").json()["indexes"]
    assert (index["name"], index["passages"]) == ("tiny", 3)


def test_passages_come_by_the_page(ask: TestClient, indexed: Any) -> None:
    first = ask.get("/v1/indexes/tiny/passages", params={"limit": 2}).json()
    rest = ask.get("/v1/indexes/tiny/passages", params={"offset": 2}).json()
    assert (first["total"], first["offset"], rest["offset"]) == (3, 0, 2)
    assert {passage["id"] for page in (first, rest) for passage in page["passages"]} == {"tower", "bridge", "river"}
    assert ask.get("/v1/indexes/tiny/passages", params={"offset": 99}).json()["passages"] == []


def test_an_unknown_index_has_no_passages(ask: TestClient, indexed: Any) -> None:
    assert ask.get("/v1/indexes/other/passages").status_code == 404
    assert ask.get("/v1/indexes/tiny/passages", params={"limit": 101}).status_code == 422
    assert ask.get("/v1/indexes/tiny/passages", params={"offset": -1}).status_code == 422
