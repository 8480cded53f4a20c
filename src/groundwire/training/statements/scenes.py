"""Reads the scenes of `scenes/*.toml`, checks them once, and draws from them.

A scene has claims that stay `open`, `facts`, and `draw`, which fills slots in the order of the file:

    what = "places"                              a word of this list of `words.toml`
    "first second" = "cities"                    as many different ones as there are names
    turn = [{ is = "up", not = "down" }, ...]    one of these, as likely as the others; with fields: {turn.is}
    year = { low = 1900, high = "end - 1", step = 5 }   a whole number; both ends count
    later = { is = "year + gap * 2" }            worked out from left to right, without precedence
    day = { at = "first + 1", of = "days" }      the word at this place, counted from 0
    who = { join = ["first_names", "last_names"] }   a word of each; {who.last} is the last one

A fact has tellings (`says`, `then`) and claims (`true`, `false`), as `facts` describes them. `turned` are tellings of its
opposite: in half of the draws they are told instead, and true and false change places. A sentence begins with a capital,
"a" before a vowel is "an", and {year:,} is written as Python's formats have it.

Left out: how slots are filled (`slots`), and how samples are made of scenes (`worlds`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from groundwire.errors import InputError
from groundwire.training.statements.facts import Fact, Scene
from groundwire.training.statements.slots import Draw, Entry, Value, filled, render, used

KEYS = ("says", "true", "false", "then", "turned")
FORM = "the form of a scene is described in groundwire/training/statements/scenes.py"


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A scene before its slots are filled. Each of `facts` is a table of templates by what they are for."""

    name: str
    draws: tuple[Draw, ...]
    facts: tuple[Mapping[str, Sequence[str]], ...]
    open: tuple[str, ...]

    def draw(self, rng: Random) -> Scene:
        """The scene with slots filled; the same for the same state of `rng`."""
        known: dict[str, Value] = {}
        for draw in self.draws:
            known |= draw.values(rng, known)
        facts = []
        for table in self.facts:
            told = {kind: tuple(render(text, known) for text in texts) for kind, texts in table.items()}
            says, true, false = told["says"], told["true"], told["false"]
            if "turned" in told and rng.random() < 0.5:
                facts.append(Fact(told["turned"], false, true))
            else:
                facts.append(Fact(says, true, false, told.get("then", ())))
        return Scene(tuple(facts), tuple(render(text, known) for text in self.open))

    def templates(self) -> Iterator[str]:
        """Every template of the scene."""
        yield from self.open
        for table in self.facts:
            for texts in table.values():
                yield from texts


@cache
def load_scenes(folder: Path = Path(__file__).parent) -> tuple[Frame, ...]:
    """Every scene of a folder that holds `words.toml` and `scenes/*.toml`. Raises InputError where one is not sound."""
    try:
        lists = tomllib.loads((folder / "words.toml").read_text(encoding="utf-8"))
        files = [tomllib.loads(p.read_text(encoding="utf-8")) for p in sorted((folder / "scenes").glob("*.toml"))]
        return tuple(_frame(name, table, lists) for file in files for name, table in file.items())
    except (tomllib.TOMLDecodeError, OSError) as error:
        raise InputError(f"the scenes in {folder} cannot be read: {error}", FORM) from error


def _frame(name: str, table: Mapping[str, Any], lists: Mapping[str, Sequence[Entry]]) -> Frame:
    try:
        draws = tuple(_draw(tuple(slots.split()), how, lists) for slots, how in table["draw"].items())
        frame = Frame(name=name, draws=draws, facts=tuple(table["facts"]), open=tuple(table["open"]))
    except (KeyError, TypeError) as error:
        raise InputError(f"the scene {name!r} lacks {error}", FORM) from error
    _check_draws(frame)
    _check_facts(frame)
    return frame


def _draw(names: tuple[str, ...], how: Any, lists: Mapping[str, Sequence[Entry]]) -> Draw:
    if isinstance(how, str):
        return Draw(names=names, lists=(lists[how],))
    if isinstance(how, list):
        return Draw(names=names, lists=(how,))
    if "join" in how:
        return Draw(names=names, lists=tuple(lists[each] for each in how["join"]))
    if "of" in how:
        return Draw(names=names, lists=(lists[how["of"]],), at=str(how["at"]))
    low, high = (how["is"], how["is"]) if "is" in how else (how["low"], how["high"])
    return Draw(names=names, low=str(low), high=str(high), step=how.get("step", 1))


def _check_draws(frame: Frame) -> None:
    known: set[str] = set()
    slots = {slot for template in frame.templates() for slot in used(template)}
    for draw in frame.draws:
        for words in draw.lists:
            _need(len(words) >= len(draw.names), frame, f"draws {' '.join(draw.names)} from too short a list")
            _need(len({frozenset(filled("", e)) for e in words}) == 1, frame, f"has uneven fields for {draw.names[0]}")
        _need(draw.needs() <= known, frame, f"needs {', '.join(sorted(draw.needs() - known))} before it is drawn")
        slots |= draw.needs()
        known |= draw.gives()
    _need(slots <= known, frame, f"has unknown slots: {', '.join(sorted(slots - known))}")
    idle = {name for draw in frame.draws for name in draw.names} - {slot.split(".")[0] for slot in slots}
    _need(not idle, frame, f"draws what it does not use: {', '.join(sorted(idle))}")


def _check_facts(frame: Frame) -> None:
    _need(bool(frame.open) and bool(frame.facts), frame, "has no facts or no open claims")
    for table in frame.facts:
        _need(set(table) <= set(KEYS), frame, f"has a fact with other keys than {', '.join(KEYS)}")
        _need({"says", "true", "false"} <= set(table) and all(table.values()), frame, "has a fact with an empty list")


def _need(fine: bool, frame: Frame, what: str) -> None:
    if not fine:
        raise InputError(f"the scene {frame.name!r} {what}", FORM)
