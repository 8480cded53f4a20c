"""How a recipe is written: `name` or `name(field=value, ...)`, where a value may hold brackets and commas of its own.

Left out: which recipes there are, and what they build.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from numbers import Integral, Real
from typing import Any, TypeVar

from groundwire.errors import InputError, UnknownName, UsageError

R = TypeVar("R")
_KINDS: Mapping[str, tuple[type, str]] = {
    "str": (str, "a string"),
    "bool": (bool, "true or false"),
    "int": (Integral, "a whole number"),
    "float": (Real, "a number"),
}
"""What a field takes, by its annotation."""


def read(spec: str, known: Mapping[str, R], example: str) -> R:
    """Read a spec into one of the `known` recipes with its fields changed.

    Raises UnknownName for a recipe or a field that does not exist, UsageError (the hint is `example`) for a spec that is
    not closed and for a value of the wrong kind.
    """
    name, bracket, rest = spec.strip().partition("(")
    if name not in known:
        raise UnknownName("recipe", name, known)
    if not bracket:
        return known[name]
    if not rest.endswith(")") or rest.count("(") + 1 != rest.count(")"):
        raise UsageError(f"the recipe {spec!r} has no closing bracket", example)
    recipe: Any = known[name]
    names = [f.name for f in fields(recipe)]
    changes: dict[str, Any] = {}
    for part in filter(None, map(str.strip, _parts(rest[:-1]))):
        field, _, value = (piece.strip() for piece in part.partition("="))
        if field not in names:
            raise UnknownName(f"parameter of {name}", field, names)
        changes[field] = _value(field, value, getattr(recipe, field), _limit(recipe, field))
    changed: R = replace(recipe, **changes)
    return changed


def changed(recipe: R, name: str, changes: Mapping[str, Any]) -> R:
    """Return the recipe with these fields, those left out that are None.

    Raises UsageError for a field that it does not have, InputError for a value of the wrong type.
    """
    wanted = {field: value for field, value in changes.items() if value is not None}
    known = {f.name: str(f.type).removesuffix(" | None") for f in fields(recipe)}  # type: ignore[arg-type]
    for field, value in wanted.items():
        if field not in known:
            raise UsageError(f"the recipe {name} has no {field}", f"its fields: {', '.join(known)}")
        kind, told = _KINDS.get(known[field], (object, ""))
        if not isinstance(value, kind) or (isinstance(value, bool) and kind in (Integral, Real)):
            raise InputError(f"{field} must be {told}, not {type(value).__name__}", f"the recipe {name} says which")
    return replace(recipe, **wanted)  # type: ignore[type-var]


def _parts(text: str) -> Iterator[str]:
    """Cut at the commas that stand in no bracket."""
    depth = start = 0
    for at, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and not depth:
            yield text[start:at]
            start = at + 1
    yield text[start:]


def _limit(recipe: Any, field: str) -> type[int] | type[float] | None:
    """Return the kind of a number that may also be "none": a limit, whose default need not be one."""
    kinds = {"int | None": int, "float | None": float}
    return kinds.get(next(str(f.type) for f in fields(recipe) if f.name == field))


def _value(field: str, value: str, default: object, limit: type[int] | type[float] | None) -> object:
    """Read a field's value as what its default is, or as a limit, where it is one."""
    if limit is not None:
        return None if value == "none" else _value(field, value, limit(1), None)
    if isinstance(default, bool):
        if value not in ("yes", "no"):
            raise UsageError(f"{field} is yes or no, got {value!r}", f"{field}=no")
        return value == "yes"
    if isinstance(default, (int, float)):
        kind = type(default)
        try:
            return kind(value)
        except ValueError as error:
            wanted = "a whole number" if kind is int else "a number"
            raise UsageError(f"{field} is {wanted}, got {value!r}", f"{field}={default}") from error
    return value
