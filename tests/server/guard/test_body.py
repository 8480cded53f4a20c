"""A body is counted as it comes, whatever it says of itself, and has to be whole in time."""

import asyncio
import time
from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any

import pytest

from groundwire.server.errors import ApiError
from groundwire.server.guard.body import Gone, Receive, Room, crowded, received


def sender(pieces: Iterable[bytes | None], *, delay: float = 0.0, ends: bool = True) -> Receive:
    """Send pieces, None for a client that leaves; one that does not end never sends the last."""
    messages = [
        {"type": "http.disconnect"} if p is None else {"type": "http.request", "body": p, "more_body": True}
        for p in pieces
    ]
    if ends:
        messages.append({"type": "http.request"})
    left = iter(messages)

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(delay)
        for message in left:
            return message
        await asyncio.Event().wait()
        raise AssertionError

    return receive


def read(
    receive: Receive, *, most: int = 10, seconds: float = 5.0, room: Room | None = None, declared: int | None = None
) -> bytes:
    async def run() -> bytes:
        until = asyncio.get_running_loop().time() + seconds
        with (room or Room(1000)).held() as take:
            return await received(receive, declared=declared, most=most, until=until, take=take)

    return asyncio.run(run())


@pytest.mark.contract("body")
@pytest.mark.parametrize(("pieces", "fits"), [([b"12345", b"67890"], True), ([b"12345", b"67890", b"1"], False)])
def test_bytes_are_counted_as_they_come(pieces: list[bytes], fits: bool) -> None:
    if fits:
        assert read(sender(pieces)) == b"".join(pieces)
        return
    with pytest.raises(ApiError) as error:
        read(sender(pieces, ends=False))
    assert error.value.status == 413


def test_what_says_that_it_is_too_large_is_not_read() -> None:
    async def never() -> dict[str, Any]:
        raise AssertionError

    with pytest.raises(ApiError) as error:
        read(never, declared=11)
    assert error.value.status == 413


@pytest.mark.contract("receipt")
@pytest.mark.parametrize("receive", [sender([], ends=False), sender([b"1"] * 9, delay=0.05)])
def test_a_body_that_hangs_or_drips_is_given_up(receive: Receive) -> None:
    with pytest.raises(ApiError) as error:
        read(receive, seconds=0.2)
    assert error.value.status == 408


def test_what_has_come_already_is_read_even_when_it_is_late() -> None:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"whole", "more_body": False}

    assert read(receive, seconds=-5) == b"whole"


def test_a_client_that_leaves_is_gone() -> None:
    with pytest.raises(Gone):
        read(sender([b"1", None]))


def test_all_bodies_together_have_bounded_room_that_is_given_back() -> None:
    room = Room(8)
    assert read(sender([b"12345678"]), room=room) == b"12345678"
    with pytest.raises(ApiError) as error:
        read(sender([b"12345678", b"9"]), room=room)
    assert error.value.status == 429
    assert read(sender([b"12345678"]), room=room) == b"12345678"


def test_one_client_that_holds_all_the_room_it_may_leaves_some_for_another() -> None:
    async def run() -> None:
        room = Room(70)
        with ExitStack() as bodies:
            slow = [bodies.enter_context(room.held("slow")) for _ in range(8)]
            for take in slow[:7]:
                take(10)
            with pytest.raises(ApiError) as error:
                slow[7](1)
            assert error.value.status == 429
            with room.held("other") as take:
                take(8)
                assert room.taken == 78
                with pytest.raises(ApiError):
                    slow[0](1)
        assert room.taken == 0

    asyncio.run(run())


@pytest.mark.parametrize(
    ("body", "much"),
    [
        (b"[" + b"[]," * 60_000 + b"[]]", True),
        (b"[" + b'{"a":"b"},' * 60_000 + b"{}]", True),
        (b'{"a":"' + b"[{" * 60_000 + b'"}', False),
        (b'{"a":"' + b'\\"[' * 60_000 + b'"}', False),
        (b'{"a":"\\\\","b":[' + b"{}," * 60_000 + b'{}],"c":"d"}', True),
        (b'"' * 200_001 + b"[" * 50_000, False),
        (b'{"a":[' + b"1," * 60_000 + b"1]}", True),
        (b'{"a":[' + b'"b",' * 200_000 + b'"c"]}', True),
        (b'{"a":"' + b"b, " * 60_000 + b'","c":["d\\\\",1]}', False),
    ],
)
def test_what_no_parser_ends_with_soon_is_seen_before(body: bytes, much: bool) -> None:
    began = time.perf_counter()
    assert crowded(body) is much
    assert time.perf_counter() - began < 1
