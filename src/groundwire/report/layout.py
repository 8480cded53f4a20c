"""Where the candidates of a family stand: a column a generation, left to right, the fittest at the top.

Up to `ROWS` candidates of a generation stand below each other; more of them are smaller and stand in several files.
Units are those of the drawing, pixels at its natural size. Left out: how they look (`tree.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from groundwire.report.family import Column, Family

ROWS = 12
LARGE, SMALL = 13.0, 8.0
"""Radii of nodes in columns of one file and of several."""

_TOP, _LEFT, _GAP = 54.0, 30.0, 84.0
_STEP = 34.0
_FILE = 24.0
_CROWDED_STEP = 21.0
_CROWDED_ROWS = 18

LONG = 1.2 * _GAP
"""What is further apart than this has a column in between."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a candidate stands, and its radius."""

    x: float
    y: float
    radius: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The places of all drawn candidates by number, the middle of each column, and the size of the whole."""

    places: Mapping[int, Place]
    middles: tuple[float, ...]
    width: float
    height: float


def laid_out(family: Family) -> Layout:
    """Return the layout of a family."""
    places: dict[int, Place] = {}
    middles: list[float] = []
    left = _LEFT
    for column in family.columns:
        files = _files(column)
        places.update(_placed(column, left))
        middles.append(left + (files - 1) * _FILE / 2)
        left += (files - 1) * _FILE + _GAP
    bottom = max((place.y + place.radius for place in places.values()), default=_TOP)
    return Layout(places=places, middles=tuple(middles), width=left - _GAP + _LEFT + LARGE, height=bottom + 12)


def _files(column: Column) -> int:
    return 1 if len(column.members) <= ROWS else -(-len(column.members) // _CROWDED_ROWS)


def _placed(column: Column, left: float) -> dict[int, Place]:
    if len(column.members) <= ROWS:
        return {m: Place(x=left, y=_TOP + n * _STEP, radius=LARGE) for n, m in enumerate(column.members)}
    return {
        m: Place(
            x=left + n // _CROWDED_ROWS * _FILE,
            y=_TOP - LARGE + SMALL + n % _CROWDED_ROWS * _CROWDED_STEP,
            radius=SMALL,
        )
        for n, m in enumerate(column.members)
    }
