import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import openai
import pytest

from groundwire.api import Checker
from groundwire.errors import Busy
from groundwire.render import record
from groundwire.server.proxy.annotation import NO_CHOICES, NO_EVIDENCE, NO_TEXT, WITHHELD
from groundwire.server.proxy.upstream import Patience
from groundwire.testing import Fault, FaultServer
from groundwire.testing.faults import chat_reply

Front = Callable[..., SimpleNamespace]
EVIDENCE = "Emma is a novel by Jane Austen, published in 1815."
QUESTION = "Who wrote Emma?"
MESSAGES = [{"role": "system", "content": EVIDENCE}, {"role": "user", "content": QUESTION}]
GOOD, BAD = "Jane Austen wrote Emma.", "Emma was written by Charles Dickens in 1850."


def untimed(found: dict[str, Any]) -> dict[str, Any]:
    return {**found, "timings_ms": None}


@pytest.mark.parametrize("answer", [GOOD, BAD])
def test_the_sdk_gets_the_reply_and_the_verdict(front: Front, answer: str) -> None:
    with FaultServer(answer) as server:
        got = front(server.url).openai.chat.completions.with_raw_response.create(model="m", messages=MESSAGES, seed=3)
        reply = got.parse()
        assert reply.choices[0].message.content == answer
        assert server.exchanges[0].request == {"model": "m", "messages": MESSAGES, "seed": 3}
    verdict = Checker().check_one(QUESTION, answer, [{"id": "messages[0]", "text": EVIDENCE}])
    [choice] = reply.groundwire["choices"]
    assert untimed(choice) == untimed({"index": 0, **json.loads(json.dumps(record(verdict)))})
    assert reply.groundwire["mode"] == "annotate"
    assert got.headers["x-groundwire-verdict"] == reply.groundwire["verdict"] == str(verdict.label)


def test_tags_name_the_evidence_and_the_question_and_reach_the_upstream_as_texts(front: Front) -> None:
    content = [
        {"type": "text", "text": "Be brief."},
        {"type": "grounding_source", "text": EVIDENCE, "id": "emma", "title": "Emma"},
        {"type": "query", "text": QUESTION},
    ]
    sent = [{"role": "system", "content": "The moon is a cheese."}, {"role": "user", "content": content}]
    with FaultServer(GOOD) as server:
        reply = (
            front(server.url)
            .http.post(
                "/v1/chat/completions",
                json={
                    "model": "m",
                    "messages": sent,
                    "groundwire": {"threshold": 0.1, "explain": True},
                    "x_unknown": [1],
                },
            )
            .json()
        )
        got = server.exchanges[0].request
    assert [part["type"] for part in got["messages"][1]["content"]] == ["text", "text", "text"]
    assert got["messages"][1]["content"][1] == {"type": "text", "text": EVIDENCE}
    assert got["x_unknown"] == [1]
    assert "groundwire" not in got
    [choice] = reply["groundwire"]["choices"]
    assert choice["threshold"] == 0.1
    assert {c["context_id"] for claim in choice["claims"] for c in claim["evidence"]} == {"emma"}


def test_what_is_not_ours_goes_through_byte_for_byte(front: Front, talking: Any) -> None:
    talking.kind, talking.steps = "application/json", [json.dumps(chat_reply(GOOD, "m")).encode()]
    body = b'{ "messages" :[], "model":"m","a":1.10, "b":12345678901234567890, "c":"\\ud800\\u00e9" }'
    answered = front(talking.url).http.post("/v1/chat/completions", content=body, headers={"x-mine": "1"})
    assert answered.status_code == 200
    assert talking.requests[0].body == body
    assert talking.requests[0].path == "/v1/chat/completions"
    assert not {"x-mine", "cookie", "x-api-key"} & {name.lower() for name in talking.requests[0].headers}


@pytest.mark.parametrize(
    "messages",
    [
        [{"role": "user", "content": QUESTION}],
        [{"role": "system", "content": ""}, {"role": "user", "content": [{"type": "text", "text": QUESTION}]}],
        [],
    ],
)
def test_without_evidence_there_is_no_score(front: Front, messages: Any, talking: Any, library: Any) -> None:
    talking.kind, talking.steps = "application/json", [json.dumps(chat_reply(GOOD, "m")).encode()]
    reply = front(talking.url).http.post("/v1/chat/completions", json={"model": "m", "messages": messages}).json()
    [choice] = reply["groundwire"]["choices"]
    assert (choice["verdict"], choice["score"], choice["reason"]) == ("not_checkable", None, NO_EVIDENCE)
    assert library.checked == []


