import json
import threading
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import openai
import pytest

from groundwire.api import Checker
from groundwire.errors import Busy
from groundwire.render import record
from groundwire.server.proxy import stream_annotate
from groundwire.server.proxy.annotation import NO_EVIDENCE, NO_TEXT, WITHHELD
from groundwire.server.proxy.upstream import Patience

Front = Callable[..., SimpleNamespace]
EVIDENCE = "Emma is a novel by Jane Austen, published in 1815. Persuasion was published in 1817."
QUESTION = "Who wrote Emma, and when?"
MESSAGES = [{"role": "system", "content": EVIDENCE}, {"role": "user", "content": QUESTION}]
GOOD = "Emma is a novel that was written by Jane Austen. Emma was published in 1815."
BAD = "Emma is a novel that was written by Jane Austen. Emma was written by Charles Dickens in Paris. It is a novel."
BLOCK = {"extra_headers": {"x-groundwire-mode": "block"}}


def asked(front: SimpleNamespace, **more: Any) -> list[Any]:
    return list(front.openai.chat.completions.create(model="m", messages=MESSAGES, stream=True, **more))


def said(chunks: list[Any], index: int = 0) -> str:
    deltas = [choice.delta.content for chunk in chunks for choice in chunk.choices if choice.index == index]
    return "".join(delta for delta in deltas if delta)


def finishes(chunks: list[Any]) -> list[str]:
    return [choice.finish_reason for chunk in chunks for choice in chunk.choices if choice.finish_reason]


def untimed(found: dict[str, Any]) -> dict[str, Any]:
    return {**found, "timings_ms": None}


@pytest.mark.parametrize("answer", [GOOD, BAD])
def test_the_sdk_gets_the_stream_and_the_verdict_last(front: Front, talking: Any, library: Any, answer: str) -> None:
    talking.words(answer, 0.005)
    chunks = asked(front(talking.url))
    assert said(chunks) == answer
    assert finishes(chunks) == ["stop"]
    assert [hasattr(chunk, "groundwire") for chunk in chunks] == [False] * (len(chunks) - 1) + [True]
    [choice] = chunks[-1].groundwire["choices"]
    verdict = Checker().check_one(QUESTION, answer, [{"id": "messages[0]", "text": EVIDENCE}])
    assert untimed(choice) == untimed({"index": 0, **json.loads(json.dumps(record(verdict)))})
    assert chunks[-1].groundwire["verdict"] == str(verdict.label)
    assert len(library.unfolded) > 1  # it was judged while it came


