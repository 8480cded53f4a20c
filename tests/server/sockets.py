"""Conversations of raw bytes (`mangled`) with a server, many at a time, and what may come of them."""

import asyncio
import json
from collections.abc import Callable, Iterable

from .mangled import LONG
from .wire import Conversation, Line, Outcome, exchange, request

CASE = b'{"answer": "In 1889.", "contexts": ["It was finished in 1889."]}'


async def talked(
    host: str,
    port: int,
    talks: Iterable[Conversation],
    *,
    at_once: int,
    count: Callable[[str, str | None, list[int]], None],
    long: float = LONG,
) -> None:
    """Have all conversations, some at a time; `count` is told the kind of each, its problem, and the statuses in it."""
    turn = asyncio.Semaphore(at_once)

    async def one(talk: Conversation) -> None:
        async with turn:
            try:
                outcome = await exchange(host, port, talk, patience=3 * long + 5)
            except OSError as error:
                count(talk.kind, f"{talk.kind}: no connection: {error!r}", [])
            else:
                count(talk.kind, wrong(talk, outcome), [reply.status for reply in outcome.told])

    await asyncio.gather(*map(one, talks))


def wrong(talk: Conversation, outcome: Outcome) -> str | None:
    """Return what should not have come of a conversation, None where all is well."""
    said = f"{talk.kind}: {talk.sent[:200]!r}"
    if talk.abrupt:
        return None
    if outcome.garbled:
        return f"{outcome.garbled}: {said}"
    if outcome.hung:
        return f"hangs after {outcome.seconds:.0f} s: {said}"
    if outcome.reset and not outcome.told:
        return f"is reset without a word: {said}"
    if len(outcome.told) < talk.least:
        return f"{len(outcome.told)} replies for {talk.least} requests: {said}"
    if len(outcome.told) > talk.most:
        return f"{len(outcome.told)} replies for {talk.most} requests: {said}"
    for n, reply in enumerate(outcome.told):
        if reply.status >= 500 and not _named(reply.status, reply.headers):
            return f"{reply.status}: {said}"
        if reply.status >= 400 and not (n < len(talk.heads) and talk.heads[n]) and not _enveloped(reply.body):
            return f"{reply.status} without an envelope {reply.body[:80]!r}: {said}"
    return None


def alive(host: str, port: int) -> str | None:
    """Return what is wrong with a server that has been through all this, None where it answers as ever."""
    with Line(host, port) as line:
        if line.ask(request("GET", "/livez")).status != 200:
            return "it is not alive"
        checked = line.ask(request("POST", "/v1/check", body=CASE))
        if checked.status != 200 or checked.json()["verdict"] != "supported":
            return f"it does not check any more: {checked.status}"
    return None


def _named(status: int, headers: dict[str, str]) -> bool:
    return status == 504 or (status == 503 and headers.get("retry-after", "").isdigit())


def _enveloped(body: bytes) -> bool:
    try:
        return isinstance(json.loads(body), dict)
    except ValueError:
        return False
