"""How often the checkers of a run say the same, data set by data set, as a heat map that is a table.

Two checkers agree on a row where both accept it or both reject it, each at its own threshold; rows that one of them could not
check are left out. Left out: agreement corrected for chance, which says little where one class is rare.
"""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.evals.runs.measuring import Cell
from groundwire.pages.markup import Html, element
from groundwire.pages.signs import number

_SHADES = 5


def agreement_section(cells: Sequence[Cell]) -> Html | None:
    """Return a matrix for each data set; nothing where a run has one checker."""
    sets = {cell.data: [c for c in cells if c.data == cell.data] for cell in cells}
    drawn = [_matrix(data, group) for data, group in sets.items() if len(group) > 1]
    if not drawn:
        return None
    told = "The share of answers that two checkers both accept or both reject, each at its own threshold."
    return element(
        "section", element("h2", "Agreement"), element("p", told, class_="soft small"), *drawn, id="agreement"
    )


def agreement(one: Cell, other: Cell) -> tuple[float | None, int]:
    """Return the share of the rows with two scores on which both decide alike, and how many such rows there are."""
    accepted = {row.id: (row.score or 0.0) >= other.threshold for row in other.rows}
    alike = [((row.score or 0.0) >= one.threshold) is accepted[row.id] for row in one.rows if row.id in accepted]
    return (sum(alike) / len(alike) if alike else None), len(alike)


def _matrix(data: str, cells: Sequence[Cell]) -> Html:
    heads = [element("th", f"{n}", scope="col") for n in range(1, len(cells) + 1)]
    rows = [
        element(
            "tr",
            element("th", f"{n} {one.checker}", scope="row"),
            *[_shade(one, other) for other in cells],
        )
        for n, one in enumerate(cells, 1)
    ]
    head = element("thead", element("tr", element("th", data, scope="col"), *heads))
    table = element("table", head, element("tbody", *rows), class_="numbers matrix")
    return element("div", table, class_="scroll", tabindex=0)


def _shade(one: Cell, other: Cell) -> Html:
    share, n = agreement(one, other)
    if share is None:
        return element("td", "–")
    # Chance of two that decide by a coin is one half: what lies below is as pale as that.
    shade = min(int(max(share - 0.5, 0.0) * 2 * _SHADES), _SHADES - 1)
    return element("td", number(share), class_=f"h{shade}", title=f"{n} rows")