def several(*messages: dict[str, Any]) -> dict[str, Any]:
    reply = chat_reply("", "m")
    reply["choices"] = [
        {"index": n, "message": {"role": "assistant", "content": None, **message}, "finish_reason": "stop"}
        for n, message in enumerate(messages)
    ]
    return reply


def test_every_choice_is_checked_and_the_worst_is_the_replys(front: Front, talking: Any, library: Any) -> None:
    calls = [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]
    reply = several(
        {"content": GOOD},
        {"content": [{"type": "text", "text": "Emma is a play "}, {"type": "text", "text": "by Goethe."}]},
        {"tool_calls": calls},
        {"refusal": "No."},
        {"content": " "},
    )
    talking.kind, talking.steps = "application/json", [json.dumps(reply).encode()]
    asked = {"model": "m", "messages": MESSAGES, "n": 5}
    answered = front(talking.url).http.post("/v1/chat/completions", json=asked)
    found = answered.json()
    assert {name: value for name, value in found.items() if name != "groundwire"} == reply
    choices = found["groundwire"]["choices"]
    assert [choice["index"] for choice in choices] == [0, 1, 2, 3, 4]
    assert choices[0]["verdict"] == "supported"
    assert choices[1]["grounded"] is False
    assert [choice["reason"] for choice in choices[2:]] == [NO_TEXT] * 3
    assert found["groundwire"]["verdict"] == choices[1]["verdict"] == answered.headers["x-groundwire-verdict"]
    assert len(library.checked) == 1  # one batch


def test_a_reply_without_choices_is_not_checkable(front: Front) -> None:
    with FaultServer(faults=[Fault.EMPTY_CHOICES]) as server:
        told = front(server.url).http.post("/v1/chat/completions", json={"model": "m", "messages": MESSAGES}).json()
    assert told["groundwire"] == {"mode": "annotate", "verdict": "not_checkable", "reason": NO_CHOICES, "choices": []}


@pytest.mark.parametrize("way", ["header", "field"])
def test_block_replaces_what_is_not_backed_and_says_what(front: Front, way: str) -> None:
    given = {"headers": {"x-groundwire-mode": "block"}} if way == "header" else {"groundwire": {"mode": "block"}}
    more = {"extra_headers": given["headers"]} if way == "header" else {"extra_body": given}
    with FaultServer(lambda prompt: GOOD if prompt == QUESTION else BAD) as server:
        sdk = front(server.url).openai
        good = sdk.chat.completions.create(model="m", messages=MESSAGES, **more)
        other = [*MESSAGES[:1], {"role": "user", "content": "When was Emma written?"}]
        bad = sdk.chat.completions.create(model="m", messages=other, **more)
    assert (good.choices[0].message.content, good.choices[0].finish_reason) == (GOOD, "stop")
    assert good.groundwire["choices"][0]["blocked"] is False
    assert (bad.choices[0].message.content, bad.choices[0].finish_reason) == (WITHHELD, "content_filter")
    [told] = bad.groundwire["choices"]
    assert told["blocked"] is True
    assert told["claims"][0]["text"] == BAD


def test_block_takes_everything_of_a_withheld_choice(front: Front, talking: Any) -> None:
    calls = [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]
    reply = several(
        {"content": BAD, "tool_calls": calls, "reasoning_content": "Dickens"},
        {"tool_calls": calls},
        {"content": "Do you need anything else?"},
    )
    reply["choices"][0]["logprobs"] = {"content": [{"token": "Dickens"}]}
    talking.kind, talking.steps = "application/json", [json.dumps(reply).encode()]
    asked = {"model": "m", "messages": MESSAGES, "n": 3, "groundwire": {"mode": "block"}}
    found = front(talking.url).http.post("/v1/chat/completions", json=asked).json()
    assert "Dickens" not in json.dumps(found["choices"])
    assert found["choices"][0]["message"] == {"role": "assistant", "content": WITHHELD, "refusal": None}
    assert found["choices"][1:] == reply["choices"][1:]
    assert [choice["blocked"] for choice in found["groundwire"]["choices"]] == [True, False, False]


