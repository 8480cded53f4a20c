"""Recipes: which parts make which system. A recipe named after a paper does what the paper did; departures are fields.

A recipe is a frozen record of spec strings, written `name` or `name(field=value, ...)`, for example
`provenance(select=top-k:5, premises=combined)` or `verify(stack=bm25, passages=3)`. Those of checkers are here by name,
those of verifiers in `groundwire.recipes.verifying`. Left out: the parts themselves.
"""

from groundwire.recipes.checking import RANKER, RECIPES, Default, Provenance, Recipe, build, names, parse

__all__ = ["RANKER", "RECIPES", "Default", "Provenance", "Recipe", "build", "names", "parse"]
