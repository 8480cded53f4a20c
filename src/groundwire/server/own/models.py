"""What a request may hold: its options by pydantic models that forbid everything else, its case by `groundwire.cases`.

A case has the names that users of this field already write (snake and camel case); two names for the same thing in one
request are refused, since nobody could say which one counts. A missing field is an error, an empty text a verdict: not
checkable, with its reason. Errors name the field and never say what stands in it.

Left out: reading bytes (`body`), how many tokens a case costs (`groundwire.server.engine`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from groundwire.cases import ANSWER, CONTEXTS, QUESTION, read_case
from groundwire.errors import InputError
from groundwire.render import OffsetEncoding
from groundwire.server.errors import ApiError, invalid, too_long, too_many
from groundwire.server.settings import Limits
from groundwire.types import Case, Passage

ID_CHARS = 256
"""The most characters of an id: it comes back with every citation."""
MOST_ERRORS = 100
"""Things wrong with a request that are looked at one by one, to say which comes first."""
MOST_CONTEXTS = 2_000
"""Contexts in a request, over all of its cases: more are no evidence that anybody reads, but seconds of reading for us."""
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}")

M = TypeVar("M", bound=BaseModel)


class Options(BaseModel):
    """What every judging route takes. `truncate`: cut what is too long, and say so, in place of refusing it."""

    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)

    threshold: Annotated[float, Field(ge=0, le=1)] | None = None
    offset_encoding: OffsetEncoding = "codepoint"
    explain: bool = False
    truncate: bool = False


class VerifyOptions(Options):
    """`index` may be left out where there is only one; `passages` are how many are judged."""

    index: Annotated[str, Field(min_length=1, max_length=64)] | None = None
    passages: Annotated[int, Field(ge=1, le=50)] | None = None


class GenerateOptions(Options):
    """`index` or contexts; the rest are the recipe's own budgets. `stream` false gives the answer alone, as JSON."""

    index: Annotated[str, Field(min_length=1, max_length=64)] | None = None
    stream: bool = True
    generations: Annotated[int, Field(ge=0, le=100)] | None = None
    calls: Annotated[int, Field(ge=0, le=1_000)] | None = None
    tokens: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
    seconds: Annotated[float, Field(ge=0, le=120)] | None = None
    seed: Annotated[int, Field(ge=0, lt=1 << 31)] | None = None
    seeds: Annotated[int, Field(ge=1, le=20)] | None = None


class SearchRequest(BaseModel):
    """`k` hits for a query; `stack` is the name of what searches."""

    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)

    query: str
    index: Annotated[str, Field(min_length=1, max_length=64)] | None = None
    k: Annotated[int, Field(ge=1, le=100)] = 10
    stack: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    truncate: bool = False


def options_of(model: type[M], fields: Mapping[str, Any], prefix: str = "") -> M:
    """Return the options. Raises ApiError (422) that names the first field which is not as it should be."""
    try:
        return model.model_validate(dict(fields))
    except ValidationError as error:
        # Each would be put into words first. A model has fewer fields, so most of so many are names that it does not know.
        if error.error_count() > MOST_ERRORS:
            raise unknown(prefix, next(name for name in fields if name not in model.model_fields)) from None
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        name = str(first["loc"][0]) if first["loc"] else ""
        if first["type"] == "extra_forbidden":
            raise unknown(prefix, name) from None
        said = str(first["msg"])
        missing = first["type"] == "missing"
        message = f"{prefix}{name} is missing" if missing else f"{prefix}{name}: {said[:1].lower()}{said[1:]}"
        raise invalid("missing_field" if missing else "invalid_field", message, f"{prefix}{name}") from None


def unknown(prefix: str, name: str) -> ApiError:
    """A field that the route does not know; its name is said where it is one, and not where it is a text."""
    known = bool(_PLAIN.fullmatch(name))
    said = f"unknown field {prefix}{name}" if known else f"{prefix or 'the body'} has a field without a plain name"
    return invalid("unknown_field", said, f"{prefix}{name}" if known else None)


def short_id(id_: str, field: str) -> None:
    """Raise ApiError (422) for an id that is longer than any may be."""
    if len(id_) > ID_CHARS:
        raise invalid("id_too_long", f"an id has at most {ID_CHARS} characters", field)


def too_many_contexts(contexts: int, field: str | None) -> None:
    """Raise ApiError (422) where a request has so many contexts that nobody reads them."""
    if contexts > MOST_CONTEXTS:
        raise invalid("too_many_contexts", f"a request has at most {MOST_CONTEXTS} contexts", field)


@dataclass(frozen=True, slots=True)
class Read:
    """A case of a request, and whether any of its texts was cut (only where the caller asked for it)."""

    case: Case
    cut: bool


