"""R11, reduced: whatever bytes come over a socket, the server answers cleanly or lets go, in time, and lives on."""

import asyncio
from collections import Counter
from collections.abc import Callable

from groundwire.server.app import build
from groundwire.server.engine import Engine
from groundwire.server.settings import Limits, Settings

from .conftest import running_server
from .mangled import conversations
from .sockets import alive, talked, wrong
from .wire import Conversation, Outcome, Reply

QUICK = 1.0


def test_no_bytes_bring_a_server_down(engine: Engine) -> None:
    limits = Limits(receipt_seconds=QUICK, idle_seconds=2 * QUICK)
    server = running_server(build(Settings(port=0, limits=limits), engine), Settings(port=0, limits=limits))
    try:
        problems: list[str] = []
        kinds: Counter[str] = Counter()
        statuses: Counter[int] = Counter()

        def count(kind: str, problem: str | None, found: list[int]) -> None:
            kinds[kind] += 1
            statuses.update(found)
            problems.extend([problem] if problem else [])

        talks = conversations(260, seed=3, long=QUICK)
        asyncio.run(talked(server.host, server.port, talks, at_once=16, count=count, long=3 * QUICK))
        assert problems == []
        assert len(kinds) == 16
        assert {200, 400, 404, 408, 413, 422, 431} <= set(statuses)
        assert alive(server.host, server.port) is None
    finally:
        server.stop()


def test_what_is_wrong_is_seen() -> None:
    talk = Conversation(kind="k", pieces=((0.0, b"x"),), least=1)
    reply: Callable[..., Reply] = lambda status, body=b"{}", **headers: Reply(status, headers, body)  # noqa: E731
    cases = {
        "500": Outcome(told=[reply(500)]),
        "envelope": Outcome(told=[reply(400, b"no")]),
        "2 replies": Outcome(told=[reply(200), reply(200)]),
        "0 replies": Outcome(),
        "hangs": Outcome(hung=True),
        "reset": Outcome(reset=True),
    }
    for said, outcome in cases.items():
        assert said in (wrong(talk, outcome) or ""), said
    assert wrong(talk, Outcome(told=[Reply(503, {"retry-after": "2"}, b"{}")])) is None


def test_the_same_seed_gives_the_same_conversations() -> None:
    assert list(conversations(40, seed=5)) == list(conversations(40, seed=5))
    assert [talk.sent for talk in conversations(40, seed=5)] != [talk.sent for talk in conversations(40, seed=6)]
