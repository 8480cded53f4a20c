"""Judgements as files for others: JSON lines or CSV, a row {item, annotator, protocol, judgement, seconds, at, …} each.

What everybody says, without decisions, or what holds in the end: one row an item, of the annotator `adjudicated` or
`majority`. Rows come in the order of the items; `groundwire eval paper huo2023 --annotations` reads either as JSON lines.

Left out: where the file goes.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from groundwire.annotate.book import ADJUDICATED, MAJORITY, Book
from groundwire.annotate.items import Item
from groundwire.annotate.standing import final

FIELDS = ("item", "annotator", "protocol", "judgement", "seconds", "at", "row", "order", "adjudicated")
_FORMULA = re.compile(r"[\s\x00-\x1f\ufeff\u200b-\u200f]*[=+\-@＝＋－＠]|[\t\r]")
"""How a text begins that some spreadsheet takes for a formula, also behind blanks that it drops, and in wide characters."""


def rows(items: Sequence[Item], book: Book, *, final_only: bool = False) -> Iterator[dict[str, Any]]:
    """Yield the rows. `row` is the class or cell, `order` that of two answers as shown."""
    for item in items:
        told = {"row": item.row, "order": list(item.order)}
        if final_only:
            if (said := final(item, book)) is not None:
                lines = [*book.said(item.item).values()]
                decided = book.decided(item.item)
                last = decided if said[1] and decided else max(lines, key=lambda line: line.at)
                seconds = last.seconds if said[1] else sum(line.seconds for line in lines) / len(lines)
                yield {
                    "item": item.item,
                    "annotator": ADJUDICATED if said[1] else MAJORITY,
                    "protocol": item.task,
                    "judgement": said[0],
                    "seconds": round(seconds, 3),
                    "at": last.at,
                    **told,
                    "adjudicated": said[1],
                }
            continue
        for line in book.said(item.item).values():
            yield line.to_dict() | told


def json_lines(found: Iterator[dict[str, Any]]) -> str:
    """Return the rows as JSON lines, in ASCII."""
    return "".join(json.dumps(row) + "\n" for row in found)


def csv_text(found: Iterator[dict[str, Any]]) -> str:
    """Return the rows as CSV with a heading. A text that a spreadsheet would take for a formula gets an apostrophe."""
    lines = [_line(FIELDS), *(_line([_cell(row[name]) for name in FIELDS]) for row in found)]
    return "".join(lines).encode("utf-8", "backslashreplace").decode("utf-8")


def _line(cells: Sequence[object]) -> str:
    """Return one row. The writer puts quotes around what holds a character of its line's end: a bare CR ends lines too."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue().removesuffix("\r\n") + "\n"


def _cell(value: object) -> object:
    if isinstance(value, list):
        value = " ".join(map(str, value))
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value
