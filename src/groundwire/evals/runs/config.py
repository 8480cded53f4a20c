"""What a run does: data sets, checkers, and how it is measured, from a TOML file or from flags.

    limit = 200                                   # a random sample of every set
    tune_on = "dev"                               # thresholds are tuned on this set, and reported on the others
    checkers = ["default", "peer:overlap"]

    [[data]]
    name = "dev"
    path = "dev.jsonl"

    [[grid]]                                      # every combination is a checker
    recipe = ["provenance"]
    model = ["mini"]
    select = ["top-p:0.9", "top-k:5"]
    aggregate = ["min", "max"]

A path is taken from the folder of the TOML file. Left out: what the names mean, which their owners know.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import product
from pathlib import Path
from typing import Any

from groundwire.errors import InputError
from groundwire.evals import datasets
from groundwire.types.noun import Noun

_NUMBERS = ("limit", "seed", "resamples")


@dataclass(frozen=True, slots=True, kw_only=True)
class Data(Noun):
    """A data set: its name in the run, and where it is. `source` is what a reader knows it by, where it is not a file."""

    name: str
    path: str | None = None
    source: str | None = None
    split: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Config(Noun):
    """What a run does. Every checker (a spec string) runs over every data set.

    `limit` takes a random sample of every set, drawn with `seed`; `tune_on` names the set whose rows thresholds are tuned on
    for the others. Raises InputError where there is nothing to run, a name comes twice, or `tune_on` names no set.
    """

    data: tuple[Data, ...]
    checkers: tuple[str, ...]
    limit: int | None = None
    seed: int = 0
    resamples: int = 1000
    tune_on: str | None = None

    def __post_init__(self) -> None:
        if not self.data or not self.checkers:
            raise InputError("a run needs at least one data set and one checker", "--data FILE --checker default")
        names = [data.name for data in self.data]
        for what, found in (("data set", names), ("checker", self.checkers)):
            twice = next((name for n, name in enumerate(found) if name in found[:n]), None)
            if twice is not None:
                raise InputError(
                    f"the {what} {twice!r} comes twice", "every one runs once: give the other its own name"
                )
        if self.tune_on is not None and self.tune_on not in names:
            raise InputError(f"tune_on names no data set of this run: {self.tune_on!r}", f"it has: {', '.join(names)}")

    def differences(self, other: Config) -> list[str]:
        """Return the names of the fields in which the two differ."""
        return [f.name for f in fields(self) if getattr(self, f.name) != getattr(other, f.name)]


def read_config(path: str | Path) -> Config:
    """Read a TOML file. Raises InputError for one that cannot be read, is no TOML, or holds what a run has no use for."""
    place = Path(path)
    try:
        told = tomllib.loads(place.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}", "give the path of a TOML file") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text", "save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path} is no TOML: {error}", "see groundwire eval run --help") from error
    try:
        return _config(told, place.parent)
    except InputError as error:
        raise InputError(f"{path}: {error.message}", error.hint) from error


def named(text: str) -> Data:
    """Return the data set of a flag: a file, `NAME=FILE`, or what a reader knows, as `NAME[@SPLIT][=PATH]` or `hf:…`."""
    known = datasets.named(text)
    if known is not None:
        name = text.partition("=")[0]
        return Data(
            name=name, path=None if known.path is None else str(known.path), source=known.name, split=known.split
        )
    name, equals, place = text.partition("=")
    if equals and Path(place).exists():
        return Data(name=name, path=place)
    if Path(text).exists():
        return Data(name=_stem(Path(text)), path=text)
    raise InputError(f"there is no file and no data set {text!r}", "groundwire data list names the data sets")


def _stem(path: Path) -> str:
    """Return a file's name without its endings: `dev.jsonl.gz` is `dev`."""
    return path.name.split(".")[0] or path.name


def _config(told: Mapping[str, Any], folder: Path) -> Config:
    wanted = {"data", "checkers", "grid", "tune_on", *_NUMBERS}
    if strange := sorted(set(told) - wanted):
        raise InputError(f"unknown keys: {', '.join(strange)}", f"known: {', '.join(sorted(wanted))}")
    given: dict[str, Any] = {name: _number(name, told[name]) for name in _NUMBERS if name in told}
    if "tune_on" in told:
        given["tune_on"] = _text("tune_on", told["tune_on"])
    checkers = [_text("checkers", each) for each in _list("checkers", told.get("checkers", []))]
    for grid in _list("grid", told.get("grid", [])):
        checkers += [spec for spec in specs_of(grid) if spec not in checkers]
    data = tuple(_data(each, folder) for each in _list("data", told.get("data", [])))
    return Config(data=data, checkers=tuple(checkers), **given)


def _data(told: Any, folder: Path) -> Data:
    if isinstance(told, str):
        beside = folder / told
        return Data(name=_stem(beside), path=str(beside)) if beside.exists() else named(told)
    if not isinstance(told, Mapping):
        raise InputError("data must be names, files or tables", '[[data]] with name = "…" and path = "…"')
    known = [f.name for f in fields(Data)]
    if strange := sorted(set(told) - set(known)):
        raise InputError(f"a data set has no {', '.join(strange)}", f"known: {', '.join(known)}")
    texts = {name: _text(f"data.{name}", value) for name, value in told.items()}
    if "path" in texts:
        texts["path"] = str(folder / texts["path"])
    if "name" not in texts and not texts.keys() & {"path", "source"}:
        raise InputError("a data set needs a name, a source or a path", '[[data]] with name = "…" and path = "…"')
    name = texts.setdefault("name", texts.get("source") or _stem(Path(texts.get("path", ""))))
    if "path" not in texts:
        texts.setdefault("source", name)
    return Data(**texts)


def specs_of(grid: Any) -> Iterator[str]:
    """Yield the spec of every combination of a grid's values: `recipe` names the recipes, every other key is a field."""
    if not isinstance(grid, Mapping) or "recipe" not in grid:
        raise InputError("a grid needs a recipe", '[[grid]] with recipe = ["provenance"] and lists of field values')
    names = [name for name in grid if name != "recipe"]
    values = [[_spelled(name, value) for value in _list(name, grid[name])] for name in names]
    for recipe in (_text("recipe", each) for each in _list("recipe", grid["recipe"])):
        for chosen in product(*values):
            yield _joined(recipe.strip(), [f"{name}={value}" for name, value in zip(names, chosen, strict=True)])


def _joined(recipe: str, changes: Sequence[str]) -> str:
    if not changes:
        return recipe
    if not recipe.endswith(")"):
        return f"{recipe}({', '.join(changes)})"
    return f"{recipe[:-1]}, {', '.join(changes)})"


def _spelled(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return str(value)
    return _text(name, value)


def _list(name: str, value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    if name == "grid" or isinstance(value, (str, int, float)):
        return [value]
    raise InputError(f"{name} must be a list")


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{name} must be a text that is not empty")
    return value


def _number(name: str, value: Any) -> int:
    least = 0 if name == "seed" else 1
    if type(value) is not int or value < least:
        raise InputError(f"{name} must be a whole number from {least}")
    return value
