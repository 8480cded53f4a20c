"""The wire: lines in and out of descriptors, whatever stands on them."""

import json
import os
import subprocess
import sys
import threading
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra mcp is not installed")

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCResponse

from groundwire.server.mcp.wire import incoming, outgoing, parsed, whole

LONGEST = 200


def request(**params: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()


def heard(*pieces: bytes) -> tuple[list[Any], list[Any]]:
    """Return the messages that came in, and the errors that were answered."""
    source, end = os.pipe()
    writer = threading.Thread(target=lambda: [os.write(end, piece) for piece in pieces] and os.close(end))

    async def run() -> tuple[list[Any], list[Any]]:
        asked = anyio.create_memory_object_stream[SessionMessage | Exception](100)
        told = anyio.create_memory_object_stream[SessionMessage](100)
        with anyio.fail_after(10):
            await incoming(source, asked[0], told[0], LONGEST)
        with asked[1], told[1]:
            return [m.message async for m in asked[1]], [m.message async for m in told[1]]

    writer.start()
    try:
        return anyio.run(run)
    finally:
        writer.join()
        os.close(source)


def test_a_message_is_a_line_however_it_arrives() -> None:
    one, two = request(n=1), request(n=2)
    both = one + b"\n" + two + b"\n"
    for cut in (1, len(one), len(one) + 1, len(both) - 1):
        messages, errors = heard(both[:cut], both[cut:])
        assert [m.params["n"] for m in messages] == [1, 2]
        assert errors == []


def test_the_last_line_need_not_end_and_empty_ones_say_nothing() -> None:
    messages, errors = heard(b"\n  \r\n" + request(n=1))
    assert (len(messages), errors) == (1, [])


@pytest.mark.parametrize(
    "line", [b"hello", b"{}", b"[1]", b"\xff\xfe", b'{"jsonrpc": "2.0"', b"[" * 190, b"null", b"9" * 190]
)
def test_what_is_no_message_is_answered_and_the_next_is_read(line: bytes) -> None:
    messages, (error,) = heard(line + b"\n" + request(n=1) + b"\n")
    assert [m.params["n"] for m in messages] == [1]
    assert (error.id, error.error.code) == (None, -32700)
    assert error.error.message == "this line is no JSON-RPC message"


@pytest.mark.parametrize("length", [LONGEST + 1, 100_000, 1 << 20])
def test_a_line_that_is_too_long_is_dropped_and_answered(length: int) -> None:
    messages, (error,) = heard(b"x" * length + b"\n" + request(n=1) + b"\n")
    assert [m.params["n"] for m in messages] == [1]
    assert (error.error.code, error.error.message) == (-32600, f"a message may have {LONGEST} bytes")


def test_half_of_a_surrogate_pair_becomes_a_replacement_character() -> None:
    message = parsed(rb'{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":"x\ud800y","b":"\ud83c\udf09"}}')
    assert message is not None
    assert message.model_dump()["params"] == {"a": "x\ufffdy", "b": "🌉"}


def test_texts_stay_as_long_as_they_were() -> None:
    assert whole("a\udfffb🌉") == "a\ufffdb🌉"
    plain = "plain"
    assert whole(plain) is plain


def test_messages_are_written_as_lines_in_their_order() -> None:
    source, sink = os.pipe()
    answers = [SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=n, result={"text": "é\n" * 20_000})) for n in range(3)]

    async def run() -> None:
        send, receive = anyio.create_memory_object_stream[SessionMessage](10)
        async with anyio.create_task_group() as group:
            group.start_soon(outgoing, sink, receive)
            async with send:
                for answer in answers:
                    await send.send(answer)
        os.close(sink)

    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.extend(iter(lambda: os.read(source, 1 << 16), b"")))
    reader.start()
    anyio.run(run)
    reader.join()
    os.close(source)
    lines = b"".join(read).splitlines()
    assert [json.loads(line)["id"] for line in lines] == [0, 1, 2]
    assert json.loads(lines[0])["result"]["text"] == "é\n" * 20_000


def test_nobody_else_reads_or_writes_while_the_wire_is_owned() -> None:
    code = """
import os, sys
from groundwire.server.mcp.wire import own_wire
with own_wire() as (source, sink):
    print("a stray print")
    os.system("echo from a child; cat")
    os.write(sink, b"the protocol: " + os.read(source, 100))
print("after")
"""
    done = subprocess.run([sys.executable, "-c", code], input=b"a line\n", capture_output=True, timeout=60, check=True)
    assert done.stdout == b"the protocol: a line\nafter\n"
    assert sorted(done.stderr.splitlines()) == [b"a stray print", b"from a child"]
