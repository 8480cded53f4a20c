import json
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from groundwire.api import Checker
from groundwire.errors import Busy, Expired
from groundwire.render import record

ReadEvents = Callable[[str], list[tuple[str | None, Any]]]
CASE = {
    "question": "Who wrote Emma?",
    "answer": "😀 Jane Austen wrote Emma. It has ten sequels! Was it fun?",
    "contexts": ["Emma is a novel by Jane Austen, published in 1815."],
}
AT = "/v1/check/stream"


@pytest.mark.parametrize("encoding", ["codepoint", "utf8", "utf16"])
def test_claims_come_one_by_one_and_the_verdict_last(ask: TestClient, read_events: ReadEvents, encoding: Any) -> None:
    answered = ask.post(AT, json={**CASE, "offset_encoding": encoding})
    assert answered.headers["content-type"].startswith("text/event-stream")
    events = read_events(answered.text)
    wanted = record(Checker().check([CASE])[0], offset_encoding=encoding)
    assert [name for name, _ in events] == ["claim"] * len(wanted["claims"]) + ["verdict"]
    assert [data for _, data in events[:-1]] == wanted["claims"]
    assert {**events[-1][1], "timings_ms": None} == {**wanted, "timings_ms": None}
    assert [line for line in answered.text.split("\n") if line.startswith("id:")] == ["id: 0", "id: 1", "id: 2"]


def test_the_threshold_and_the_explanation_are_those_of_a_check(ask: TestClient, read_events: ReadEvents) -> None:
    asked = {**CASE, "threshold": 1.0, "explain": True, "truncate": True}
    events = read_events(ask.post(AT, json=asked).text)
    whole = ask.post("/v1/check", json=asked).json()
    assert [data for _, data in events[:-1]] == whole["claims"]
    assert events[-1][1]["threshold"] == 1.0
    assert events[-1][1]["truncated"] is False


def test_an_empty_answer_is_a_verdict_at_once(ask: TestClient, read_events: ReadEvents) -> None:
    [(event, data)] = read_events(ask.post(AT, json={**CASE, "answer": ""}).text)
    assert (event, data["verdict"], data["score"]) == ("verdict", "not_checkable", None)


def test_a_bad_request_is_no_stream(ask: TestClient) -> None:
    assert ask.post(AT, json={**CASE, "colour": 1}).status_code == 422
    assert ask.post(AT, json={"items": [CASE]}).status_code == 422


def test_a_full_queue_is_no_stream(ask: TestClient, library: Any) -> None:
    library.fail_at, library.fail_with = 0, Busy("full", retry_after=7)
    answered = ask.post(AT, json=CASE)
    assert (answered.status_code, answered.headers["retry-after"]) == (429, "7")


def test_what_breaks_after_the_head_is_the_last_event(ask: TestClient, library: Any, read_events: ReadEvents) -> None:
    library.fail_at, library.fail_with = 1, Expired("too late")
    answered = ask.post(AT, json=CASE)
    events = read_events(answered.text)
    assert answered.status_code == 200
    assert [name for name, _ in events] == ["claim", "error"]
    assert events[-1][1]["error"]["code"] == "deadline_exceeded"
    assert json.loads(json.dumps(events[-1][1]))["error"]["request_id"] == answered.headers["x-request-id"]


def test_the_ticket_is_withdrawn_when_the_stream_has_ended(ask: TestClient, library: Any) -> None:
    ask.post(AT, json=CASE)
    assert [ticket.cancelled for ticket in library.tickets] == [True]
