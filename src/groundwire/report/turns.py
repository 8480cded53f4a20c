"""The lower part of the page: what each generation was worth and cost, why it ended, and what ran to make it.

Left out: the candidates themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.pages.markup import Html, element, joined
from groundwire.pages.signs import number
from groundwire.report.candidates import linked
from groundwire.report.family import Family, measured
from groundwire.types import Answer, Generation, Trace

_COUNTS = ("wanted", "new", "failed", "repeated", "calls", "prompt_tokens", "reply_tokens")


def turn_section(answer: Answer, family: Family) -> Html | None:
    """Return the table of generations and why there was no further one; nothing where there was none."""
    if not answer.generations:
        return None
    stopped = None
    if answer.stopped:
        stopped = element("p", element("b", "Stopped: "), element("bdi", answer.stopped))
    return element(
        "section", element("h2", "Generations"), stopped, _table(answer.generations, family), id="generations"
    )


def made_section(answer: Answer) -> Html | None:
    """Return which recipe and models ran, with the stages of the answer and of its check."""
    traces = [("answer", answer.trace), ("check", answer.verdict.trace)]
    cards = [_trace(name, trace) for name, trace in traces if trace is not None]
    if not cards:
        return None
    query = answer.retrieval.query if answer.retrieval else None
    asked = element("p", "searched for ", element("bdi", query), class_="soft") if query else None
    title = element("h2", "How it was made")
    return element("section", title, asked, element("div", *cards, class_="traces"), id="made")


def _table(turns: Sequence[Generation], family: Family) -> Html:
    names = ["generation", *(name.replace("_", " ") for name in _COUNTS), "seconds", "best", "its total"]
    head = element("tr", *[element("th", name, scope="col") for name in names])
    number_of = {candidate.id: n for n, candidate in reversed(list(enumerate(family.members, 1)))}
    rows = [_row(turn, family, number_of.get(turn.best)) for turn in turns]
    sums = [number(sum(getattr(turn, name) for turn in turns), 0) for name in _COUNTS]
    cells = [*sums, number(sum(turn.seconds for turn in turns)), "", ""]
    foot = element("tr", element("th", "all", scope="row"), *[element("td", cell) for cell in cells])
    parts = [element("thead", head), element("tbody", *rows), element("tfoot", foot)]
    table = element("table", *parts, class_="numbers")
    return element("div", table, class_="scroll", tabindex=0, role="region", aria_label="Generations, scrolls")


def _row(turn: Generation, family: Family, best: int | None) -> Html:
    title = "0 (seeds)" if turn.number == 0 else str(turn.number)
    counts = [element("td", number(getattr(turn, name), 0)) for name in _COUNTS]
    link = "–" if best is None else linked(family, best, f"#{best}")
    total = None if best is None else measured(family.of(best), "total")
    cells = [*counts, element("td", number(turn.seconds)), element("td", link), element("td", number(total, 3))]
    return element("tr", element("th", title, scope="row"), *cells)


def _trace(name: str, trace: Trace) -> Html:
    about = joined([element("bdi", trace.recipe), " · ", element("bdi", trace.model)])
    rows = [
        element(
            "tr",
            element("th", element("bdi", stage.name), scope="row"),
            element("td", number(stage.items, 0)),
            element("td", number(stage.seconds * 1000, 1)),
            element("td", element("bdi", stage.note), class_="words"),
        )
        for stage in trace.stages
    ]
    heads = [element("th", head, scope="col") for head in ("stage", "items", "ms", "")]
    table = element("table", element("thead", element("tr", *heads)), element("tbody", *rows), class_="numbers")
    return element("article", element("h3", f"{name}: ", about), table if rows else None, class_="card")
