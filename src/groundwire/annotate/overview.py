"""The page of how an annotation stands: who has done how much, counts, agreement, and what people differ on.

Left out: the figures themselves (`standing`).
"""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.annotate.book import Book
from groundwire.annotate.items import Item
from groundwire.annotate.page import link, whole
from groundwire.annotate.standing import alphas, counts, differing, pairs
from groundwire.annotate.tasks import task_of
from groundwire.evals.bootstrap import Figure
from groundwire.pages.markup import Html, element, joined
from groundwire.pages.signs import number, plural

_LONGEST = 160
"""Characters of an item that a list shows."""


def overview_page(items: Sequence[Item], book: Book, name: str) -> str:
    """Return the page for one who may adjudicate."""
    main = element(
        "main",
        element("p", element("a", "Back to the items", href=link(name)), class_="kicker"),
        element("h1", "How it stands"),
        _people(items, book),
        _counts(items, book),
        _agreement(items, book),
        _differing(items, book, name),
        _files(),
        data_name=name,
        data_open=link(name),
    )
    return whole("How it stands", main)


def _people(items: Sequence[Item], book: Book) -> Html:
    names = book.annotators()
    if not names:
        return element("section", element("h2", "Who has judged"), element("p", "Nobody yet.", class_="soft"))
    rows = []
    for name in names:
        said = [one for item in items if (one := book.said(item.item).get(name)) is not None]
        mean = sum(one.seconds for one in said) / len(said) if said else None
        rows.append((name, f"{len(said)} of {len(items)}", "–" if mean is None else f"{number(mean, 1)} s"))
    return element("section", element("h2", "Who has judged"), _table(("", "judged", "seconds each"), rows))


def _counts(items: Sequence[Item], book: Book) -> Html | None:
    found = counts(items, book)
    tables = []
    for task in dict.fromkeys(task for task, _ in found):
        choices = list(dict.fromkeys(choice for item in items if item.task == task for choice in item.choices))
        rows = []
        for (other, row), said in found.items():
            if other == task:
                of = sum(item.task == task and item.row == row for item in items)
                rows.append((row, *(str(said[choice]) for choice in choices), f"{said.total()} of {of}"))
        tables += [element("h3", task_of(task).asked), _table(("", *choices, "settled"), rows)]
    told = "The decision where one was made, else what most have said; level counts do not count."
    return element("section", element("h2", "Counts"), element("p", told, class_="soft small"), *tables)


def _agreement(items: Sequence[Item], book: Book) -> Html | None:
    two = pairs(items, book)
    if not two:
        return None
    rows = [
        (pair.task, f"{pair.one}, {pair.other}", str(pair.n), f"{number(100 * pair.agreed, 0)} %", *_figure(pair.kappa))
        for pair in two
    ]
    every = [(one.task, str(one.n), *_figure(one.alpha)) for one in alphas(items, book)]
    return element(
        "section",
        element("h2", "Agreement"),
        _table(("", "people", "n", "agreed", "Cohen's κ", "95 %"), rows),
        element("h3", "Everybody"),
        _table(("", "n", "Krippendorff's α", "95 %"), every),
    )


def _figure(figure: Figure) -> tuple[str, str]:
    """Return a figure and its interval, a dash and nothing where it is not defined."""
    between = "" if figure.low is None else f"[{number(figure.low)}, {number(figure.high)}]"
    return number(figure.value), between


def _differing(items: Sequence[Item], book: Book, name: str) -> Html:
    found = differing(items, book)
    title = element("h2", "Differences")
    if not found:
        return element("section", title, element("p", "None.", class_="soft"))
    rows = []
    for n in found:
        item = items[n]
        said = ", ".join(f"{who}: {one.judgement}" for who, one in sorted(book.said(item.item).items()))
        decided = book.decided(item.item)
        ended = joined([" → ", element("b", decided.judgement)]) if decided else None
        text = item.question or item.answers[0]
        text = f"{text[:_LONGEST]}…" if len(text) > _LONGEST else text
        rows.append(
            element(
                "li",
                element("a", element("bdi", text or item.item), href=link(name, n, adjudicating=True)),
                element("div", said, ended, class_="small soft"),
            )
        )
    undecided = sum(book.decided(items[n].item) is None for n in found)
    told = f"{plural(len(found), 'item')}, {undecided} undecided. "
    start = element("a", "Adjudicate", href=link(name, adjudicating=True))
    return element("section", title, element("p", told, start), element("ul", *rows, class_="differing"))


def _files() -> Html:
    wanted = (
        ("export?form=jsonl", "all judgements, JSON lines"),
        ("export?form=csv", "all judgements, CSV"),
        ("export?form=jsonl&final=1", "what holds in the end, JSON lines"),
        ("export?form=csv&final=1", "what holds in the end, CSV"),
    )
    rows = [element("li", element("a", words, href=href, download=True)) for href, words in wanted]
    return element("section", element("h2", "Files"), element("ul", *rows))


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Html:
    head = element("thead", element("tr", *(element("th", name) for name in heads)))
    body = [
        element("tr", element("th", element("bdi", first), scope="row"), *(element("td", text) for text in rest))
        for first, *rest in rows
    ]
    return element("div", element("table", head, element("tbody", *body), class_="numbers"), class_="scroll")
