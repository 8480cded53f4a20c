"""Records of `groundwire check` and `verify`, read back as what people are shown of them.

Left out: records themselves (`groundwire.render`), and which are drawn (`groundwire.cli.annotating`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from groundwire.annotate.items import Item, Mark, Part, offered
from groundwire.annotate.tasks import PASSAGE, PREFERENCE
from groundwire.errors import InputError
from groundwire.types import Case, Label


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A place of a context: its words, and where they begin if the record counts code points."""

    context: str
    index: int
    start: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What a record says. `answer` is put together from the claims where the record does not have it."""

    id: str
    label: Label
    question: str | None
    answer: str
    reading: str | None
    citations: Sequence[Citation]

    def quotes(self, title: str = "") -> tuple[Part, ...]:
        """Return the cited words, context by context."""
        texts: dict[str, list[str]] = {}
        for one in self.citations:
            texts.setdefault(one.context, []).append(one.text)
        return tuple(
            Part(title=title or f"cited from {name}", text="\n".join(dict.fromkeys(found)))
            for name, found in texts.items()
        )

    def marks(self, case: Case) -> dict[int, list[Mark]]:
        """Return where the cited words stand in the contexts of a case, by the context's position."""
        found: dict[int, list[Mark]] = {}
        for one in self.citations:
            if one.index >= len(case.contexts):
                continue
            text = case.contexts[one.index].text
            start = one.start if text.startswith(one.text, one.start) else text.find(one.text)
            if start >= 0:
                found.setdefault(one.index, []).append(Mark(start=start, end=start + len(one.text)))
        return found

    def pair(self, row: str, other: str, choices: tuple[str, ...] = PREFERENCE.choices) -> Item:
        """Return the answer against another one; the first two of `choices` are their names."""
        return Item(
            item=f"{PREFERENCE.name}/{self.id}",
            task=PREFERENCE.name,
            row=row,
            choices=offered(*choices),
            question=self.question,
            answers=(self.answer, other),
            labels={},
            order=choices[:2],
        )

    def preference(self, row: str, other: Record) -> Item:
        """Return the answer against that of another run."""
        return self.pair(row, other.answer, ("this run", "other run", "equal"))

    def passages(self, row: str, other: Record) -> Item:
        """Return what the two cite, to be compared in the five classes of section 3.2."""
        shown = ("This run", self.quotes()), ("The other", other.quotes())
        return Item(
            item=f"{PASSAGE.name}/{self.id}",
            task=PASSAGE.name,
            row=row,
            choices=offered(*PASSAGE.choices),
            question=self.question,
            answers=(self.answer,),
            parts=tuple(Part(title=title, text="\n\n".join(part.text for part in parts)) for title, parts in shown),
            labels={},
        )


def records(rows: Iterable[tuple[int, Mapping[str, Any]]], path: str) -> dict[str, Record]:
    """Read numbered rows, by id. Raises InputError, naming the line, for what is no record and an id that comes twice."""
    found: dict[str, Record] = {}
    for number, row in rows:
        try:
            one = _record(row)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            told = f"{path}: line {number}: no record, but {', '.join(map(str, row)) or 'nothing'}"
            raise InputError(told, "groundwire check FILE --output writes records") from error
        if one.id in found:
            raise InputError(f"{path}: line {number}: the id {one.id!r} comes twice", "every row needs its own id")
        found[one.id] = one
    if not found:
        raise InputError(f"{path} holds no record", "groundwire check FILE --output writes records")
    return found


def _record(row: Mapping[str, Any]) -> Record:
    claims = row["claims"]
    answer = row.get("answer")
    answer = " ".join(claim["text"] for claim in claims) if answer is None else _text(answer)
    query = (row.get("retrieval") or {}).get("query")
    reading = row.get("reading")
    return Record(
        id=_text(row["id"]),
        label=Label(row["verdict"]),
        question=_question(_text(query), answer) if query is not None else None,
        answer=answer,
        reading=None if reading is None else _text(reading),
        citations=[
            Citation(
                context=_text(one["context_id"]),
                index=int(one["index"]),
                start=int(one["start"]),
                text=_text(one["text"]),
            )
            for claim in claims
            for one in claim["citations"]
        ],
    )


def _question(query: str, answer: str) -> str | None:
    """Return the question of a query, which is asked with the answer behind it."""
    return query.removesuffix(answer).strip() or None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value
