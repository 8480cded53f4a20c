"""What the Python doors are given to build a system by: of the right type and in range, or an error that says so.

Left out: whether the names exist (`groundwire.recipes`).
"""

from __future__ import annotations

from numbers import Real
from typing import Any

from groundwire.errors import InputError


def check_options(recipe: Any, model: Any, threshold: Any) -> None:
    """Raise InputError unless recipe is a string, model a string or None, threshold a number in [0, 1] or None."""
    if not isinstance(recipe, str):
        raise InputError(f"recipe must be a string, not {type(recipe).__name__}", "groundwire.recipes.names()")
    if not isinstance(model, str | None):
        raise InputError(f"model must be a string or None, not {type(model).__name__}", "groundwire models list")
    if threshold is None:
        return
    if isinstance(threshold, bool) or not isinstance(threshold, Real):
        raise InputError(f"threshold must be a number, not {type(threshold).__name__}", "a number in [0, 1], or None")
    if not 0 <= float(threshold) <= 1:
        raise InputError(f"a threshold lies in [0, 1], got {threshold}", "the default is the recipe's own")
