"""The passages that an answer was grown from, with the words that its sentences cite set apart.

Left out: which words those are (`citations.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from groundwire.pages.markup import Html, element, joined
from groundwire.pages.signs import CLASSES, number, plural
from groundwire.report.citations import Citation, by_source, source_anchor
from groundwire.types import MARKS, Answer, Label, Passage, Retrieval

MOST_DRAWN = 20
"""Sources that are drawn although no sentence cites them."""


def source_section(answer: Answer, cited: Sequence[Sequence[Citation]]) -> Html:
    """Return the sources in their order; of those that nothing cites the first ones, and how many more there are."""
    title = element("h2", "Sources")
    if not answer.sources:
        return element("section", title, element("p", "No passage was found.", class_="soft"), id="sources")
    drawn = drawn_sources(answer, cited)
    cards = [_card(answer, index, by_source(cited, index)) for index in drawn]
    hidden = len(answer.sources) - len(drawn)
    rest = f"{plural(hidden, 'more source')} that no sentence cites" if hidden else None
    more = element("p", rest, class_="soft") if rest else None
    return element("section", title, *cards, more, id="sources")


def drawn_sources(answer: Answer, cited: Sequence[Sequence[Citation]]) -> list[int]:
    """Return the positions of the sources that stand on the page."""
    wanted = {citation.index for claim in cited for citation in claim}
    return [index for index in range(len(answer.sources)) if index < MOST_DRAWN or index in wanted]


def _card(answer: Answer, index: int, cited: Sequence[Citation]) -> Html:
    source = answer.sources[index]
    place = element("span", f"[{index + 1}]", class_="number")
    title = element("h3", place, " ", element("bdi", source.title or source.id))
    about = element("p", *_about(source, answer.retrieval), class_="soft small")
    text = element("div", _highlighted(source.text, cited), class_="prose passage", dir="auto")
    return element("article", title, about, text, id=source_anchor(index), class_="card source")


def _about(source: Passage, retrieval: Retrieval | None) -> list[Html]:
    """Return its id, where in its document it stands, and where each part of the retrieval ranked it."""
    parts: list[Html] = [element("bdi", source.id)] if source.title else []
    if source.origin is not None:
        origin = source.origin
        parts.append(joined([element("bdi", origin.source), f" {number(origin.start, 0)}–{number(origin.end, 0)}"]))
    for ranking in retrieval.rankings if retrieval else ():
        rank = next((n for n, hit in enumerate(ranking.hits, 1) if hit.passage.id == source.id), None)
        if rank is not None:
            parts.append(joined([element("bdi", ranking.by), f" #{rank}"]))
    parts = parts or [Html("given")]
    return [joined(parts, " · ")]


def _highlighted(text: str, cited: Sequence[Citation]) -> Html:
    """Return the text with its cited words marked; where citations overlap, in the pieces that they make of each other."""
    inside = [citation for citation in cited if citation.start < citation.end]
    cuts = sorted({0, len(text), *(c.start for c in inside), *(c.end for c in inside)})
    named: set[str] = set()
    parts: list[Html] = []
    for start, end in pairwise(cuts):
        over = [c for c in inside if c.start < end and c.end > start]
        parts.append(_mark(text[start:end], over, named) if over else joined([text[start:end]]))
        parts += [_back(citation) for citation in over if citation.end == end]
    return joined(parts)


def _mark(words: str, over: Sequence[Citation], named: set[str]) -> Html:
    """Return marked words. The first piece of a citation bears its name; a second name there is an empty element's."""
    fresh = [anchor for anchor in dict.fromkeys(c.anchor for c in over) if anchor not in named]
    named.update(fresh)
    labels = {citation.label for citation in over}
    look = CLASSES[labels.pop()] if len(labels) == 1 else "several"
    others = [element("span", id=anchor) for anchor in fresh[1:]]
    cites = " ".join(dict.fromkeys(citation.anchor for citation in over))
    return joined(
        [*others, element("mark", words, id=fresh[0] if fresh else None, class_=f"cited {look}", data_cites=cites)]
    )


def _back(citation: Citation) -> Html:
    """Return the way back to the sentence, with its sign."""
    near = "near " if citation.label is Label.NOT_ENOUGH_INFO else ""
    title = f"{near}sentence {citation.claim}"
    link = element(
        "a", f"{MARKS[citation.label]}{citation.claim}", href=f"#k{citation.claim}", title=title, class_="back"
    )
    return element("sup", link)
