"""One request to a judging route, read: its case or cases and its options.

Left out: the fields and their limits (`models`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from starlette.requests import Request

from groundwire.server.own.body import aside, object_of
from groundwire.server.own.models import Options, Read, Reader, case_fields, options_of
from groundwire.server.settings import Limits

O = TypeVar("O", bound=Options)  # noqa: E741 - the options


@dataclass(frozen=True, slots=True)
class Asked(Generic[O]):
    """What was asked: `single` says whether the request was a case itself, or a list of cases."""

    options: O
    reads: tuple[Read, ...]
    single: bool

    @property
    def read(self) -> Read:
        """The case, where there is one."""
        return self.reads[0]


async def asked_of(
    request: Request,
    model: type[O],
    *,
    items: bool = False,
    fields: Iterable[str] = ("question", "answer", "contexts"),
    needs: Iterable[str] = ("answer", "contexts"),
) -> Asked[O]:
    """Read the request. `items` allows a list of cases, `fields` are those of a case that are read, `needs` have to be there.

    Raises ApiError: 400 for a body that is not JSON, 422 for what is missing, unknown, wrong or too long.
    """
    limits: Limits = request.app.state.settings.limits

    def read(body: bytes) -> Asked[O]:
        row = object_of(body)
        many = items and "items" in row
        names = frozenset({"items"}) if many else case_fields(row, fields)
        options = options_of(model, {name: value for name, value in row.items() if name not in names})
        reader = Reader(limits, truncate=options.truncate)
        if many:
            return Asked(options, tuple(reader.many(row["items"])), single=False)
        case = {name: row[name] for name in names}
        return Asked(options, (reader.one(case, needs=needs),), single=True)

    return await aside(read, await request.body())
