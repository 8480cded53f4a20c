"""What the proxy says of a reply: the `groundwire` object, its header, and what stands in place of a withheld answer.

Left out: the checks themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from groundwire.errors import GroundwireError
from groundwire.server.errors import INTERNAL, ApiError, explained
from groundwire.server.own.records import published, written
from groundwire.server.proxy.request import FIELD, Chat
from groundwire.types import Case, Label, Verdict

HEADER = "x-groundwire-verdict"
WITHHELD = "This answer was withheld: the evidence does not back it."
FILTERED = "content_filter"

NO_EVIDENCE = "there is no evidence in the messages: no system or tool message, and no part tagged grounding_source"
NO_TEXT = "the reply says nothing: it calls tools, refuses, or is empty"
NO_CHOICES = "the reply has no choices"
TOO_LONG = "the reply is longer than a text that is checked may be"
ASSERTS_NOTHING = "nothing to check"
"""How the reason of a verdict begins that the checker gives an answer without anything to back."""
_WORST = (Label.CONTRADICTED, Label.NOT_ENOUGH_INFO, Label.NOT_CHECKABLE, Label.SUPPORTED)


def unjudged(case: Case, reason: str, threshold: float) -> Verdict:
    """Return the verdict on what was not judged: not checkable, and why."""
    return Verdict(case=case, label=Label.NOT_CHECKABLE, score=None, threshold=threshold, reason=reason)


def failure(error: GroundwireError) -> str:
    """Return the reason of a verdict that a failed check leaves. Raises the error where it is a bug."""
    told = explained(error)
    if told.type == INTERNAL:
        raise error
    return f"the check failed: {told.message}"


def speaks(verdict: Verdict) -> bool:
    """Say whether an answer may go out in mode `block`: it is backed, or it was read and asserts nothing."""
    if verdict.label is not Label.NOT_CHECKABLE:
        return verdict.grounded
    reason = verdict.reason or ""
    return reason == NO_TEXT or reason.startswith(ASSERTS_NOTHING)


async def ours(chat: Chat, verdicts: Mapping[int, Verdict], blocked: Sequence[int] = ()) -> dict[str, Any]:
    """Return the `groundwire` object of a reply. Citations that no answer can hold are left out, and it says so."""
    try:
        return await written(list(verdicts.values()), lambda: _ours(chat, verdicts, blocked))
    except ApiError as error:  # the reply is there and paid for, so it is not given up for what stands beside it
        bare = {index: _uncited(verdict) for index, verdict in verdicts.items()}
        return {**_ours(chat, bare, blocked), "reason": f"there are no citations: {error.message}"}


def _uncited(verdict: Verdict) -> Verdict:
    return replace(verdict, claims=tuple(replace(claim, evidence=()) for claim in verdict.claims))


def _ours(chat: Chat, verdicts: Mapping[int, Verdict], blocked: Sequence[int]) -> dict[str, Any]:
    """Return the object, its choices in the order of their index."""
    choices: list[dict[str, Any]] = [
        {
            "index": index,
            **published(verdicts[index], chat.options, cut=chat.cut),
            **({"blocked": index in blocked} if chat.mode == "block" else {}),
        }
        for index in sorted(verdicts)
    ]
    told: dict[str, Any] = {"mode": chat.mode, "verdict": str(worst(verdicts.values()))}
    return {**told, "choices": choices} if choices else {**told, "reason": NO_CHOICES, "choices": []}


def worst(verdicts: Any) -> Label:
    """Return the label of a reply: that of its worst choice."""
    return min((verdict.label for verdict in verdicts), key=_WORST.index, default=Label.NOT_CHECKABLE)


def chunk_of(meta: Mapping[str, Any], verdicts: Mapping[int, Verdict], told: Mapping[str, Any]) -> dict[str, Any]:
    """Return the last chunk of a stream.

    It has a choice that adds nothing, since many clients read the first choice of every chunk without looking.
    """
    choices: list[dict[str, Any]] = [
        {"index": index, "delta": {}, "finish_reason": None} for index in sorted(verdicts) or [0]
    ]
    return {**meta, "object": "chat.completion.chunk", "choices": choices, FIELD: told}


def meta_of(chunk: Mapping[str, Any]) -> dict[str, Any]:
    """Return what every chunk of a stream repeats."""
    return {name: chunk[name] for name in ("id", "object", "created", "model", "system_fingerprint") if name in chunk}
