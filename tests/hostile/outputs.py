"""Everything that shows a text: each with a hostile one in every place, and what must not come of it.

A check returns what is wrong, None where the text stayed a text.
"""

import csv
import io
import json
import logging
import re
import unicodedata
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr
from dataclasses import replace
from html.parser import HTMLParser
from types import SimpleNamespace

from rich.console import Console

from groundwire import render
from groundwire.analysis.analyzer import analyzer
from groundwire.annotate import export
from groundwire.cli import answers, hits, main
from groundwire.report import page
from groundwire.server import logs
from groundwire.server.access_record import AccessRecord
from groundwire.server.guard.headers import request_id
from groundwire.server.own.events import frame
from groundwire.types import Answer, Hit, Passage, Ranking, Retrieval

from ..report.conftest import grown  # noqa: TID252 - the answers that all of the report's tests have

_STYLED = re.compile(r"\x1b\[[0-9;]*m")
_JOINERS = "\u200c\u200d"
_TERMS = analyzer("english").terms
_FORMULA = re.compile(r"^[\s\ufeff\u200b\x00]*[=+\-@＝＋－＠]")


def terminal(payload: str) -> str | None:
    """Draw a verdict, an answer and hits; nothing but our own colours may steer the terminal."""
    answer = grown(generations=1, each=2, mark=payload)
    retrieval = _retrieval(payload)
    for encoding, colour in (("utf-8", False), ("ascii", False), ("utf-8", True)):
        for name, draw in (
            ("verdict", lambda console: render.draw(replace(answer.verdict, retrieval=retrieval), console)),
            ("answer", lambda console: answers.draw_answer(answer, console)),
            ("no answer", lambda console: answers.draw_answer(replace(answer, text="", reason=payload), console)),
            ("hits", lambda console: hits.draw(retrieval, console, _TERMS, explain=True)),
        ):
            drawn = _drawn(draw, encoding, colour=colour)
            own = len(_STYLED.findall(drawn))
            if drawn.count("\x1b") != own:
                return f"{name}: {drawn.count(chr(27)) - own} escapes that are no colours"
            if wrong := _unseen(_STYLED.sub("", drawn)):
                return f"{name}: {wrong}"
            if not colour and own:
                return f"{name}: colours where there are none"
            if (
                colour
                and "\x1b" in payload
                and name != "hits"
                and own != len(_STYLED.findall(_drawn(_twin(name, payload), encoding, colour=True)))
            ):
                return f"{name}: the text's own colours"
    return None


def _twin(name: str, payload: str) -> Callable[[Console], None]:
    """Return what draws the same with an escaped text: as many colours must come of it. (Hits are marked by their words.)"""
    escaped = render.visible(payload)
    answer, retrieval = grown(generations=1, each=2, mark=escaped), _retrieval(escaped)
    return {
        "verdict": lambda console: render.draw(replace(answer.verdict, retrieval=retrieval), console),
        "answer": lambda console: answers.draw_answer(answer, console),
        "no answer": lambda console: answers.draw_answer(replace(answer, text="", reason=escaped), console),
    }[name]


def _retrieval(payload: str) -> Retrieval:
    found = tuple(
        Passage(id=f"{n}{payload}", title=payload, text=f"A door, {payload}, is {n} m high.") for n in range(2)
    )
    ranking = lambda by: Ranking(by=by, hits=tuple(Hit(passage=p, score=1.0, by=by) for p in found))  # noqa: E731
    return Retrieval(query=f"door {payload}", rankings=(ranking(payload), ranking("bm25")))


def _drawn(draw: Callable[[Console], None], encoding: str, *, colour: bool) -> str:
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="")
    console = Console(
        file=out, width=2_000, force_terminal=colour, color_system="truecolor" if colour else None, legacy_windows=False
    )
    draw(console)
    out.flush()
    return out.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]


def _unseen(text: str) -> str | None:
    """Return a character that steers something or cannot be seen."""
    for character in sorted(set(text)):
        kind = unicodedata.category(character)
        if character != "\n" and character not in _JOINERS and kind in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
            return f"{character!r} ({kind})"
    return None