def test_a_choice_is_followed_once_however_many_pieces_it_comes_in(
    front: Front, talking: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[stream_annotate.Follower] = []

    class Counted(stream_annotate.Follower):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            made.append(self)

    monkeypatch.setattr(stream_annotate, "Follower", Counted)
    talking.words(GOOD)
    asked(front(talking.url))
    assert len(made) == 1
    assert made[0]._task.done()


def test_bytes_are_passed_on_as_they_come(front: Front, talking: Any, chunks: Any, read_events: Any) -> None:
    odd = b': a comment\n\nevent: x\nid: 7\ndata: {"choices": [], "usage": {"total_tokens": 3},\ndata:  "y": 1.50}\n\n'
    talking.steps = [chunks.chunk("Emma is ", extra=[1]), odd, chunks.chunk("a novel."), chunks.chunk(finish="stop")]
    talking.steps = [
        *talking.steps,
        chunks.event({"choices": [], "usage": {"total_tokens": 9}}),
        chunks.event("[DONE]"),
    ]
    body = {"model": "m", "messages": MESSAGES, "stream": True, "stream_options": {"include_usage": True}}
    got = front(talking.url).http.post("/v1/chat/completions", json=body).text
    passed = b"".join(step for step in talking.steps[:-1]).decode()
    assert got.startswith(passed)
    rest = read_events(got.removeprefix(passed))
    assert [data if data == "[DONE]" else sorted(data) for _, data in rest] == [
        ["choices", "created", "groundwire", "id", "model", "object"],
        "[DONE]",
    ]
    assert json.loads(talking.requests[0].body) == body


def test_the_first_word_does_not_wait_for_a_check(front: Front, talking: Any, library: Any) -> None:
    library.pause = 0.3
    talking.words(GOOD, 0.01)
    began = time.perf_counter()
    at = [
        time.perf_counter() - began
        for _ in front(talking.url).openai.chat.completions.create(model="m", messages=MESSAGES, stream=True)
    ]
    assert at[-2] < 0.6 + 0.02 * len(at)  # all words
    assert at[-1] > 0.3  # the verdict


def test_choices_grow_beside_each_other(front: Front, talking: Any, chunks: Any) -> None:
    one, two = GOOD.split(" "), BAD.split(" ")
    steps = [chunks.chunk(f"{word} ", index=n) for pair in zip(one, two, strict=False) for n, word in enumerate(pair)]
    talking.steps = [
        *steps,
        chunks.chunk(finish="stop"),
        chunks.chunk(index=1, finish="length"),
        chunks.event("[DONE]"),
    ]
    got = asked(front(talking.url), n=2)
    assert said(got, 1).startswith("Emma is a novel that was written by Jane Austen. Emma was written by")
    assert [choice["index"] for choice in got[-1].groundwire["choices"]] == [0, 1]
    assert got[-1].groundwire["choices"][0]["verdict"] == "supported"


def test_a_call_of_a_tool_says_nothing(front: Front, talking: Any, chunks: Any) -> None:
    call = [{"index": 0, "id": "1", "function": {"name": "f", "arguments": "{}"}, "type": "function"}]
    talking.steps = [
        chunks.chunk(None, role="assistant", tool_calls=call),
        chunks.chunk(finish="tool_calls"),
        chunks.event("[DONE]"),
    ]
    for more in ({}, BLOCK):
        got = asked(front(talking.url), **more)
        assert [c.delta.tool_calls[0].function.name for chunk in got for c in chunk.choices if c.delta.tool_calls] == [
            "f"
        ]
        assert finishes(got) == ["tool_calls"]
        assert got[-1].groundwire["choices"][0]["reason"] == NO_TEXT


def test_without_evidence_there_is_no_score(front: Front, talking: Any, library: Any) -> None:
    talking.words(GOOD)
    made = front(talking.url).openai.chat.completions.create
    got = list(made(model="m", messages=MESSAGES[1:], stream=True))
    assert said(got) == GOOD
    assert got[-1].groundwire["choices"][0]["reason"] == NO_EVIDENCE
    assert library.unfolded == []
    held = list(made(model="m", messages=MESSAGES[1:], stream=True, **BLOCK))
    assert (said(held), finishes(held)) == (WITHHELD, ["content_filter"])


def test_block_lets_a_sentence_out_once_it_is_judged(front: Front, talking: Any) -> None:
    talking.words(GOOD, 0.005)
    got = asked(front(talking.url), **BLOCK)
    texts = [choice.delta.content for chunk in got for choice in chunk.choices if choice.delta.content]
    assert texts == ["Emma is a novel that was written by Jane Austen.", " Emma was published in 1815."]
    assert got[0].choices[0].delta.role == "assistant"
    assert finishes(got) == ["stop"]
    assert got[-1].groundwire["choices"][0]["blocked"] is False


def test_block_ends_at_the_first_sentence_that_is_not_backed(front: Front, talking: Any) -> None:
    talking.words(BAD + " And more and more of it." * 200, 0.005)
    got = asked(front(talking.url), **BLOCK)
    assert said(got) == f"Emma is a novel that was written by Jane Austen.\n\n{WITHHELD}"
    assert finishes(got) == ["content_filter"]
    [choice] = got[-1].groundwire["choices"]
    assert choice["blocked"] is True
    assert [claim["text"] for claim in choice["claims"] if claim["verdict"] != "supported"] == [
        "Emma was written by Charles Dickens in Paris."
    ]
    assert talking.left.wait(5)  # the upstream is not read to its end


def test_block_says_nothing_of_a_withheld_answer(front: Front, talking: Any, chunks: Any) -> None:
    words = {"content": [{"token": "Dickens"}]}
    event = json.loads(chunks.chunk("Emma is by Charles Dickens of Paris.", reasoning_content="Dickens!")[6:])
    event["choices"][0]["logprobs"] = words
    talking.steps = [chunks.event(event), chunks.chunk(finish="stop"), chunks.event("[DONE]")]
    got = asked(front(talking.url), **BLOCK)
    assert said(got) == WITHHELD
    assert "Dickens" not in "".join(chunk.model_dump_json() for chunk in got[:-1])


@pytest.mark.parametrize("more", [{}, BLOCK])
def test_citations_that_no_answer_can_hold_do_not_cost_the_stream(
    front: Front, talking: Any, monkeypatch: pytest.MonkeyPatch, more: Any
) -> None:
    monkeypatch.setattr("groundwire.server.own.records.MOST_CITED", 10)
    talking.words(GOOD)
    got = asked(front(talking.url), **more)
    assert said(got) == GOOD
    assert "no citations" in got[-1].groundwire["reason"]


@pytest.mark.parametrize("more", [{}, BLOCK])
def test_a_check_that_fails_is_said(front: Front, talking: Any, library: Any, more: Any) -> None:
    library.fail_at, library.fail_with = 0, Busy("full", retry_after=2)
    talking.words(GOOD)
    got = asked(front(talking.url), **more)
    assert said(got) == (WITHHELD if more else GOOD)
    assert got[-1].groundwire["choices"][0]["reason"].startswith("the check failed: the queue is full")


@pytest.mark.parametrize("more", [{}, BLOCK])
@pytest.mark.parametrize(
    ("end", "code"),
    [
        (["reset"], "upstream_broke_off"),
        ([], "upstream_invalid"),
        ([2.0], "upstream_timeout"),
        ([b"data: {garbage\n\n"], "upstream_invalid"),
        ([b"data: [1]\n\n"], "upstream_invalid"),
        ([b'data: {"choices": [{"delta": {"content": 7}}]}\n\n'], "upstream_invalid"),
        ([b"data: " + b"x" * 2000], "upstream_invalid"),
    ],
)
def test_a_stream_that_breaks_ends_with_an_error(
    front: Front, talking: Any, chunks: Any, more: Any, end: list[Any], code: str
) -> None:
    talking.steps = [chunks.chunk("Emma is a novel by Jane Austen. And "), 0.05, *end]
    patience = Patience(silence=0.5, event_bytes=1000)
    got: list[Any] = []
    with pytest.raises(openai.APIError) as raised:
        got.extend(
            front(talking.url, patience).openai.chat.completions.create(
                model="m", messages=MESSAGES, stream=True, **more
            )
        )
    assert raised.value.code == code


def test_an_error_of_the_upstream_in_its_stream_is_passed_on(front: Front, talking: Any, chunks: Any) -> None:
    talking.steps = [chunks.chunk("Emma is"), chunks.event({"error": {"message": "overloaded", "code": "busy"}})]
    with pytest.raises(openai.APIError, match="overloaded"):
        asked(front(talking.url))


def test_an_end_without_a_word_is_an_end_where_every_choice_has_ended(front: Front, talking: Any, chunks: Any) -> None:
    talking.steps = [chunks.chunk(GOOD), chunks.chunk(finish="stop")]
    body = {"model": "m", "messages": MESSAGES, "stream": True}
    assert front(talking.url).http.post("/v1/chat/completions", json=body).text.endswith("data: [DONE]\n\n")


def test_a_client_that_leaves_ends_the_upstream_and_the_checks(front: Front, talking: Any, library: Any) -> None:
    talking.words(GOOD + " And so on and on." * 500, 0.01)
    with front(talking.url).openai.chat.completions.create(model="m", messages=MESSAGES, stream=True) as stream:
        next(iter(stream))
    assert talking.left.wait(5)
    assert all(ticket.cancelled or ticket.remaining() for ticket in library.tickets)


def test_many_streams_at_once(front: Front, talking: Any) -> None:
    talking.words(GOOD, 0.002)
    found, got = front(talking.url), dict[int, str]()

    def one(n: int) -> None:
        got[n] = said(asked(found, **(BLOCK if n % 2 else {})))

    threads = [threading.Thread(target=one, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert got == dict.fromkeys(range(8), GOOD)


def test_the_sdks_own_accumulation_of_a_stream_works(front: Front, talking: Any) -> None:
    talking.words(GOOD)
    with front(talking.url).openai.chat.completions.stream(model="m", messages=MESSAGES) as stream:
        stream.until_done()
        final = stream.get_final_completion()
    assert final.choices[0].message.content == GOOD
    assert final.choices[0].finish_reason == "stop"


def test_a_status_that_is_none_is_said_and_not_passed_on(front: Front, talking: Any) -> None:
    talking.status = 999
    answer = front(talking.url).http.post("/v1/chat/completions", json={"model": "m", "messages": MESSAGES})
    assert (answer.status_code, answer.json()["error"]["code"]) == (502, "upstream_invalid")
