"""A reply that came as a whole: checked, and either annotated or, where it is not backed, withheld.

Left out: streams (`stream_annotate`, `stream_block`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from groundwire.server.own.body import aside
from groundwire.server.proxy.annotation import FILTERED, HEADER, WITHHELD, ours, speaks
from groundwire.server.proxy.judging import Judging
from groundwire.server.proxy.request import FIELD, text_of
from groundwire.server.proxy.upstream import broken
from groundwire.server.replies import replied as answered


async def replied(body: bytes, judging: Judging) -> Response:
    """Return the reply with its verdicts. Raises ApiError (502) where the upstream's body is no chat completion."""
    found = await aside(_reply, body)
    choices: list[dict[str, Any]] = found["choices"]
    texts = {_index(choice, n): text_of(choice["message"].get("content")) for n, choice in enumerate(choices)}
    if len(texts) != len(choices):
        raise broken("the upstream's reply has two choices of one index")
    verdicts = await judging.whole(texts)
    blocked: list[int] = []
    if judging.chat.mode == "block":
        blocked = [index for index, verdict in verdicts.items() if not speaks(verdict)]
        found["choices"] = [
            withheld(index) if (index := _index(choice, n)) in blocked else choice for n, choice in enumerate(choices)
        ]
    told = await ours(judging.chat, verdicts, blocked)
    return await answered({**found, FIELD: told}, headers={HEADER: told["verdict"]})


def withheld(index: int) -> dict[str, Any]:
    """Return what stands in place of a choice that is not backed."""
    message = {"role": "assistant", "content": WITHHELD, "refusal": None}
    return {"index": index, "message": message, "logprobs": None, "finish_reason": FILTERED}


def _reply(body: bytes) -> dict[str, Any]:
    try:
        # Objects are put together by a function of Python's, so that a large reply lets others run while it is read.
        found = json.loads(body, parse_constant=_no_number, object_pairs_hook=lambda pairs: dict(pairs))
    except (ValueError, RecursionError):
        raise broken("the upstream's reply is not JSON") from None
    choices = found.get("choices") if isinstance(found, dict) else None
    if not isinstance(choices, list) or not all(
        isinstance(choice, dict) and isinstance(choice.get("message"), dict) for choice in choices
    ):
        raise broken("the upstream's reply is no chat completion")
    return dict(found)


def _index(choice: Mapping[str, Any], n: int) -> int:
    index = choice.get("index", n)
    return index if type(index) is int else n


def _no_number(name: str) -> None:
    raise ValueError(name)
