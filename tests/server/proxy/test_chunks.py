import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from groundwire.server.errors import ApiError
from groundwire.server.proxy.chunks import Event, events_of

CHUNK = {
    "id": "c",
    "choices": [{"index": 1, "delta": {"content": "a\nb é", "role": "assistant"}, "finish_reason": "stop"}],
}
BODY = f"data: {json.dumps(CHUNK, ensure_ascii=False)}\n\n: ping\n\nevent: x\ndata:{{\ndata:}}\n\ndata: [DONE]\n\n".encode()


async def pieces(body: bytes, size: int) -> AsyncIterator[bytes]:
    for at in range(0, len(body), size):
        yield body[at : at + size]


def read(body: bytes, size: int = 1 << 20, most: int = 1 << 20) -> list[Event]:
    async def run() -> list[Event]:
        return [event async for event in events_of(pieces(body, size), most)]

    return asyncio.run(run())


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_events_are_the_same_however_they_are_cut(size: int, end: bytes) -> None:
    events = read(BODY.replace(b"\n", end), size)
    assert [event.raw for event in events] == [block + b"\n\n" for block in BODY.split(b"\n\n")[:-1]]
    assert [event.chunk for event in events] == [CHUNK, None, {}, None]
    assert [event.done for event in events] == [False, False, False, True]
    [delta] = events[0].deltas()
    assert (delta.index, delta.text, delta.other, delta.finish) == (1, "a\nb é", {"role": "assistant"}, "stop")


def test_an_event_without_an_end_is_one() -> None:
    assert [event.done for event in read(b"data: [DONE]")] == [True]


@pytest.mark.parametrize(
    "body",
    [
        b"data: {\n\n",
        b"data: 7\n\n",
        b"data: NaN\n\n",
        b'data: {"a": NaN}\n\n',
        b"data: " + b"[" * 100_000 + b"\n\n",
        b'data: {"choices": 7}\n\n',
        b'data: {"choices": [7]}\n\n',
        b'data: {"choices": [{"index": "0"}]}\n\n',
        b'data: {"choices": [{"delta": 7}]}\n\n',
        b'data: {"choices": [{"delta": {"content": ["a"]}}]}\n\n',
        b'data: {"choices": [{"delta": {}, "finish_reason": 1}]}\n\n',
        b"data: \xff\n\n",
    ],
)
def test_what_is_no_chunk_is_an_error_of_the_upstream(body: bytes) -> None:
    with pytest.raises(ApiError) as raised:
        [event.deltas() for event in read(body)]
    assert (raised.value.status, raised.value.code) == (502, "upstream_invalid")


@pytest.mark.parametrize("size", [1, 64, 5000])
@pytest.mark.parametrize("body", [b"data: " + b"x" * 5000, b"data: x\n" * 500, b"x" * 5000 + b"\n\n"])
def test_an_event_has_a_bound(body: bytes, size: int) -> None:
    with pytest.raises(ApiError, match="more than 1000 bytes"):
        read(body, size, most=1000)
