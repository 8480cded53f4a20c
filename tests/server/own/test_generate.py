from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from groundwire.api import Generator
from groundwire.render import answer_record

ReadEvents = Callable[[str], list[tuple[str | None, Any]]]
QUESTION = "When was the Eiffel Tower finished?"
TEXTS = ["The Eiffel Tower was finished in 1889.", "Paris lies on the Seine."]


def untimed(record: dict[str, Any]) -> dict[str, Any]:
    generations = [{**generation, "seconds": 0} for generation in record["generations"]]
    verdict = {**record["verdict"], "timings_ms": None}
    return {**record, "generations": generations, "verdict": verdict, "trace": None}


def test_generations_come_one_by_one_and_the_answer_last(
    ask: TestClient, indexed: Any, read_events: ReadEvents
) -> None:
    events = read_events(ask.post("/v1/generate", json={"question": QUESTION, "index": "tiny", "generations": 3}).text)
    names = [name for name, _ in events]
    assert names == ["generation"] * (len(names) - 1) + ["answer"]
    assert [data["generation"]["number"] for _, data in events[:-1]] == list(range(len(names) - 1))
    assert all(data["best"]["text"] for _, data in events[:-1])
    answer = events[-1][1]
    assert answer["verdict"]["verdict"] == "supported"
    assert answer["lineage"][0]["text"] == answer["text"]
    assert indexed.options == {"generations": 3, "seconds": 20.0}


def test_the_answer_alone_is_that_of_the_library(ask: TestClient) -> None:
    asked = {"question": QUESTION, "contexts": TEXTS, "stream": False, "seed": 1, "generations": 2}
    found = ask.post("/v1/generate", json=asked).json()
    with Generator(seed=1, generations=2) as generator:
        wanted = answer_record(generator.generate(QUESTION, passages=TEXTS))
    assert untimed(found) == untimed(wanted)


def test_what_it_may_cost_is_the_requests(ask: TestClient, library: Any) -> None:
    budgets = {"generations": 1, "calls": 2, "tokens": 3, "seconds": 4.0, "seed": 5, "seeds": 1, "threshold": 0.25}
    ask.post("/v1/generate", json={"query": QUESTION, "facts": TEXTS, **budgets})
    assert library.options == budgets


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({"contexts": TEXTS}, "question"),
        ({"question": " ", "contexts": TEXTS}, "question"),
        ({"question": QUESTION}, "index"),
        ({"question": QUESTION, "index": "tiny", "contexts": TEXTS}, "contexts"),
        ({"question": QUESTION, "contexts": TEXTS, "answer": "a"}, "answer"),
        ({"question": QUESTION, "contexts": TEXTS, "llm": "other"}, "llm"),
        ({"question": QUESTION, "contexts": TEXTS, "seconds": 1e6}, "seconds"),
        ({"question": QUESTION, "contexts": TEXTS, "generations": -1}, "generations"),
    ],
)
def test_what_cannot_be_asked_is_named(ask: TestClient, body: Any, param: str) -> None:
    answered = ask.post("/v1/generate", json=body)
    assert (answered.status_code, answered.json()["error"]["param"]) == (422, param)
