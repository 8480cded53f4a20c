from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from groundwire.api import Verifier
from groundwire.render import record

ASKED = {"question": "How high is the Eiffel Tower?", "answer": "The Eiffel Tower is 330 metres high."}


def test_the_record_is_that_of_the_library(ask: TestClient, indexed: Any, tiny_index: Path) -> None:
    found = ask.post("/v1/verify", json={**ASKED, "index": "tiny", "threshold": 0.4}).json()
    with Verifier(tiny_index, stack="bm25", threshold=0.4) as verifier:
        wanted = record(verifier.verify([ASKED])[0])
    assert {**found, "timings_ms": None} == {**wanted, "timings_ms": None}
    assert found["retrieval"]["context_ids"]


def test_an_explanation_has_the_texts_that_were_judged(ask: TestClient, indexed: Any) -> None:
    found = ask.post("/v1/verify", json={**ASKED, "explain": True, "passages": 1}).json()
    assert [context["id"] for context in found["contexts"]] == found["retrieval"]["context_ids"] == ["tower"]
    citation = found["claims"][0]["citations"][0]
    assert found["contexts"][citation["index"]]["text"][citation["start"] : citation["end"]] == citation["text"]


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({**ASKED, "index": "other"}, "index"),
        ({**ASKED, "index": "../tiny"}, "index"),
        ({**ASKED, "contexts": ["given"]}, "contexts"),
        ({**ASKED, "passages": 0}, "passages"),
        ({**ASKED, "passages": 51}, "passages"),
        ({**ASKED, "passages": ["given"]}, "passages"),
        ({"index": "tiny"}, "answer"),
    ],
)
def test_what_cannot_be_asked_is_named(ask: TestClient, indexed: Any, body: Any, param: str) -> None:
    answered = ask.post("/v1/verify", json=body)
    assert (answered.status_code, answered.json()["error"]["param"]) == (422, param)


def test_without_an_index_nothing_is_verified(ask: TestClient) -> None:
    assert ask.post("/v1/verify", json=ASKED).json()["error"]["param"] == "index"
