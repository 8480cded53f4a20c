"""The page of one item: what is asked, the texts, and a key for each choice; and the page that asks for a name.

Every text is escaped on its way in. Left out: the page of how it stands (`overview`), and what keys do (`annotate.js`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from urllib.parse import urlencode

from groundwire.annotate.book import LONGEST_NAME, Judgement
from groundwire.annotate.items import Item, Part
from groundwire.annotate.tasks import task_of
from groundwire.pages.markup import Html, element, joined
from groundwire.pages.style import document, packaged

KEYS = (
    ("1 2 3 …", "judge"),
    ("j", "next item"),
    ("k", "the one before"),
    ("n", "next open item"),
    ("u", "undo"),
    ("o", "how it stands"),
)
_TONES = {
    "correct": "supported",
    "better": "supported",
    "fine": "supported",
    "good enough": "supported",
    "incorrect": "contradicted",
    "worse": "contradicted",
    "both poor": "contradicted",
    "poor": "contradicted",
    "both wrong": "contradicted",
    "mistake": "contradicted",
    "hallucination": "contradicted",
    "unsure": "open",
}
"""Colours of choices; the words and the keys say it too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Who looks at which item. `at` counts from 0, `open` how many are not done; `others` is what others said of it, which
    only somebody who adjudicates gets to see. `todo` are the positions that j and k go through.
    """

    name: str
    at: int
    open: int
    todo: Sequence[int]
    said: Judgement | None
    others: Mapping[str, Judgement]
    adjudicating: bool = False


def link(name: str, at: int | None = None, *, adjudicating: bool = False, view: str | None = None) -> str:
    """Return an address on the page's own server."""
    told = {"name": name, "at": None if at is None else at + 1, "adjudicate": 1 if adjudicating else None, "view": view}
    chosen = {key: value for key, value in told.items() if value is not None}
    return "?" + urlencode(chosen, errors="backslashreplace")


def whole(title: str, main: Html) -> str:
    """Return a whole page of the annotation."""
    style, script = look()
    return document(f"{title} · Groundwire", main, style=style, script=script, connects=True)


def look() -> tuple[str, str]:
    """Return the style and the script of every page."""
    package = "groundwire.annotate"
    return packaged("annotate.css", package), packaged("annotate.js", package)


def start_page(names: Sequence[str], total: int) -> str:
    """Return the page that asks who judges."""
    known = [element("li", element("a", element("bdi", name), href=link(name))) for name in names]
    field = element(
        "input", id="name", maxlength=LONGEST_NAME, autocomplete="off", spellcheck="false", aria_label="your name"
    )
    main = element(
        "main",
        element("p", f"{total} items to judge", class_="kicker"),
        element("h1", "Who are you?"),
        element("p", "A name keeps your judgements apart from those of others. They do not see each other's."),
        element("p", field, " ", element("button", "Begin", id="begin", type="button"), class_="who"),
        element("section", element("h2", "Go on as"), element("ul", *known)) if known else None,
        _unscripted(),
        class_="start",
    )
    return whole("Who are you?", main)


def item_page(item: Item, view: View, total: int) -> str:
    """Return the page of an item."""
    task = task_of(item.task)
    row = element("p", _place(item, view, total), class_="kicker")
    texts = [_answer(item, n, text) for n, text in enumerate(item.answers)]
    parts = [_part(part) for part in item.parts]
    main = element(
        "main",
        _bar(view, total),
        row,
        element("h1", task.asked),
        _labels(item),
        _others(view),
        _question(item),
        element("div", *texts, class_="pair" if item.order else None),
        element("div", *parts, class_="pair" if len(parts) == 2 and task.name == "passage" else None),
        _unscripted(),
        _choices(item, view),
        **_told(view),
    )
    return whole(f"{view.at + 1} of {total}", main)


def done_page(view: View, total: int) -> str:
    """Return the page that says that nothing is open."""
    what = "Nothing is left to adjudicate." if view.adjudicating else f"All {total} items are judged."
    main = element(
        "main",
        _bar(view, total),
        element("h1", what),
        element(
            "p", element("a", "How it stands", href=link(view.name, view="standing")), ": counts, agreement, files."
        ),
        element("p", element("a", "Look through them again", href=link(view.name, 0)))
        if not view.adjudicating
        else None,
        element("div", id="said", role="status"),
        **_told(view),
    )
    return whole("Done", main)


