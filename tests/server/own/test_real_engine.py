"""The routes over the real engine: what the library says is what comes back, whatever else is in the batch."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from groundwire.api import Checker, Generator, Verifier
from groundwire.cases import read_case
from groundwire.render import answer_record, record

CASES = [
    {
        "question": "Who wrote Emma?",
        "answer": "😀 Jane Austen wrote Emma. It has ten sequels! It appeared in 1815.",
        "contexts": ["Emma is a novel by Jane Austen, published in 1815."],
    },
    {"user_input": "Who?", "response": "Jane Austen", "retrieved_contexts": ["Emma is by Jane Austen.", "", "\ud800"]},
    {"answer": "", "contexts": ["a"]},
    {"answer": "Sales rose 12 % in 2023. They fell in 2024.", "docs": ["In 2023 sales rose by 12 percent."] * 5},
    {"answer": "東京は日本の首都です。", "contexts": ["東京は日本の首都であり、人口は約1400万人です。"]},
]


def close(one: Any, other: Any) -> bool:
    """Say whether two records are the same, scores to within 1e-6 and timings aside."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(
            name in ("timings_ms", "seconds", "trace") or close(one[name], other[name]) for name in one
        )
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(close, one, other))
    return one == pytest.approx(other, abs=1e-6) if isinstance(one, float) else one == other


def sent(client: TestClient, path: str, body: Any) -> Any:
    return client.post(path, content=json.dumps(body).encode())


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
@pytest.mark.parametrize("encoding", ["codepoint", "utf8", "utf16"])
def test_a_check_and_its_stream_are_the_librarys(
    client: TestClient, read_events: Callable[[str], Any], case: dict[str, Any], encoding: Any
) -> None:
    wanted = record(Checker().check([read_case(case, fallback_id="0")])[0], offset_encoding=encoding)
    wanted = json.loads(json.dumps(wanted))
    asked = {**case, "offset_encoding": encoding}
    assert close(sent(client, "/v1/check", asked).json(), wanted)
    events = read_events(sent(client, "/v1/check/stream", asked).text)
    assert [name for name, _ in events] == ["claim"] * len(wanted["claims"]) + ["verdict"]
    assert close([data for _, data in events], [*wanted["claims"], wanted])


def test_who_else_asks_changes_nothing(client: TestClient) -> None:
    wanted = [record(verdict) for verdict in Checker(threshold=0.7).check(CASES)]
    wanted = json.loads(json.dumps(wanted))

    def ask(_: int) -> Any:
        return sent(client, "/v1/check", {"items": CASES, "threshold": 0.7}).json()["results"]

    with ThreadPoolExecutor(8) as pool:
        assert all(close(found, wanted) for found in pool.map(ask, range(16)))


def test_verify_search_and_generate_are_the_librarys(client: TestClient, tiny_index: Path) -> None:
    asked = {"question": "How high is the Eiffel Tower?", "answer": "The Eiffel Tower is 330 metres high."}
    with Verifier(tiny_index) as verifier:
        wanted = record(verifier.verify([asked])[0])
    assert close(client.post("/v1/verify", json={**asked, "index": "tiny"}).json(), wanted)
    hits = client.post("/v1/search", json={"query": "Eiffel Tower", "k": 1}).json()["hits"]
    assert [hit["id"] for hit in hits] == ["tower"]
    listed = client.get("/v1/indexes/tiny/passages", params={"offset": 1, "limit": 1}).json()
    assert (listed["total"], len(listed["passages"])) == (3, 1)
    with Generator(tiny_index, generations=2) as generator:
        answer = answer_record(generator.generate("How high is the Eiffel Tower?"))
    body = {"question": "How high is the Eiffel Tower?", "index": "tiny", "generations": 2, "stream": False}
    found = client.post("/v1/generate", json=body).json()
    assert (found["text"], found["verdict"]["verdict"]) == (answer["text"], answer["verdict"]["verdict"])
    assert [one["id"] for one in found["sources"]] == [one["id"] for one in answer["sources"]]


def test_an_unknown_stack_is_the_callers_mistake(client: TestClient) -> None:
    answered = client.post("/v1/search", json={"query": "Eiffel Tower", "stack": "no-such-stack"})
    assert answered.status_code == 422
