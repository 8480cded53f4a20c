import asyncio
import json
from collections.abc import AsyncIterator, Callable
from types import SimpleNamespace
from typing import Any

import pytest

from groundwire.errors import Busy
from groundwire.models.batcher.ticket import Ticket
from groundwire.server.own import events
from groundwire.server.own.events import PINGED, frame, opened

ReadEvents = Callable[[str], list[tuple[str | None, Any]]]


def request() -> Any:
    return SimpleNamespace(state=SimpleNamespace(ticket=Ticket("id-1"), request_id="id-1"))


async def stays() -> dict[str, Any]:
    await asyncio.Event().wait()
    return {}


async def run(asked: Any, steps: AsyncIterator[bytes], receive: Any = stays, **options: Any) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    response = await opened(asked, steps, **options)
    await response({"type": "http"}, receive, send)
    return sent


def body(sent: list[dict[str, Any]]) -> bytes:
    return b"".join(message.get("body", b"") for message in sent)


@pytest.mark.parametrize("text", ["one", "a\nb", "a\r\nb\rc", "", "\n", "é\u2028 \u0085", "😀"])
def test_a_frame_says_its_text_in_lines_that_a_reader_joins(text: str, read_events: ReadEvents) -> None:
    lines = frame(text, "said", 3).decode().split("\n")
    assert lines[:2] == ["id: 3", "event: said"]
    assert lines[-2:] == ["", ""]
    assert all(line.startswith("data: ") for line in lines[2:-2])
    joined = "\n".join(line.removeprefix("data: ") for line in lines[2:-2])
    assert joined == text.replace("\r\n", "\n").replace("\r", "\n")


def test_json_is_one_line_and_keeps_its_line_breaks_and_lone_surrogates(read_events: ReadEvents) -> None:
    data = {"text": "a\nb\r\n\r \ud800 \u2028"}
    assert frame(data).count(b"\n") == 2
    assert read_events(frame(data).decode()) == [(None, data)]


def test_events_go_out_in_order_and_end() -> None:
    async def steps() -> AsyncIterator[bytes]:
        yield frame("1")
        yield frame("2")

    asked = request()
    sent = asyncio.run(run(asked, steps()))
    assert sent[0]["status"] == 200
    assert (b"content-type", b"text/event-stream; charset=utf-8") in sent[0]["headers"]
    assert body(sent) == b"data: 1\n\ndata: 2\n\n"
    assert [message["more_body"] for message in sent[1:]] == [True, True, False]
    assert asked.state.ticket.cancelled


def test_what_fails_at_once_has_its_own_status() -> None:
    async def steps() -> AsyncIterator[bytes]:
        raise Busy("full", retry_after=4)
        yield b""

    with pytest.raises(Busy):
        asyncio.run(run(request(), steps()))


def test_what_fails_later_is_an_event_with_the_envelope(read_events: ReadEvents) -> None:
    async def steps() -> AsyncIterator[bytes]:
        yield frame("1", "claim")
        raise Busy("full", retry_after=4)

    [_, (event, data)] = read_events(
        body(asyncio.run(run(request(), steps()))).decode().replace("data: 1", 'data: "1"')
    )
    assert (event, data["error"]["code"], data["error"]["request_id"]) == ("error", "queue_full", "id-1")


def test_a_bug_is_told_without_what_it_says(read_events: ReadEvents, caplog: pytest.LogCaptureFixture) -> None:
    async def steps() -> AsyncIterator[bytes]:
        yield frame(1)
        raise RuntimeError("the secret text")

    sent = body(asyncio.run(run(request(), steps())))
    assert json.loads(sent.split(b"data: ")[-1])["error"]["code"] == "internal_error"
    assert b"secret" not in sent
    assert [record.exc_info is not None for record in caplog.records] == [True]


def test_pings_are_comments_while_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "PATIENCE", 0.01)

    async def steps() -> AsyncIterator[bytes]:
        await asyncio.sleep(0.2)
        yield frame("1")

    sent = body(asyncio.run(run(request(), steps(), ping=0.05)))
    assert sent.count(PINGED) >= 2
    assert sent.replace(PINGED, b"") == b"data: 1\n\n"
    assert PINGED.startswith(b":")


def test_a_client_that_leaves_ends_the_work() -> None:
    ended: list[str] = []

    async def steps() -> AsyncIterator[bytes]:
        try:
            yield frame("1")
            await asyncio.sleep(30)
        finally:
            ended.append("closed")

    async def leaves() -> dict[str, Any]:
        await asyncio.sleep(0.05)
        return {"type": "http.disconnect"}

    asked = request()
    sent = asyncio.run(asyncio.wait_for(run(asked, steps(), leaves), 5))
    assert body(sent) == b"data: 1\n\n"
    assert asked.state.ticket.cancelled
    assert ended == ["closed"]


def test_a_client_that_does_not_read_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "STALLED", 0.05)

    async def steps() -> AsyncIterator[bytes]:
        yield frame("1")

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.body":
            await asyncio.sleep(30)

    async def serve(asked: Any) -> None:
        await (await opened(asked, steps()))({"type": "http"}, stays, send)

    asked = request()
    asyncio.run(asyncio.wait_for(serve(asked), 5))
    assert asked.state.ticket.cancelled


def test_a_request_that_is_given_up_before_the_head_ends_the_work() -> None:
    ended: list[str] = []

    async def steps() -> AsyncIterator[bytes]:
        try:
            await asyncio.sleep(30)
            yield b""
        finally:
            ended.append("closed")

    async def serve() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(opened(request(), steps()), 0.05)

    asyncio.run(serve())
    assert ended == ["closed"]