def test_a_failed_check_leaves_the_reply_and_blocks_where_it_has_to(front: Front, library: Any) -> None:
    library.fail_with = Busy("full", retry_after=2)
    with FaultServer(GOOD) as server:
        sdk = front(server.url).openai
        kept = sdk.chat.completions.create(model="m", messages=MESSAGES)
        taken = sdk.chat.completions.create(model="m", messages=MESSAGES, extra_headers={"x-groundwire-mode": "block"})
    assert kept.choices[0].message.content == GOOD
    assert kept.groundwire["choices"][0]["reason"].startswith("the check failed: the queue is full")
    assert taken.choices[0].message.content == WITHHELD


@pytest.mark.parametrize("mode", ["annotate", "block"])
def test_citations_that_no_answer_can_hold_do_not_cost_the_reply(
    front: Front, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.setattr("groundwire.server.own.records.MOST_CITED", 10)
    with FaultServer(GOOD) as server:
        reply = front(server.url).openai.chat.completions.create(
            model="m", messages=MESSAGES, extra_headers={"x-groundwire-mode": mode}
        )
    told = reply.groundwire
    assert reply.choices[0].message.content == GOOD
    assert told["verdict"] == "supported"
    assert "no citations" in told["reason"]
    assert [claim["citations"] for claim in told["choices"][0]["claims"]] == [[]]


def test_a_reply_longer_than_a_text_is_not_checked(front: Front) -> None:
    with FaultServer(GOOD * 10) as server:
        reply = front(server.url, text_chars=100).http.post(
            "/v1/chat/completions", json={"model": "m", "messages": MESSAGES}
        )
    assert "longer than" in reply.json()["groundwire"]["choices"][0]["reason"]


@pytest.mark.parametrize(
    ("more", "headers", "param"),
    [
        ({"groundwire": {"mode": "correct"}}, {}, "groundwire.mode"),
        ({"groundwire": {"upstream": "http://x"}}, {}, "groundwire.upstream"),
        ({"groundwire": {"threshold": 2}}, {}, "groundwire.threshold"),
        ({"groundwire": "block"}, {}, "groundwire"),
        ({}, {"x-groundwire-mode": "loud"}, "x-groundwire-mode"),
        ({}, {"x-groundwire-mode": ""}, "x-groundwire-mode"),
        ({"groundwire": {"mode": "annotate"}}, {"x-groundwire-mode": "block"}, "groundwire.mode"),
        (
            {"messages": [{"role": "user", "content": [{"type": "grounding_source"}]}]},
            {},
            "messages[0].content[0].text",
        ),
        ({"messages": [{"role": "system", "content": "x" * 200_001}]}, {}, "messages[0]"),
        ({"messages": [{"role": "tool", "content": "x"}] * 2_001}, {}, "messages"),
    ],
)
@pytest.mark.contract("fields")
def test_what_of_ours_is_wrong_is_named(front: Front, more: Any, headers: Any, param: str) -> None:
    with FaultServer(GOOD) as server:
        body = {"model": "m", "messages": MESSAGES, **more}
        answered = front(server.url).http.post("/v1/chat/completions", json=body, headers=headers)
        assert server.exchanges == []
    assert (answered.status_code, answered.json()["error"]["param"]) == (422, param)


@pytest.mark.parametrize("fault", [Fault.RATE_LIMIT, Fault.SERVER_ERROR, Fault.HTML, 404, 401])
@pytest.mark.parametrize("streams", [False, True])
def test_errors_of_the_upstream_are_passed_on_as_they_are(front: Front, fault: Any, streams: bool) -> None:
    asked = {"model": "m", "messages": MESSAGES, "stream": streams}
    with FaultServer(GOOD, faults=[fault] * 2, retry_after=5) as server:
        answered = front(server.url).http.post("/v1/chat/completions", json=asked)
        direct = front(server.url).http.post(server.url + "/chat/completions", json=asked)
    assert (answered.status_code, answered.content) == (direct.status_code, direct.content)
    assert answered.headers["content-type"] == direct.headers["content-type"]
    assert answered.headers.get("retry-after") == direct.headers.get("retry-after")


def test_the_sdk_raises_for_an_error_of_the_upstream_what_it_always_raises(front: Front) -> None:
    with FaultServer(faults=[Fault.RATE_LIMIT]) as server, pytest.raises(openai.RateLimitError, match="slow down"):
        front(server.url).openai.chat.completions.create(model="m", messages=MESSAGES)


def test_an_upstream_without_a_key_has_no_word_to_take_out(front: Front, talking: Any, chunks: Any) -> None:
    with FaultServer("There are none, I think.") as server:
        reply = front(server.url).openai.chat.completions.create(model="m", messages=MESSAGES)
        assert reply.choices[0].message.content == "There are none, I think."
    talking.steps = [chunks.chunk("There are none."), chunks.chunk(finish="stop"), chunks.event("[DONE]")]
    pieces = front(talking.url).openai.chat.completions.create(model="m", messages=MESSAGES, stream=True)
    assert "".join(piece.choices[0].delta.content or "" for piece in pieces) == "There are none."


@pytest.mark.parametrize("form", ["sk-up/stream+secret", "sk-up\\/stream+secret", "sk-up%2Fstream%2Bsecret"])
@pytest.mark.parametrize("status", [200, 400])
def test_no_reply_tells_the_key_however_it_writes_it(front: Front, talking: Any, form: str, status: int) -> None:
    reply = json.dumps({"choices": [{"index": 0, "message": {"role": "assistant", "content": "KEY"}}], "error": "KEY"})
    talking.steps, talking.status, talking.kind = (
        [reply.replace("KEY", form).encode()],
        status,
        f"application/json; x={form}",
    )
    answer = front(talking.url, key="sk-up/stream+secret").http.post(
        "/v1/chat/completions", json={"messages": MESSAGES}
    )
    assert answer.status_code == status
    assert "secret" not in answer.text
    assert "secret" not in str(answer.headers)


def test_the_key_of_the_upstream_is_told_to_nobody_but_it(front: Front) -> None:
    with FaultServer(GOOD, key="sk-upstream-secret", faults=[500], echo_key=True) as server:
        found = front(server.url, key="sk-upstream-secret")
        answered = found.http.post("/v1/chat/completions", json={"model": "m", "messages": MESSAGES})
        assert answered.status_code == 500
        assert "sk-upstream" not in answered.text
        assert found.http.post("/v1/chat/completions", json={"model": "m", "messages": MESSAGES}).status_code == 200


@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [
        (Fault.HANG, 504, "upstream_timeout"),
        (Fault.RESET, 502, "upstream_broke_off"),
        (Fault.HUGE, 502, "upstream_invalid"),
        (Fault.TRUNCATED, 502, "upstream_invalid"),
        (Fault.HTML_OK, 502, "upstream_invalid"),
        (Fault.WRONG_SCHEMA, 502, "upstream_invalid"),
    ],
)
def test_what_is_no_reply_is_an_error_of_the_upstream(front: Front, fault: Fault, status: int, code: str) -> None:
    with FaultServer(GOOD, faults=[fault]) as server:
        patience = Patience(silence=0.3, reply_bytes=1 << 20)
        answered = front(server.url, patience).http.post(
            "/v1/chat/completions", json={"model": "m", "messages": MESSAGES}
        )
    assert (answered.status_code, answered.json()["error"]["code"]) == (status, code)


