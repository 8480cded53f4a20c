"""The evolution tree: generations left to right, nodes coloured by groundedness, edges by operator, each node a link.

Left out: where nodes stand (`layout.py`), what the links lead to (`candidates.py`), colours and dashes (`report.css`).
"""

from __future__ import annotations

from collections.abc import Mapping

from groundwire.pages.markup import Html, element, joined
from groundwire.pages.signs import number
from groundwire.report.candidates import name_of
from groundwire.report.family import Column, Family
from groundwire.report.layout import LONG, Layout, Place, laid_out

BINS = 5
"""Steps of the colour scale from 0 to 1."""

LOOKS = 8
"""Looks of edges; an operator beyond the eighth shares one."""

_NARROW = 9.0
_LIFT = 23.0


def tree_section(family: Family, articles: Html) -> Html | None:
    """Return the tree, its legend and the candidates' articles; nothing where there is no lineage."""
    if not family.members:
        return None
    looks = _looks(family)
    layout = laid_out(family)
    drawing = element(
        "svg",
        *_columns(family, layout),
        element("g", *_edges(family, layout, looks), class_="edges", fill="none"),
        element("g", *[_node(family, n, layout.places[n]) for n in family.drawn], class_="nodes"),
        id="tree",
        width=layout.width,
        height=layout.height,
        viewBox=f"0 0 {layout.width:.0f} {layout.height:.0f}",
        role="group",
        aria_label="Evolution tree",
    )
    frame = element("div", drawing, class_="scroll", tabindex=0, role="region", aria_label="Evolution tree, scrolls")
    hint = element("p", *_hint(), class_="soft small")
    side = element("div", hint, frame, _legend(family, looks), class_="drawing")
    return element(
        "section", element("h2", "Evolution"), element("div", side, articles, class_="beside"), id="evolution"
    )


def _hint() -> list[Html]:
    with_script = element("span", "Choose a node to see its text; arrow keys go along the lineage.", class_="scripted")
    without = element("span", "Each node leads to its text in the list.", class_="unscripted")
    order = " Generations go from left to right, the fittest at the top; bold lines are the ancestry of the answer."
    return [with_script, without, joined([order])]


def _looks(family: Family) -> dict[str, int]:
    """Return each operator's look, in the order in which they first appear."""
    by_age = sorted(family.drawn, key=lambda n: (family.of(n).generation, n))
    named = dict.fromkeys(family.of(n).operator for n in by_age if family.parents[n])
    return {operator: n % LOOKS for n, operator in enumerate(named)}


def _columns(family: Family, layout: Layout) -> list[Html]:
    return [
        element(
            "g",
            element("text", "seeds" if column.generation == 0 else str(column.generation), x=x, y=16.0, class_="head"),
            element("text", _count(column), x=x, y=30.0, class_="count"),
            text_anchor="middle",
        )
        for column, x in zip(family.columns, layout.middles, strict=True)
    ]


def _count(column: Column) -> str:
    if column.hidden:
        return f"{len(column.members)} of {number(len(column.members) + column.hidden, 0)}"
    return f"{len(column.members)} new" if column.generation else number(len(column.members), 0)


def _edges(family: Family, layout: Layout, looks: Mapping[str, int]) -> list[Html]:
    """Return the edges, those of the answer's ancestry last and so on top."""
    pairs = [(p, n) for n in family.drawn for p in dict.fromkeys(family.parents[n]) if p in layout.places]
    pairs.sort(key=lambda pair: pair[1] in family.line)
    return [
        element(
            "path",
            d=_curve(layout.places[parent], layout.places[child]),
            class_=f"edge op{looks[family.of(child).operator]}" + (" line" if child in family.line else ""),
            data_from=parent,
            data_to=child,
        )
        for parent, child in pairs
    ]


def _curve(start: Place, end: Place) -> str:
    """Return a curve that leaves to the right and comes in from the left; a long one passes between rows, not nodes."""
    x1, x2 = start.x + start.radius, end.x - end.radius
    bend = max((x2 - x1) / 2, 18.0)
    lift = _LIFT if end.x - start.x > LONG else 0.0
    first, last = f"{x1 + bend:.1f} {start.y - lift:.1f}", f"{x2 - bend:.1f} {end.y - lift:.1f}"
    return f"M{x1:.1f} {start.y:.1f}C{first} {last} {x2:.1f} {end.y:.1f}"


def _node(family: Family, n: int, place: Place) -> Html:
    grounded = family.groundedness(n)
    look = "none" if grounded is None else f"g{_bin(grounded)}"
    best = n == family.best
    ring = element("circle", cx=place.x, cy=place.y, r=place.radius + 4.5, class_="ring") if best else None
    disc = element("circle", cx=place.x, cy=place.y, r=place.radius, class_="disc")
    label = None
    if place.radius > _NARROW:
        label = element("text", str(n), x=place.x, y=place.y + 4, text_anchor="middle", class_="value")
    return element(
        "a",
        element("title", _told(family, n)),
        ring,
        disc,
        label,
        href=f"#c{n}",
        class_=f"node {look}" + (" best" if best else "") + (" line" if n in family.line else ""),
        data_number=n,
        data_generation=family.of(n).generation,
        data_parents=" ".join(str(parent) for parent in family.parents[n]),
        aria_label=_told(family, n),
    )


def _told(family: Family, n: int) -> str:
    candidate = family.of(n)
    terms = [f"{name} {number(value)}" for name, value in candidate.fitness.items()]
    return ", ".join([name_of(family, n).replace(" · ", ", "), *terms, *(["the answer"] if n == family.best else [])])


def _bin(value: float) -> int:
    return min(int(value * BINS), BINS - 1)


def _legend(family: Family, looks: Mapping[str, int]) -> Html:
    operators = [_key(_stroke(look), operator) for operator, look in looks.items()]
    ring = element(
        "svg", element("circle", cx=9, cy=9, r=4.5, class_="disc"), _circle(7.5, "ring"), width=18, height=18
    )
    marks = [_key(ring, "the answer")] if family.best else []
    groups = [_group("edge: operator", operators), _group(_scale(family), [*_swatches(family), *marks])]
    return element("dl", *groups, class_="legend")


def _scale(family: Family) -> str:
    return "node" if family.grounding is None else f"node: {family.grounding}"


def _swatches(family: Family) -> list[Html]:
    bins = [] if family.grounding is None else [(f"g{n}", f"{n / BINS:.1f}–{(n + 1) / BINS:.1f}") for n in range(BINS)]
    if any(family.groundedness(n) is None for n in family.drawn):
        bins.append(("none", "not measured"))
    return [
        _key(element("svg", _circle(7.0, "disc"), width=18, height=18, class_=f"node {look}"), name)
        for look, name in bins
    ]


def _circle(radius: float, look: str) -> Html:
    return element("circle", cx=9, cy=9, r=radius, class_=look)


def _stroke(look: int) -> Html:
    path = element("path", d="M1 6H39", class_=f"edge line op{look}", fill="none")
    return element("svg", path, width=40, height=12, class_="edges")


def _key(drawing: Html, name: str) -> Html:
    return element("span", drawing, element("bdi", name), class_="key")


def _group(name: str, keys: list[Html]) -> Html | None:
    return element("div", element("dt", name), element("dd", *keys)) if keys else None