class Reader:
    """Reads cases under the limits; `truncate` cuts what is longer than a text may be."""

    def __init__(self, limits: Limits, *, truncate: bool) -> None:
        self._chars, self._items, self._truncate = limits.text_chars, limits.items, truncate
        self._cut = False
        self._contexts = 0

    def many(self, items: Any) -> list[Read]:
        """Read `items`. Raises ApiError (422) for none, too many, and whatever is wrong with one of them."""
        if not isinstance(items, list) or not items:
            raise invalid("invalid_field", "items must be a list of cases, and not empty", "items")
        if len(items) > self._items:
            raise too_many("items", self._items)
        return [self._item(n, item) for n, item in enumerate(items)]

    def _item(self, n: int, item: Any) -> Read:
        at = f"items[{n}]"
        if not isinstance(item, dict):
            raise invalid("invalid_field", f"{at} must be an object", at)
        rest = [name for name in item if name not in case_fields(item)]
        if rest:
            raise unknown(f"{at}.", rest[0])
        return self.one(item, fallback_id=str(n), prefix=f"{at}.")

    def one(
        self,
        row: Mapping[str, Any],
        *,
        fallback_id: str = "0",
        prefix: str = "",
        needs: Iterable[str] = ("answer", "contexts"),
    ) -> Read:
        """Read one case. `needs` are the fields that have to be there. Raises ApiError (422) that names the field."""
        self._cut = False
        for field, names in _FIELDS.items():
            given = [name for name in names(row) if row.get(name) is not None]
            if len(given) > 1:
                message = f"{prefix}{given[0]} and {prefix}{given[1]} both name the {field}: give one"
                raise invalid("ambiguous_field", message, f"{prefix}{given[1]}")
            if not given and field in needs:
                raise invalid("missing_field", f"{prefix}{field} is missing", f"{prefix}{field}")
            self._count(field, row, given, prefix)
        try:
            case = read_case(row, fallback_id=fallback_id)
        except InputError as error:
            raise invalid(
                "invalid_field", f"{prefix}{error.message}", f"{prefix}{error.message.split(' ', 1)[0]}"
            ) from None
        return self._limited(case, row, prefix)

    def _count(self, field: str, row: Mapping[str, Any], given: Sequence[str], prefix: str) -> None:
        """Count the contexts before anything is made of them."""
        if field == "contexts" and given:
            contexts = row[given[0]]
            self.counted(len(contexts) if isinstance(contexts, list) else 1, prefix + given[0])

    def counted(self, contexts: int, field: str) -> None:
        """Count so many contexts. Raises ApiError (422) where the request has too many."""
        self._contexts += contexts
        too_many_contexts(self._contexts, field)

    def _limited(self, case: Case, row: Mapping[str, Any], prefix: str) -> Read:
        said = {
            field: next((n for n in names(row) if row.get(n) is not None), field) for field, names in _FIELDS.items()
        }
        short_id(case.id, f"{prefix}id")
        question = None if case.question is None else self.text(case.question, f"{prefix}{said['question']}")
        answer = self.text(case.answer, f"{prefix}{said['answer']}")
        contexts = self.passages(case.contexts, f"{prefix}{said['contexts']}")
        case = replace(case, question=question, answer=answer, contexts=contexts)
        return Read(case, self._cut)

    @property
    def cut(self) -> bool:
        """Whether a text was cut since the last case began."""
        return self._cut

    def passages(self, passages: Sequence[Passage], field: str) -> tuple[Passage, ...]:
        """Return the passages with their texts no longer than they may be. Raises ApiError (422)."""
        return tuple(self._passage(passage, f"{field}[{n}]") for n, passage in enumerate(passages))

    def text(self, text: str, field: str) -> str:
        """Return the text, cut where that was asked for. Raises ApiError (422) for one that is too long."""
        if len(text) <= self._chars:
            return text
        if not self._truncate:
            raise too_long(field, self._chars)
        self._cut = True
        return text[: self._chars]

    def _passage(self, passage: Passage, field: str) -> Passage:
        short_id(passage.id, f"{field}.id")
        title = None if passage.title is None else self.text(passage.title, f"{field}.title")
        text = self.text(passage.text, field)
        return passage if title == passage.title and text is passage.text else replace(passage, title=title, text=text)


def _contexts(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of contexts; what a summary is of may be called its source, elsewhere that is something else."""
    return (*CONTEXTS, "source") if row.get("summary") is not None else CONTEXTS


_FIELDS = {
    "question": lambda row: QUESTION,
    "answer": lambda row: ANSWER,
    "contexts": _contexts,
}


def case_fields(row: Mapping[str, Any], fields: Iterable[str] = ("answer", "question", "contexts")) -> frozenset[str]:
    """Return the names in a request that belong to its case; what has an answer may have an id."""
    wanted = set(fields)
    names = {name for field in wanted for name in _FIELDS[field](row)}
    return frozenset((names | ({"id"} if "answer" in wanted else set())) & row.keys())


def index_of(asked: str | None, known: Mapping[str, Any]) -> str:
    """Return the index that was asked for, or the only one. Raises ApiError: 422 where none was named, or none is there."""
    if asked is not None:
        if asked not in known:
            raise invalid("unknown_index", "no index has this name: GET /v1/indexes lists them", "index")
        return asked
    if len(known) != 1:
        told = "name one: GET /v1/indexes lists them" if known else "this server has none"
        raise invalid("missing_field", f"index is missing: {told}", "index")
    return next(iter(known))
