"""One article a candidate: its text, its fitness by term, and what became of each parent's words.

All of them stand in the page, folded; the script shows the one that was chosen in the tree. Left out: the tree (`tree.py`).
"""

from __future__ import annotations

from collections.abc import Mapping

from groundwire.pages.markup import Html, element, joined
from groundwire.pages.signs import number, plural
from groundwire.report.difference import Run, difference
from groundwire.report.family import Family, measured, terms_of
from groundwire.types import Candidate

LONGEST = 20_000
"""Characters of a candidate that are drawn."""

LONGEST_SAME = 12
"""Words on either side of a change that are repeated; the rest of a long common run is a dotted gap."""

_TAGS = {"cut": "del", "new": "ins"}


def articles(family: Family, links: Mapping[str, str]) -> Html:
    """Return the candidates that have a place, best first. `links` leads from a passage's id to its place on the page."""
    terms = terms_of(family.members)
    made = [_article(family, number, terms, links) for number in family.drawn]
    return element("div", *made, class_="panel", id="panel", role="region", aria_label="Chosen candidate")


def name_of(family: Family, number: int) -> str:
    """Return a candidate's number, generation and operator in a line."""
    candidate = family.of(number)
    kind = "seed" if candidate.operator == "seed" else f"generation {candidate.generation} · {candidate.operator}"
    return f"#{number} · {kind}"


def linked(family: Family, number: int, name: str) -> Html:
    """Return a name that leads to the candidate, where it has a place."""
    words = element("bdi", name)
    return element("a", words, href=f"#c{number}", class_="kin") if number in family.drawn else words


def _article(family: Family, number: int, terms: list[str], links: Mapping[str, str]) -> Html:
    candidate = family.of(number)
    crown = element("span", "answer", class_="crown") if number == family.best else None
    summary = element("summary", element("bdi", name_of(family, number)), " ", crown)
    text = element("div", _cut(candidate.text), class_="prose", dir="auto")
    parts = [_passage(candidate, links), text, _fitness(family, number, terms)]
    parts += [_against(family, number, parent) for parent in dict.fromkeys(family.parents[number])]
    lost = len(set(candidate.parents)) - len(set(family.parents[number]))
    parts.append(element("p", f"{plural(lost, 'parent')} not in the lineage", class_="soft") if lost > 0 else None)
    body = element("div", *parts, id=f"c{number}", class_="body")
    return element("details", summary, body, class_="candidate", open=number == family.best)


def _passage(candidate: Candidate, links: Mapping[str, str]) -> Html | None:
    if candidate.passage is None:
        return None
    anchor = links.get(candidate.passage)
    name = element("bdi", candidate.passage)
    return element("p", "passage ", element("a", name, href=f"#{anchor}") if anchor else name, class_="soft small")


def _fitness(family: Family, number: int, terms: list[str]) -> Html | None:
    """Return a row a term: its value, and how far it is from each parent's."""
    candidate = family.of(number)
    own = [term for term in terms if term in candidate.fitness]
    if not own:
        return None
    parents = list(dict.fromkeys(family.parents[number]))
    heads = [element("th", f"vs #{parent}", scope="col") for parent in parents]
    head = element("tr", element("th", "fitness", scope="col"), element("th", "value", scope="col"), *heads)
    rows = [_term(family, candidate, term, parents) for term in own]
    return element("table", element("thead", head), element("tbody", *rows), class_="numbers")


def _term(family: Family, candidate: Candidate, term: str, parents: list[int]) -> Html:
    value = measured(candidate, term)
    cells = [element("td", _gain(value, measured(family.of(parent), term))) for parent in parents]
    shown = number(value, 3) if value is not None else str(candidate.fitness[term])
    return element("tr", element("th", term, scope="row"), element("td", shown), *cells)


def _gain(value: float | None, before: float | None) -> str:
    if value is None or before is None:
        return "–"
    return ("+" if value >= before else "") + number(value - before, 3)


def _against(family: Family, number: int, parent: int) -> Html:
    runs = difference(_cut(family.of(parent).text), _cut(family.of(number).text))
    counts = {kind: sum(len(run.words) for run in runs if run.kind == kind) for kind in ("cut", "new", "same")}
    told = f"{plural(counts['same'], 'word')} kept, {counts['cut']} cut, {counts['new']} new"
    title = element("h4", "Against parent ", linked(family, parent, name_of(family, parent)))
    note = element("p", told, class_="soft small")
    pieces = [_run(run, first=n == 0, last=n == len(runs) - 1) for n, run in enumerate(runs)]
    return element("div", title, note, element("div", joined(pieces, " "), class_="prose difference", dir="auto"))


def _run(run: Run, *, first: bool, last: bool) -> Html:
    if run.kind != "same":
        return element(_TAGS[run.kind], " ".join(run.words))
    head = 0 if first else LONGEST_SAME
    tail = 0 if last else LONGEST_SAME
    words = run.words
    if len(words) <= head + tail + LONGEST_SAME or (first and last):
        return joined([" ".join(words)])
    gap = element("span", f"… {len(words) - head - tail} words …", class_="gap")
    kept = [" ".join(words[:head]), gap, " ".join(words[len(words) - tail :])]
    return joined([part for part in kept if part], " ")


def _cut(text: str) -> str:
    hidden = len(text) - LONGEST
    return text if hidden <= 0 else f"{text[:LONGEST]}… ({number(hidden, 0)} more characters)"
