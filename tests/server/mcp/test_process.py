"""The server as a child process on pipes, spoken to by the official client and by hand: it starts, answers, and ends."""

import json
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra mcp is not installed")

import anyio
from mcp import Client, StdioServerParameters, stdio_client

SECRET = "xyzzy-4711-canary"
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
STUBBED = """
import os, sys
sys.path.insert(0, {folder!r})
from conftest import StubEngine
from groundwire.server import mcp
from groundwire.server.mcp import serving
from groundwire.server.settings import Limits, Settings

class Engine(StubEngine):
    def __init__(self, settings):
        super().__init__(seconds={seconds})
    async def start(self):
        print("a stray print")
        os.system("echo a stray child")
    async def drain(self, seconds):
        return True
    async def close(self):
        pass

serving.Engine = Engine
mcp.run(Settings(indexes={{"notes": "notes.index"}}, limits=Limits(body_bytes=10_000)))
print("the end", file=sys.stderr)
"""


def stubbed(seconds: float = 0.0) -> list[str]:
    """Return the command of a server whose engine takes so long for everything, and prints while it starts."""
    return [sys.executable, "-c", STUBBED.format(folder=str(Path(__file__).parent), seconds=seconds)]


def real(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "groundwire", "serve", "mcp", *arguments]


def talk(command: list[str], then: Callable[[Client], Awaitable[Any]], errors: Path, cwd: Path | None = None) -> Any:
    """Start a server and let the official client speak to it over its pipes."""
    program, *arguments = command

    async def run() -> Any:
        with errors.open("w", encoding="utf-8") as log:
            transport = stdio_client(StdioServerParameters(command=program, args=arguments, cwd=cwd), errlog=log)
            async with Client(transport) as client:
                return await then(client)

    return anyio.run(run)


@contextmanager
def by_hand(command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes) as process:
        try:
            yield process
        finally:
            process.kill()


def said(process: subprocess.Popen[bytes], *messages: dict[str, Any] | bytes) -> None:
    assert process.stdin is not None
    for message in messages:
        process.stdin.write((message if isinstance(message, bytes) else json.dumps(message).encode()) + b"\n")
    process.stdin.flush()


def heard(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    assert process.stdout is not None
    found: dict[str, Any] = json.loads(process.stdout.readline())
    return found


def asking(number: int, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def test_the_official_client_checks_verifies_and_finds(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "bridge.txt").write_text(
        "The bridge was opened in 1932. Its arch spans 503 metres.", encoding="utf-8"
    )
    add = [sys.executable, "-m", "groundwire", "index", "add", "notes", "--to", "notes.index"]
    subprocess.run(add, cwd=tmp_path, check=True, capture_output=True, timeout=60)

    async def then(client: Client) -> None:
        tools = await client.list_tools()
        assert [tool.name for tool in tools.tools] == ["check_answer", "verify_answer", "find_evidence"]
        checked = await client.call_tool(
            "check_answer",
            {"question": "When?", "answer": "It opened\x00 in 1942 🌉.", "contexts": [f"{SECRET} It opened in 1932."]},
        )
        assert checked.structured_content["verdict"] == "contradicted"
        assert checked.structured_content["claims"][0]["text"] == "It opened\x00 in 1942 🌉."
        verified = await client.call_tool(
            "verify_answer", {"question": "How long?", "answer": "The arch spans 503 metres."}
        )
        assert verified.structured_content["grounded"] is True
        for asked in ({"query": "arch"}, {"claim": "The arch spans 503 metres."}):
            found = await client.call_tool("find_evidence", {**asked, "index": "notes"})
            assert "503 metres" in found.structured_content["evidence"][0]["text"]
        missing = await client.call_tool("verify_answer", {"answer": "a", "index": "none"})
        assert (missing.is_error, missing.content[0].text) == (
            True,
            "error: there is no such index (hint: known: notes)",
        )

    errors = tmp_path / "errors"
    talk(real("--index", "notes=notes.index"), then, errors, cwd=tmp_path)
    lines = [json.loads(line) for line in errors.read_text(encoding="utf-8").splitlines()]
    assert [line["tool"] for line in lines if line["event"] == "tool"][:2] == ["check_answer", "verify_answer"]
    assert SECRET not in json.dumps(lines)


def test_an_index_that_is_not_there_ends_it_with_one_line(tmp_path: Path) -> None:
    with by_hand(real("--index", f"notes={tmp_path / 'none'}")) as process:
        assert process.wait(timeout=60) == 3  # though its input is open
        out, err = process.communicate()
    assert out == b""
    assert b"holds no index" in err
    assert b"Traceback" not in err


def test_nothing_but_the_protocol_is_on_standard_output() -> None:
    with by_hand(stubbed()) as process:
        said(process, HELLO, b"no message", asking(2, "check_answer", {"answer": "a", "contexts": ["a"]}))
        answers = [heard(process) for _ in range(3)]
        out, err = process.communicate(timeout=30)
    assert {answer["id"] for answer in answers} == {1, 2, None}
    assert out == b""
    assert b"a stray print" in err
    assert b"a stray child" in err


def test_it_ends_when_its_input_ends() -> None:
    with by_hand(stubbed()) as process:
        said(process, HELLO)
        heard(process)
        _, err = process.communicate(timeout=30)
        assert (process.returncode, err.rstrip().endswith(b"the end")) == (0, True)


def test_it_ends_when_its_input_never_began() -> None:
    done = subprocess.run(stubbed(), stdin=subprocess.DEVNULL, capture_output=True, timeout=30)
    assert (done.returncode, done.stdout) == (0, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
@pytest.mark.parametrize("busy", [False, True])
def test_it_ends_at_sigterm_though_its_input_is_open(busy: bool) -> None:
    with by_hand(stubbed(seconds=25)) as process:
        said(process, HELLO)
        heard(process)
        if busy:
            said(process, asking(2, "check_answer", {"answer": "a", "contexts": ["a"]}))
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=10) == 0
        assert process.stderr is not None
        err = process.stderr.read()
    assert b"Traceback" not in err
    assert err.rstrip().endswith(b"the end")


def test_a_request_that_is_too_large_is_refused_by_its_id() -> None:
    with by_hand(stubbed()) as process:
        said(process, HELLO)
        heard(process)
        said(process, asking(2, "check_answer", {"answer": "a", "contexts": ["a" * 30_000]}))
        answer = heard(process)
        said(process, asking(3, "check_answer", {"answer": "a", "contexts": ["a" * 300_000]}))
        dropped = heard(process)
        said(process, asking(4, "check_answer", {"answer": "a", "contexts": ["a"]}))
        assert heard(process)["id"] == 4
    assert (answer["id"], answer["result"]["isError"]) == (2, True)
    assert "may have 10000" in answer["result"]["content"][0]["text"]
    assert (dropped["id"], dropped["error"]["code"]) == (None, -32600)


def test_half_characters_and_deep_nests_do_not_end_it() -> None:
    with by_hand(stubbed()) as process:
        said(process, HELLO)
        heard(process)
        said(process, rb'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"check_answer",'
             rb'"arguments":{"answer":"a\ud800","contexts":["a\ud800"]}}}')  # fmt: skip
        assert heard(process)["result"]["structuredContent"]["claims"][0]["text"] == "a\ufffd"
        said(process, b'{"jsonrpc":"2.0","id":3,"method":"ping","params":' + b'{"a":' * 5000 + b"1" + b"}" * 5001)
        assert heard(process)["error"]["code"] == -32700
        said(process, {"jsonrpc": "2.0", "id": 4, "method": "ping"})
        assert heard(process)["id"] == 4
