"""What a request in another service's words comes to: one case, within the server's limits, and its verdict.

A text is named by its field, which is what an error says of it. Left out: the words of each service (its own module).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any, get_type_hints

from fastapi import Request, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel, ValidationError

from groundwire.server.errors import ApiError, invalid, too_long
from groundwire.server.own.models import MOST_ERRORS, too_many_contexts
from groundwire.server.own.records import INLINE
from groundwire.server.replies import Reply, replied
from groundwire.server.settings import Limits
from groundwire.types import Case, Passage, Verdict

Named = tuple[str, str]
"""A text behind the name of the field that it stood in."""


class Wired(APIRoute):
    """A route of another service's. Of a request that is wrong in a great many places that much is said and no more.

    The framework puts every place into words before the first one is told: seconds, in which nobody else is served.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return what answers a request. The model is that of the parameter `asked`, where there is one."""
        plain, model = super().get_route_handler(), get_type_hints(self.endpoint).get("asked")

        async def handler(request: Request) -> Response:
            if model is not None:
                _sparse(model, await request.body())
            return await plain(request)

        return handler


def _sparse(model: type[BaseModel], body: bytes) -> None:
    """Raise ApiError (422) where more is wrong than anybody looks at. What can be wrong takes two bytes or more."""
    if len(body) > 2 * MOST_ERRORS:
        try:
            model.model_validate_json(body)
        except ValidationError as error:
            if error.error_count() > MOST_ERRORS:
                raise invalid("invalid_field", f"more than {MOST_ERRORS} values are not as they should be") from None


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


async def answered(verdict: Verdict, made: Callable[[], Any]) -> Reply:
    """Return what `made` makes of a verdict as an answer; both in threads where they are much, like the server's own."""
    return await replied(await asyncio.to_thread(made) if len(verdict.claims) > INLINE else made())


def said(error: ApiError) -> str:
    """Return the sentence of an error, behind the field that it is about."""
    return f"{error.param}: {error.message}" if error.param else error.message