class _Elements(HTMLParser):
    """What a document is made of: the elements, and whatever in them could run or reach out."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: dict[str, int] = {}
        self.bad: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found[tag] = self.found.get(tag, 0) + 1
        for name, value in attrs:
            said = (value or "").strip().lower()
            if name.startswith("on") or (
                name in ("href", "src", "action", "data", "srcset", "formaction", "style", "srcdoc")
                and not said.startswith("#")
            ):
                self.bad.append(f"<{tag} {name}={said[:60]}>")

    def handle_comment(self, data: str) -> None:
        self.bad.append(f"<!--{data[:60]}")


def report(payload: str) -> str | None:
    """Write a report; it has to have the elements of a harmless one, and none that runs or reaches out."""
    plain, hostile = _Elements(), _Elements()
    plain.feed(page(grown(generations=1, each=2, mark="x")))
    written = page(grown(generations=1, each=2, mark=payload))
    hostile.feed(written)
    if hostile.bad != plain.bad:
        return f"elements that run or reach out: {[bad for bad in hostile.bad if bad not in plain.bad][:2]}"
    stray = set(hostile.found) - set(plain.found)
    if stray or hostile.found.get("script") != plain.found.get("script"):
        return f"elements of the text: {sorted(stray)}"
    return _unseen(written.replace("\t", " ").replace("\n", " ")) if not _plain_utf8(written) else None


def _plain_utf8(text: str) -> bool:
    return all(c in "\n\t" or c.isprintable() or c in _JOINERS for c in text)


def table(payload: str) -> str | None:
    """Export a CSV; a spreadsheet has to read as many rows and cells as were written, and no formula."""
    row = dict.fromkeys(export.FIELDS, payload) | {"order": [payload, payload]}
    written = export.csv_text(iter([row, {**row, "item": "next"}]))
    try:
        read = list(csv.reader(io.StringIO(written, newline="")))
    except csv.Error as error:
        return f"a spreadsheet reads other rows: {error}"
    if [len(cells) for cells in read] != [len(export.FIELDS)] * 3:
        return f"rows of {[len(cells) for cells in read]} cells"
    formula = next((cell for cells in read[1:] for cell in cells if _FORMULA.match(cell)), None)
    return None if formula is None else f"a formula: {formula[:40]!r}"


def log(payload: str) -> str | None:
    """Log it every way that there is; a record is one line of ASCII JSON, and what it says of itself stays ours."""
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    for messages in (False, True):
        handler.setFormatter(logs.JsonLines(messages=messages))
        for record in _records(payload):
            handler.handle(record)
    lines = out.getvalue().split("\n")
    wanted = 2 * len(list(_records(payload)))
    if len(lines) != wanted + 1:
        return f"{len(lines) - 1} lines for {wanted} records"
    for line in lines[:-1]:
        if not line.isascii() or not line.isprintable():
            return f"a line with controls: {line[:80]!r}"
        if json.loads(line)["level"] != "error":
            return f"a line that says something else of itself: {line[:80]!r}"
    return None


def _records(payload: str) -> list[logging.LogRecord]:
    error = RuntimeError(payload)
    error.add_note(payload)
    seen = AccessRecord(
        id=payload, client=payload, method=payload, route=payload, status=500, refused=payload, seconds=0.1
    )
    fields = {name: getattr(seen, name) for name in seen.__slots__}
    found = []
    for name in ("groundwire.server", "uvicorn.error", "asyncio"):
        made = logging.LogRecord(name, logging.ERROR, "file.py", 7, "%s", (payload,), (RuntimeError, error, None))
        made.fields = fields
        found.append(made)
    return found


def event(payload: str) -> str | None:
    """Send it as an event, as JSON and as it is; whoever reads the stream gets one event with that text."""
    for data in ({"text": payload}, payload):
        told = frame(data, "claim", 1).decode()
        blocks = [block for block in told.split("\n\n") if block]
        if len(blocks) != 1 or "\r" in told:
            return f"{len(blocks)} events for one"
        names = [line.partition(":")[0] for line in blocks[0].split("\n")]
        if set(names) - {"id", "event", "data"} or names.count("event") != 1 or names.count("id") != 1:
            return f"fields of the text: {names}"
    return None


def header(payload: str) -> str | None:
    """Send it as the request's own id, which comes back in a header: only what is plainly an id may."""
    try:
        given = payload.encode("latin-1", "replace")
        told = request_id({"headers": [(b"x-request-id", given)]})
    except UnicodeError as error:
        return f"an error: {error}"
    return None if re.fullmatch(r"[A-Za-z0-9._-]{1,64}", told) else f"an id: {told[:40]!r}"


def command(payload: str) -> str | None:
    """Name it on a command line where a file or a name is wanted; the complaint is one visible line."""
    for args in (
        ["check", payload],
        ["check", "--recipe", payload, "x.jsonl"],
        ["search", payload, payload],
        [payload],
        [f"--{payload}"],
    ):
        err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
        with redirect_stderr(err):
            main._run([arg.replace("\x00", "") for arg in args], SimpleNamespace(debug=False))  # type: ignore[arg-type]
        err.flush()
        said = err.buffer.getvalue().decode("utf-8", "surrogatepass")  # type: ignore[attr-defined]
        if wrong := _unseen(said):
            return f"{args[:2]}: {wrong}"
    return None


CHECKS: Mapping[str, Callable[[str], str | None]] = {
    "terminal": terminal,
    "report": report,
    "CSV": table,
    "log": log,
    "events": event,
    "header": header,
    "complaints": command,
}
"""Everything that shows a text, by what it is."""


def answer_with(payload: str) -> Answer:
    """Return an answer with the text in every place, for a report that a browser opens."""
    return grown(generations=1, each=2, mark=payload)