def test_a_drip_is_not_waited_for_without_end(front: Front) -> None:
    with FaultServer(GOOD, faults=[Fault.DRIP], pause=0.05) as server:
        patience = Patience(silence=0.5, whole=0.5)
        answered = front(server.url, patience).http.post(
            "/v1/chat/completions", json={"model": "m", "messages": MESSAGES}
        )
    assert (answered.status_code, answered.json()["error"]["code"]) == (504, "upstream_timeout")


def test_redirects_of_the_upstream_are_not_followed(front: Front, talking: Any) -> None:
    talking.status = 307
    answered = front(talking.url).http.post("/v1/chat/completions", json={"model": "m", "messages": MESSAGES})
    assert (answered.status_code, answered.json()["error"]["code"]) == (502, "upstream_invalid")
    assert len(talking.requests) == 1


def test_an_upstream_that_is_not_there_is_said(front: Front) -> None:
    answered = front("http://127.0.0.1:9/v1").http.post(
        "/v1/chat/completions", json={"model": "m", "messages": MESSAGES}
    )
    assert (answered.status_code, answered.json()["error"]["code"]) == (502, "upstream_unreachable")


def test_without_an_upstream_there_are_no_chats(front: Front) -> None:
    found = front(None).http
    assert found.post("/v1/chat/completions", json={}).json()["error"]["code"] == "no_upstream"
    assert found.get("/v1/models").json() == {"object": "list", "data": []}


def test_models_are_the_upstreams(front: Front) -> None:
    with FaultServer(GOOD, models=["one", "two"]) as server:
        assert [model.id for model in front(server.url).openai.models.list()] == ["one", "two"]
