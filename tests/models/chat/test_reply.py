import json
import random

import pytest

from groundwire.models.chat.failure import Failure, Kind
from groundwire.models.chat.reply import CUT, completion
from groundwire.testing.faults import chat_reply


def body(text: str | None = "Yes", **message: object) -> bytes:
    return json.dumps(chat_reply(text, "m", prompt="a b c", **message)).encode()


def test_a_good_reply() -> None:
    got = completion(body("Yes, it is."))
    assert (got.text, got.status, got.reason) == ("Yes, it is.", "ok", None)
    assert (got.prompt_tokens, got.reply_tokens, got.cached) == (3, 3, False)


def test_an_empty_text_is_a_text() -> None:
    assert completion(body("")).text == ""


def test_text_in_parts_is_joined() -> None:
    parts = [{"type": "text", "text": "Yes"}, {"type": "text", "text": "."}]
    assert completion(body(None, content=parts)).text == "Yes."


def test_a_reply_cut_by_the_limit_says_so() -> None:
    assert completion(body("Yes, it", finish_reason="length")).reason == CUT


def test_refusals_are_values() -> None:
    refused = completion(body(None, refusal="I cannot."))
    assert (refused.text, refused.status) == ("I cannot.", "refused")
    filtered = completion(body(None, finish_reason="content_filter"))
    assert (filtered.text, filtered.status) == ("", "refused")


def test_missing_or_foolish_counts_are_zero() -> None:
    reply = chat_reply("Yes", "m")
    for usage in (None, [], {"prompt_tokens": -4, "completion_tokens": True}, {"prompt_tokens": "12"}):
        got = completion(json.dumps({**reply, "usage": usage}).encode())
        assert (got.prompt_tokens, got.reply_tokens) == (0, 0)


@pytest.mark.parametrize(
    "wrong",
    [
        b"",
        b"<html></html>",
        b"Yes",
        b"[]",
        b"null",
        b"{}",
        b'{"choices": []}',
        b'{"choices": null}',
        b'{"choices": [7]}',
        b'{"choices": [{}]}',
        b'{"choices": [{"message": null}]}',
        b'{"choices": [{"message": {}}]}',
        b'{"choices": [{"message": {"content": 7}}]}',
        b'{"choices": [{"message": {"content": []}}]}',
        b'{"choices": [{"message": {"content": [{"image": 1}]}}]}',
        b"[" * 100_000,
        b'{"choices": ' + b"9" * 5000 + b"}",
        b"\xff\xfe\x00",
    ],
)
def test_everything_else_is_a_failure(wrong: bytes) -> None:
    with pytest.raises(Failure) as raised:
        completion(wrong)
    assert raised.value.kind is Kind.MALFORMED


def test_two_thousand_garbage_replies_make_no_text_that_was_not_there() -> None:
    """R10 for this parser: a damaged reply fails, or is read as the protocol says; never any other error."""
    rng = random.Random(11)
    whole = body("Yes")
    failures = 0
    for _ in range(2000):
        garbage = bytearray(whole)
        for _ in range(rng.randint(1, 30)):
            position = rng.randrange(len(garbage))
            garbage[position : position + rng.randint(0, 4)] = rng.randbytes(rng.randint(0, 4))
        try:
            got = completion(bytes(garbage))
        except Failure as failure:
            failures += failure.kind is Kind.MALFORMED
            continue
        assert got.status in ("ok", "refused")
        assert isinstance(got.text, str)
        held = json.loads(bytes(garbage))["choices"][0]["message"]
        assert got.text in (held.get("content"), held.get("refusal"), "")
    assert failures > 1500