def _told(view: View) -> dict[str, str | int | bool]:
    """Return what the script has to know, as attributes."""
    before = [n for n in view.todo if n < view.at]
    behind = [n for n in view.todo if n > view.at]
    told: dict[str, str | int | bool] = {
        "data_name": view.name,
        "data_at": view.at,
        "data_open": link(view.name, adjudicating=view.adjudicating),
        "data_standing": link(view.name, view="standing"),
        "data_judged": view.said is not None,
        "data_adjudicating": view.adjudicating,
    }
    if before:
        told["data_before"] = link(view.name, before[-1], adjudicating=view.adjudicating)
    if behind:
        told["data_behind"] = link(view.name, behind[0], adjudicating=view.adjudicating)
    return told


def _bar(view: View, total: int) -> Html:
    done = len(view.todo) - view.open
    rest = f"{view.open} open" if view.open else "all done"
    who = joined([element("bdi", view.name), ", adjudicating" if view.adjudicating else None])
    return element(
        "header",
        element("span", who, class_="who"),
        element("progress", max=max(1, len(view.todo)), value=done, aria_label=f"{done} of {len(view.todo)} done"),
        element("span", rest, class_="soft small"),
        element("a", "how it stands", href=link(view.name, view="standing"), class_="small"),
        class_="bar",
    )


def _place(item: Item, view: View, total: int) -> str:
    return f"Item {view.at + 1} of {total} · {item.task}"


def _labels(item: Item) -> Html | None:
    """Return what the systems said. Where there is one, it is the label that is asked about."""
    if not item.labels:
        return None
    told = [
        joined([element("dt", element("bdi", system)), element("dd", element("b", said or "no label"))])
        for system, said in item.labels.items()
    ]
    return element("dl", *told, class_="labels")


def _question(item: Item) -> Html | None:
    if not item.question:
        return None
    return element("section", element("h2", "Question"), element("p", item.question, class_="prose", dir="auto"))


def _answer(item: Item, n: int, text: str) -> Html:
    title = f"Answer {'AB'[n]}" if item.order else "Answer"
    shown = element("div", text, class_="prose card answer", dir="auto") if text else _nothing("an empty answer")
    return element("section", element("h2", title), shown)


def _part(part: Part) -> Html:
    shown = element("div", _marked(part), class_="prose card", dir="auto") if part.text else _nothing("an empty text")
    return element("section", element("h2", element("bdi", part.title)), shown)


def _nothing(what: str) -> Html:
    return element("p", f"({what})", class_="soft")


def _marked(part: Part) -> Html:
    """Return a text with its marked stretches; where they overlap, in the pieces that they make of each other."""
    inside = [m for m in part.marks if 0 <= m.start < m.end <= len(part.text)]
    cuts = sorted({0, len(part.text), *(at for mark in inside for at in (mark.start, mark.end))})
    pieces = []
    for start, end in pairwise(cuts):
        words = part.text[start:end]
        marked = any(m.start < end and m.end > start for m in inside)
        pieces.append(element("mark", words) if marked else joined([words]))
    return joined(pieces)


def _others(view: View) -> Html | None:
    """Return what others said, which is there for who decides."""
    if not view.adjudicating:
        return None
    told = [
        joined([element("dt", element("bdi", name)), element("dd", element("b", one.judgement))])
        for name, one in sorted(view.others.items())
    ]
    return element("dl", *told, class_="labels others")


def _choices(item: Item, view: View) -> Html:
    said = view.said.judgement if view.said else None
    buttons = [
        element(
            "button",
            element("kbd", str(n)),
            " ",
            element("span", words),
            type="button",
            class_=f"choice {_TONES.get(words, 'several')}",
            data_choice=n - 1,
            aria_pressed="true" if said == choice else "false",
        )
        for n, (words, choice) in enumerate(item.offered, 1)
    ]
    others = [
        element("button", element("kbd", key), f" {words}", type="button", class_="quiet", data_key=key)
        for key, words in (("k", "back"), ("j", "next"), ("u", "undo"))
    ]
    keys = " · ".join(f"{key} {what}" for key, what in KEYS)
    return element(
        "footer",
        element("div", *buttons, class_="choices", role="group", aria_label="your judgement"),
        element("div", *others, element("span", "", id="said", role="status"), class_="choices"),
        element("p", keys, class_="soft small keys"),
        class_="judge",
    )


def _unscripted() -> Html:
    return element(
        "noscript", element("p", "This page needs JavaScript: keys and buttons are its own.", class_="warning")
    )
