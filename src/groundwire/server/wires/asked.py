"""What a request in another service's words comes to: one case, within the server's limits, and its verdict.

A text is named by its field, which is what an error says of it. Left out: the words of each service (its own module).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fastapi import Request

from groundwire.server.errors import ApiError, invalid, too_long
from groundwire.server.own.models import too_many_contexts
from groundwire.server.settings import Limits
from groundwire.types import Case, Passage, Verdict

Named = tuple[str, str]
"""A text behind the name of the field that it stood in."""


def limits_of(request: Request) -> Limits:
    """Return the limits that the server was started with."""
    limits: Limits = request.app.state.settings.limits
    return limits


def bounded(limits: Limits, texts: Iterable[Named]) -> None:
    """Refuse a text that is longer than any may be (ApiError 422, naming the field)."""
    for field, text in texts:
        if len(text) > limits.text_chars:
            raise too_long(field, limits.text_chars)


def worded(field: str, text: str) -> None:
    """Refuse a text of white space alone (ApiError 422)."""
    if not text.strip():
        raise invalid("missing_text", "this text must not be empty", field)


def case_of(limits: Limits, *, answer: Named, sources: Sequence[Named], question: Named | None = None) -> Case:
    """Return the case. Raises ApiError 422 for too many sources, a text that is too long, or nothing to check (against).

    A case that cannot be checked is refused and not answered: in these services' answers every score is a number, and a
    number would have to be made up. A source's place among the contexts is its place in the request, empty ones too.
    """
    too_many_contexts(len(sources), sources[0][0].partition(".")[0] if sources else None)
    bounded(limits, [answer, *sources, *([question] if question else [])])
    worded(*answer)
    if not any(text.strip() for _, text in sources):
        field = sources[0][0] if sources else None
        raise invalid("missing_evidence", "there is no source with any text to check against", field)
    contexts = tuple(Passage(id=str(n), text=text) for n, (_, text) in enumerate(sources))
    return Case(id="0", answer=answer[1], contexts=contexts, question=question[1] if question else None)


async def verdict_on(request: Request, case: Case, *, threshold: float | None = None) -> Verdict:
    """Have the engine check the case on the request's ticket; `threshold` in [0, 1] replaces the server's."""
    [verdict] = await request.app.state.engine.check([case], request.state.ticket, threshold=threshold)
    return verdict  # type: ignore[no-any-return]


def said(error: ApiError) -> str:
    """Return the sentence of an error, behind the field that it is about."""
    return f"{error.param}: {error.message}" if error.param else error.message
