"""The tools over the official client, in memory: results in their schema, errors that say what to do, limits, cancelling."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra mcp is not installed")

import anyio
from jsonschema import validate
from mcp import Client
from mcp_types import CallToolResult, TextContent

from groundwire.errors import Busy, CorruptIndex, Expired, InputError
from groundwire.server.logs import JsonLines
from groundwire.server.mcp.serving import Start, build
from groundwire.server.settings import Limits, Settings
from groundwire.types import Passage

ANSWER = "The bridge was opened in 1932."
CONTEXT = "The bridge was opened in 1932. Its arch spans 503 metres."
SECRET = "xyzzy-4711-canary"
ONE = {"notes": "notes.index"}
LIMITS = Limits(body_bytes=4096, text_chars=1000, verdict_seconds=0.5)


def talk(
    engine: Any,
    then: Callable[[Client], Awaitable[Any]],
    *,
    indexes: dict[str, str] | None = None,
    mode: str = "auto",
) -> Any:
    """Start the tools over an engine and let a client speak."""

    async def run() -> Any:
        start = Start(engine)
        await start.begin()
        server = build(engine, Settings(indexes=ONE if indexes is None else indexes, limits=LIMITS), start)
        async with Client(server, mode=mode) as client:
            return await then(client)

    return anyio.run(run)


def call(engine: Any, tool: str, arguments: dict[str, Any], **more: Any) -> CallToolResult:
    return talk(engine, lambda client: client.call_tool(tool, arguments), **more)


def text(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def refusal(engine: Any, tool: str, arguments: dict[str, Any], **more: Any) -> str:
    result = call(engine, tool, arguments, **more)
    assert result.is_error
    assert result.structured_content is None
    assert text(result).startswith("error: ")
    assert "Traceback" not in text(result)
    return text(result)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_an_answer_is_checked(stub: Any, mode: str) -> None:
    result = call(stub(), "check_answer", {"answer": ANSWER, "contexts": [CONTEXT]}, mode=mode)
    assert not result.is_error
    assert (result.structured_content["verdict"], result.structured_content["grounded"]) == ("supported", True)
    (citation,) = result.structured_content["claims"][0]["citations"]
    assert CONTEXT[citation["start"] : citation["end"]] == citation["text"] == ANSWER
    assert text(result).splitlines()[0] == "supported 1.00"


def test_contexts_may_be_objects_and_the_question_is_read(stub: Any) -> None:
    engine = stub()
    asked = {"question": "When?", "answer": ANSWER, "contexts": [{"id": "b7", "title": "Bridge", "text": CONTEXT}]}
    result = call(engine, "check_answer", asked)
    assert result.structured_content["claims"][0]["citations"][0]["context_id"] == "b7"
    assert engine.cases[0].question == "When?"


@pytest.mark.parametrize("sentence", ["Nul \x00 here.", "A 🌉 family 👨‍👩‍👧.", "\u202eright to left", "line\nbreak"])
def test_awkward_sentences_come_back_as_they_were(stub: Any, sentence: str) -> None:
    result = call(stub(), "check_answer", {"answer": sentence, "contexts": [f"So: {sentence} Yes."]})
    claim = result.structured_content["claims"][0]
    assert claim["text"] == sentence
    assert (claim["citations"][0]["start"], claim["citations"][0]["text"]) == (4, sentence)
    assert "\x00" not in text(result)
    assert "\u202e" not in text(result)


def test_an_index_may_hold_what_no_message_can(stub: Any) -> None:
    engine = stub(passages=[Passage(id="a\ud800", text="half \udfff of it")])
    result = call(engine, "find_evidence", {"query": "half", "index": "notes"})
    (found,) = result.structured_content["evidence"]
    assert (found["context_id"], found["text"]) == ("a\ufffd", "half \ufffd of it")


def test_an_answer_is_verified_against_an_index(stub: Any) -> None:
    result = call(stub(), "verify_answer", {"question": "When?", "answer": ANSWER, "index": "notes"})
    assert result.structured_content["claims"][0]["citations"][0]["context_id"] == "bridge"


def test_the_only_index_need_not_be_named(stub: Any) -> None:
    assert not call(stub(), "verify_answer", {"answer": ANSWER}).is_error
    both = {"a": "a.index", "b": "b.index"}
    assert refusal(stub(), "verify_answer", {"answer": ANSWER}, indexes=both).endswith("(hint: known: a, b)")


@pytest.mark.parametrize("tool", ["verify_answer", "find_evidence"])
def test_an_index_that_is_not_there_is_said_and_not_repeated(stub: Any, tool: str) -> None:
    asked = {"index": SECRET, "answer": ANSWER} if tool == "verify_answer" else {"index": SECRET, "query": "bridge"}
    said = refusal(stub(), tool, asked)
    assert said == "error: there is no such index (hint: known: notes)"
    none = refusal(stub(), tool, asked, indexes={})
    assert none == "error: this server has no index (hint: it is started with --index NAME=DIR)"


def test_evidence_for_a_query_in_an_index_is_its_passages(stub: Any) -> None:
    result = call(stub(), "find_evidence", {"query": "opened", "index": "notes", "k": 1})
    (found,) = result.structured_content["evidence"]
    assert found == {
        "rank": 1,
        "context_id": "bridge",
        "title": "Bridge",
        "start": 0,
        "end": len(CONTEXT),
        "text": CONTEXT,
        "score": 3.0,
    }
    assert text(result) == f"1. 3.00 [bridge] {CONTEXT}"


def test_evidence_for_a_claim_says_what_it_says(stub: Any) -> None:
    result = call(stub(), "find_evidence", {"claim": "The Opera House was opened in 1973.", "index": "notes"})
    best, other = result.structured_content["evidence"]
    assert (best["context_id"], best["says"], best["supports"]) == ("opera", "supports", 0.9)
    assert (other["context_id"], other["says"], other["rank"]) == ("bridge", "refutes", 2)


def test_evidence_in_contexts_has_its_place_in_them(stub: Any) -> None:
    contexts = ["Nothing here.", " ".join(["Some other words stand before it."] * 12) + " The toll was nine shillings."]
    result = call(stub(), "find_evidence", {"query": "toll shillings", "contexts": contexts, "k": 2})
    best = result.structured_content["evidence"][0]
    assert best["index"] == 1
    assert contexts[1][best["start"] : best["end"]] == best["text"]
    assert "nine shillings" in best["text"]


def test_of_many_windows_those_are_read_that_share_most_words(stub: Any) -> None:
    engine = stub()
    contexts = ["It rains."] * 99 + ["The toll was high."]
    result = call(engine, "find_evidence", {"query": "high toll", "contexts": contexts, "k": 1})
    assert engine.scored == 64
    assert result.structured_content["evidence"][0]["index"] == 99
    assert result.structured_content["warnings"] == [
        "64 of 100 windows were read: those that share most words with what is looked for"
    ]


def test_nothing_to_find_is_no_error(stub: Any) -> None:
    result = call(stub(), "find_evidence", {"query": "x", "contexts": []})
    assert (text(result), result.structured_content) == ("nothing was found", {"evidence": [], "warnings": []})


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("check_answer", {"contexts": ["a"]}, "answer is missing"),
        ("check_answer", {"answer": 7, "contexts": ["a"]}, "answer must be a string"),
        ("check_answer", {"answer": "a"}, "contexts is missing"),
        ("check_answer", {"answer": "a", "contexts": SECRET}, "contexts must be a list"),
        ("check_answer", {"answer": "a", "contexts": [7]}, "contexts[0] must be a string or an object"),
        ("check_answer", {"answer": "a", "contexts": [{"id": SECRET}]}, "contexts[0] has no text"),
        ("check_answer", {"answer": "a", "contexts": ["a"], SECRET: 1}, "check_answer does not take 1 of the fields"),
        ("check_answer", {"answer": "a", "contexts": ["a"], "model": SECRET}, "does not take 1 of the fields"),
        ("check_answer", {"answer": SECRET + "a" * 1000, "contexts": ["a"]}, "answer has 1017 characters"),
        ("check_answer", {"answer": "a", "contexts": [SECRET + "a" * 1000]}, "contexts[0] has 1017 characters"),
        ("check_answer", {"answer": "a", "contexts": [SECRET + "a" * 900] * 5}, "bytes, and may have 4096"),
        ("verify_answer", {"index": "notes"}, "answer is missing"),
        ("find_evidence", {}, "give a query or a claim"),
        ("find_evidence", {"query": "a", "claim": "b"}, "give a query or a claim"),
        ("find_evidence", {"query": " "}, "there is nothing to look for"),
        ("find_evidence", {"query": "a", "index": "notes", "contexts": ["a"]}, "give an index or contexts"),
        ("find_evidence", {"query": "a", "k": 0}, "k must be a whole number from 1 to 50"),
        ("find_evidence", {"query": "a", "k": True}, "k must be a whole number"),
        (SECRET, {}, "there is no such tool"),
    ],
)
def test_what_cannot_be_read_is_an_error_that_holds_nothing_of_it(
    stub: Any, tool: str, arguments: dict[str, Any], said: str
) -> None:
    told = refusal(stub(), tool, arguments)
    assert said in told
    assert SECRET not in told


def test_an_answer_without_text_is_not_checkable_and_no_error(stub: Any) -> None:
    assert not call(stub(), "check_answer", {"answer": "", "contexts": ["a"]}).is_error


@pytest.mark.parametrize(
    ("raised", "said"),
    [
        (Busy("full", retry_after=7), "error: the queue is full (hint: ask again in 7 s)"),
        (Expired("late"), "send less text at once, or try again"),
        (CorruptIndex(f"{SECRET}/postings", "cut"), "the index is damaged"),
        (InputError("too deep", "make it flat"), "error: too deep (hint: make it flat)"),
        (ValueError(SECRET), "this is a bug in Groundwire"),
    ],
)
def test_what_goes_wrong_inside_is_told_without_its_inside(
    stub: Any, raised: Exception, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    told = refusal(stub(raises=raised), "check_answer", {"answer": "a", "contexts": ["a"]})
    assert said in told
    assert SECRET not in told + "".join(capfd.readouterr())


def test_a_call_that_takes_too_long_is_given_up(stub: Any) -> None:
    engine = stub(seconds=30)
    assert "took too long" in refusal(engine, "check_answer", {"answer": "a", "contexts": ["a"]})
    assert (engine.unwanted, engine.tickets[0].cancelled) == (1, True)


def test_a_call_that_the_client_cancels_gives_its_place_back(stub: Any) -> None:
    engine = stub(seconds=0.4)

    async def leave(client: Client) -> None:
        with anyio.move_on_after(0.1):
            await client.call_tool("check_answer", {"answer": "a", "contexts": ["a"]})
        await client.call_tool("check_answer", {"answer": "b", "contexts": ["a"]})

    talk(engine, leave, mode="legacy")
    assert engine.unwanted == 1
    assert [ticket.cancelled for ticket in engine.tickets] == [True, True]
    assert [case.answer for case in engine.cases] == ["b"]


def test_every_call_has_a_ticket_with_a_deadline(stub: Any) -> None:
    engine = stub()

    async def twice(client: Client) -> None:
        for _ in range(2):
            await client.call_tool("check_answer", {"answer": "a", "contexts": ["a"]})

    talk(engine, twice)
    assert [(ticket.id, ticket.client) for ticket in engine.tickets] == [("mcp-1", "mcp"), ("mcp-2", "mcp")]
    assert all(ticket.deadline is not None for ticket in engine.tickets)


def test_tools_say_what_they_take_and_give(stub: Any) -> None:
    tools = {tool.name: tool for tool in talk(stub(), lambda client: client.list_tools()).tools}
    assert list(tools) == ["check_answer", "verify_answer", "find_evidence"]
    assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools.values())
    assert tools["verify_answer"].input_schema["properties"]["index"]["enum"] == ["notes"]
    assert all(not tool.input_schema["additionalProperties"] for tool in tools.values())
    good = {"answer": ANSWER, "contexts": [CONTEXT]}
    validate(good, tools["check_answer"].input_schema)
    validate(call(stub(), "check_answer", good).structured_content, tools["check_answer"].output_schema)


def test_without_an_index_nothing_can_be_verified(stub: Any) -> None:
    tools = talk(stub(), lambda client: client.list_tools(), indexes={}).tools
    assert [tool.name for tool in tools] == ["check_answer", "find_evidence"]
    assert "index" not in tools[1].input_schema["properties"]


def test_long_texts_are_cut_beside_the_result_and_not_in_it(stub: Any) -> None:
    passage = Passage(id="long", text="word " * 2000)
    result = call(stub(passages=[passage]), "find_evidence", {"query": "word"})
    assert result.structured_content["evidence"][0]["text"] == passage.text
    assert len(text(result)) < 4100
    assert text(result).endswith("more characters)")


def test_the_log_has_a_line_a_call_and_nothing_of_its_texts(stub: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="groundwire.server")
    call(stub(), "check_answer", {"answer": SECRET, "contexts": [SECRET], "question": SECRET})
    call(stub(), SECRET, {SECRET: SECRET})
    call(stub(raises=ValueError(SECRET)), "check_answer", {"answer": SECRET, "contexts": [SECRET]})
    ours = [record for record in caplog.records if record.name == "groundwire.server"]
    fields = [record.fields for record in ours]
    assert [(f.get("tool"), f.get("outcome"), f["request_id"]) for f in fields] == [
        ("check_answer", "ok", "mcp-1"),
        ("unknown", "InputError", "mcp-1"),
        (None, None, "mcp-1"),
        ("check_answer", "ValueError", "mcp-1"),
    ]
    shown = JsonLines(messages=False)
    assert SECRET not in "".join(map(shown.format, ours))


def test_an_engine_that_cannot_start_is_told_to_whom_waits(stub: Any) -> None:
    class Broken(stub):  # type: ignore[misc]
        async def start(self) -> None:
            raise CorruptIndex("notes.index", "cut")

    async def run() -> CallToolResult:
        start = Start(Broken())
        with pytest.raises(CorruptIndex):
            await start.begin()
        async with Client(build(Broken(), Settings(indexes=ONE), start)) as client:
            return await client.call_tool("check_answer", {"answer": "a", "contexts": ["a"]})

    assert "the index is damaged" in text(anyio.run(run))
