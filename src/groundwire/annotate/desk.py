"""The desk that people sit at: which page an address asks for, and what a key press writes.

Left out: HTTP (`server`), and how pages look (`page`, `overview`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from groundwire.annotate.book import Book, Judgement, annotator, now
from groundwire.annotate.export import csv_text, json_lines, rows
from groundwire.annotate.items import Item
from groundwire.annotate.overview import overview_page
from groundwire.annotate.page import View, done_page, item_page, link, start_page
from groundwire.annotate.standing import differing, open_after
from groundwire.errors import InputError

LONGEST = 86_400.0
"""Seconds that one judgement can have taken; a window left open overnight says nothing more."""
_ONCE = re.compile(r"[0-9a-f]{32}")


class Desk:
    """The items of an annotation with its book. Safe to share between threads."""

    def __init__(self, items: Sequence[Item], book: Book) -> None:
        self.items, self.book = items, book

    def page(self, fields: Mapping[str, str]) -> str:
        """Return the page that the fields of an address ask for. Raises InputError for a name that is none."""
        if not fields.get("name", "").strip():
            return start_page(self.book.annotators(), len(self.items))
        name = annotator(fields["name"])
        if fields.get("view") == "standing":
            return overview_page(self.items, self.book, name)
        deciding = "adjudicate" in fields
        at = self._asked(fields.get("at"), name, deciding=deciding)
        total = len(self.items)
        if at is None:
            return done_page(self._view(name, total, deciding=deciding), total)
        return item_page(self.items[at], self._view(name, at, deciding=deciding), total)

    def judge(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Write what a key press says, and return where to go next (`next`) and where the item is (`here`).

        `body` has name, at (from 0), choice (from 0; None takes the judgement back), seconds, once, and adjudicate. Raises
        InputError for anything else, Unavailable where it could not be written.
        """
        name = annotator(body["name"]) if isinstance(body.get("name"), str) else annotator("")
        at = _number(body.get("at"), len(self.items), "item")
        item, once = self.items[at], body.get("once")
        if not isinstance(once, str) or not _ONCE.fullmatch(once):
            raise InputError("a judgement needs a number of its own")
        deciding = body.get("adjudicate") is True
        choice = body.get("choice")
        said = None if choice is None else item.offered[_number(choice, len(item.offered), "choice")][1]
        if deciding and said is not None and at not in differing(self.items, self.book):
            raise InputError("nobody differs on this item")
        judgement = Judgement(
            item=item.item,
            annotator=name,
            protocol=item.task,
            judgement=said,
            seconds=_seconds(body.get("seconds")),
            at=now(),
            order=item.order,
            adjudicated=deciding,
        )
        self.book.write(once, judgement)
        behind = self._open(name, at, deciding=deciding)
        return {"next": link(name, behind, adjudicating=deciding), "here": link(name, at, adjudicating=deciding)}

    def exported(self, form: str, *, final: bool) -> str:
        """Return the judgements as a file: "csv", else JSON lines."""
        found = rows(self.items, self.book, final_only=final)
        return csv_text(found) if form == "csv" else json_lines(found)

    def _asked(self, at: str | None, name: str, *, deciding: bool) -> int | None:
        """Return the position that an address asks for, from 0; without one, that of the first open item."""
        if at is None:
            return self._open(name, -1, deciding=deciding)
        if not at.isascii() or not at.isdigit() or len(at) > 9:
            raise InputError("there is no such item")
        return _number(int(at) - 1, len(self.items), "item")

    def _open(self, name: str, after: int, *, deciding: bool) -> int | None:
        """Return the position of the next open item behind another."""
        if not deciding:
            return open_after(self.items, lambda item: name in self.book.said(item.item), after)
        wanted = {self.items[n].item for n in differing(self.items, self.book)}
        return open_after(self.items, lambda i: i.item not in wanted or self.book.decided(i.item) is not None, after)

    def _view(self, name: str, at: int, *, deciding: bool) -> View:
        todo = differing(self.items, self.book) if deciding else range(len(self.items))
        here = self.items[at].item if at < len(self.items) else ""
        said = self.book.said(here)
        if deciding:
            left = sum(self.book.decided(self.items[n].item) is None for n in todo)
            mine = self.book.decided(here)
        else:
            left = sum(name not in self.book.said(item.item) for item in self.items)
            mine = said.get(name)
        others = said if deciding else {}
        return View(name=name, at=at, open=left, todo=todo, said=mine, others=others, adjudicating=deciding)


def _number(value: object, below: int, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < below:
        raise InputError(f"there is no such {what}")
    return value


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:
        raise InputError("seconds are a number")
    return round(float(min(max(value, 0.0), LONGEST)), 3)
