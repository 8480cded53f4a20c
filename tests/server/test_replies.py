"""JSON is the same however large it is, and what is large is not written where everybody waits for it."""

import asyncio
import json
import math
import random
from typing import Any

import pytest

from groundwire.server import replies
from groundwire.server.own.events import frame, framed
from groundwire.server.replies import encoded, light, replied, reply


def values(draw: random.Random, deep: int) -> Any:
    if deep and draw.random() < 0.7:
        inner = [values(draw, deep - 1) for _ in range(draw.choice((0, 1, 2, 7)))]
        return inner if draw.random() < 0.5 else {f"k{n}\n": value for n, value in enumerate(inner)}
    return draw.choice((None, True, 7, -0.25, 1e300, "", 'a "b"\n', "字😀", "x" * 50))


@pytest.mark.parametrize("most", [1, 20, 300, 1 << 20])
def test_in_pieces_it_is_what_it_is_in_one(monkeypatch: pytest.MonkeyPatch, most: int):
    monkeypatch.setattr(replies, "LIGHT", most)
    draw = random.Random(most)
    for _ in range(200):
        content = {"a": values(draw, 5), "b": (values(draw, 2), 1)}
        wanted = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
        assert encoded(content) == wanted
    assert json.loads(encoded(["\ud800", "字", {"\udfff": 1}])) == ["\ud800", "字", {"\udfff": 1}]
    assert encoded({1: ["x" * 50] * 2}) == json.dumps({1: ["x" * 50] * 2}, separators=(",", ":")).encode()
    with pytest.raises(ValueError, match="JSON"):
        encoded([0.0] * 50 + [math.nan])


def test_what_is_large_is_written_in_small_pieces_and_not_on_the_loop(monkeypatch: pytest.MonkeyPatch):
    claims = [{"text": "Something is so.", "citations": [{"text": "It is so.", "score": 0.5}] * 3}] * 6_000
    written: list[tuple[bool, int]] = []
    whole = replies._whole
    monkeypatch.setattr(replies, "_whole", lambda content: _noted(whole(content), written))

    async def answer(content: Any) -> bytes:
        assert (await replied(content)).body == encoded(content)
        return await framed(content, "verdict")

    asyncio.run(answer({"claims": claims[:3]}))
    assert all(on_loop for on_loop, _ in written)
    written.clear()

    async def only(content: Any) -> tuple[bytes, bytes]:
        return bytes((await replied(content)).body), await framed(content, "verdict")

    body, event = asyncio.run(only({"claims": claims}))
    assert len(body) > 10 * replies.LIGHT
    assert not any(on_loop for on_loop, _ in written)
    assert max(size for _, size in written) < 4 * replies.LIGHT
    assert event == frame({"claims": claims}, "verdict")
    assert reply(body).body == body


def _noted(made: bytes, written: list[tuple[bool, int]]) -> bytes:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        written.append((False, len(made)))
    else:
        written.append((True, len(made)))
    return made


@pytest.mark.parametrize(
    ("content", "is_light"),
    [
        ({"a": ["x" * 1000] * 5}, True),
        ("x" * replies.LIGHT, False),
        ([0] * replies.LIGHT, False),
        ({"a": [{"b": {"c": ["x" * 70_000]}}]}, False),
        ([[]] * 100, True),
    ],
)
def test_the_size_is_told_without_writing(content: Any, is_light: bool):
    assert light(content) is is_light
