"""Lines of JSON about requests, and never of what is in them."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from groundwire.server.access_record import AccessRecord
from groundwire.server.logs import Log, set_up

SECRET = "canary-f00dfeed"


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    yield io.StringIO()
    root.handlers[:], root.level = before


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def failing(message: str) -> Exception:
    try:
        raise ValueError(message)
    except ValueError as error:
        return error


def test_a_request_is_one_line(stream: io.StringIO) -> None:
    set_up("info", stream)
    Log().request(
        AccessRecord(id="a", client="key-1", method="POST", route="/v1/check", status=200, refused="", seconds=0.12345)
    )
    (line,) = lines(stream)
    assert line.pop("time").endswith("+00:00")
    assert line == {
        "level": "info", "event": "request", "request_id": "a", "client": "key-1", "method": "POST", "route": "/v1/check",
        "status": 200, "seconds": 0.1235,
    }  # fmt: skip


@pytest.mark.contract("silence")
@pytest.mark.parametrize("level", ["info", "warning", "error"])
def test_below_debug_no_message_of_an_exception_or_of_another_package_is_shown(stream: io.StringIO, level: str) -> None:
    set_up(level, stream)
    Log().bug("a", failing(SECRET))
    logging.getLogger("asyncio").error(f"Task exception was never retrieved: {SECRET}", exc_info=failing(SECRET))
    logging.getLogger("another.package").warning("%s", SECRET)
    assert len(lines(stream)) >= 2
    assert SECRET not in stream.getvalue()
    assert "ValueError" in stream.getvalue()


def test_at_debug_it_is(stream: io.StringIO) -> None:
    set_up("debug", stream)
    Log().bug("a", failing(f"{SECRET}\n\x1b[31m"))
    assert SECRET in stream.getvalue()
    assert len(lines(stream)) == 1
    assert "\x1b" not in lines(stream)[0]["error"]["message"]


def test_no_text_can_make_a_second_line(stream: io.StringIO) -> None:
    set_up("info", stream)
    Log().event("x", field='one\n{"event": "two"}\u2028three')
    assert len(lines(stream)) == 1


def test_a_stream_that_is_closed_gives_nothing_away(stream: io.StringIO, capfd: pytest.CaptureFixture[str]) -> None:
    set_up("info", stream)
    stream.close()
    try:
        raise ValueError(SECRET)
    except ValueError as error:
        Log().bug("r", error)
    assert SECRET not in "".join(capfd.readouterr())
