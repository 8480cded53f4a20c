"""What every noun can do: its two lossless dictionary forms.

Left out: the nouns.
"""

from __future__ import annotations

import types as _types
import typing
from collections.abc import Mapping
from dataclasses import fields
from enum import StrEnum
from typing import Any, Self


class Noun:
    """Gives every noun below its two lossless dictionary forms."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the noun as JSON values (dicts, lists, strings, numbers, None)."""
        return {f.name: _plain(getattr(self, f.name)) for f in fields(typing.cast("Any", self))}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Rebuild the noun that `to_dict` wrote. Unknown keys raise TypeError, missing optional ones take their default."""
        hints = typing.get_type_hints(cls)
        return cls(**{name: _typed(hints.get(name, Any), value) for name, value in data.items()})


def _plain(value: Any) -> Any:
    if isinstance(value, Noun):
        return value.to_dict()
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(v) for v in value]
    return value


def _typed(hint: Any, value: Any) -> Any:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if value is None:
        return None
    if origin in (typing.Union, _types.UnionType):
        return _typed(next(a for a in args if a is not type(None)), value)
    if origin is tuple:
        return tuple(_typed(args[0], v) for v in value)
    if isinstance(hint, type) and issubclass(hint, Noun):
        return hint.from_dict(value)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return hint(value)
    return value
