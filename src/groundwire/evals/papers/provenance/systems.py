"""The checkers behind the rows of the tables: recipes of the paper, with its models where they are on this machine.

Where they are not, the built-in model stands in and is named. A vector of its own it has only by cosine, so it ranks for the
dot products of experiments 0.1 and 0.2 with its relevance logit.

Left out: the recipes themselves (`groundwire.recipes.checking`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from groundwire import models
from groundwire.errors import UsageError
from groundwire.evals.papers import stand_in
from groundwire.evals.papers.provenance.published import AGGREGATES, EXPERIMENTS, SELECTIONS
from groundwire.evals.papers.stand_in import Used
from groundwire.recipes.checking import RANKER, Provenance, parse

if TYPE_CHECKING:
    from groundwire.check import CheckPath

COMBINED = "provenance(premises=combined)"
"""Table 3: the selected sources joined and judged once."""
_COSINE = ":cosine"


def by_source(selection: str, aggregate: str) -> str:
    """Return the recipe of a cell of table 5: every selected source judged, the scores joined."""
    return f"provenance(select={SELECTIONS[selection]}, aggregate={AGGREGATES[aggregate]})"


BEST = by_source("TopK 5", "max")
"""Tables 4 and 6."""
LITE: Mapping[str, str] = {name: f"provenance-lite-{name.removeprefix('EXP-')}" for name in EXPERIMENTS}
"""Table 7."""
GRID = tuple(by_source(selection, aggregate) for selection in SELECTIONS for aggregate in AGGREGATES)
"""Table 5."""
ALL = (COMBINED, *GRID, *LITE.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """A checker, by its recipe, and which models rank and judge in it."""

    recipe: str
    ranks: Used
    judges: Used
    checker: CheckPath

    @property
    def paper(self) -> str:
        """Name the paper's models."""
        return _named(self.ranks.wanted, self.judges.wanted)

    @property
    def ours(self) -> str:
        """Name the models that really ran; those that stand in say so."""
        if self.ranks.name == self.judges.name:
            return self.judges.title
        return _named(self.ranks.title, self.judges.title)

    def identity(self) -> dict[str, str]:
        """Return what a score depends on besides the case."""
        told = {"recipe": self.recipe, "ranks": self.ranks.name, "judges": self.judges.name}
        return {**told, "ranks_identity": self.ranks.identity, "judges_identity": self.judges.identity}


def build(recipes: Iterable[str], *, relevance: str | None = None, model: str | None = None) -> dict[str, System]:
    """Build the checkers, by recipe. `relevance` and `model` are asked in place of the paper's.

    Raises what `groundwire.models.load` raises for a model that was named.
    """
    return {recipe: _built(recipe, relevance, model) for recipe in dict.fromkeys(recipes)}


def models_of(systems: Sequence[System]) -> tuple[Used, ...]:
    """Return the models that ran, each once."""
    return tuple(dict.fromkeys(used for system in systems for used in (system.ranks, system.judges)))


def _built(recipe: str, relevance: str | None, model: str | None) -> System:
    told = parse(recipe)
    if not isinstance(told, Provenance):
        raise UsageError(f"{recipe} is no recipe of Provenance", "provenance(select=top-k:5)")
    judges, _ = stand_in.judge(told.model, model)
    ranks, _ = stand_in.scorer(told.relevance, relevance)
    if ranks.stands_in and relevance is None and told.relevance.endswith(_COSINE):
        ranks = replace(ranks, name=models.BUILTIN + _COSINE)
    if judges.name == models.BUILTIN and ranks.name == RANKER:
        # The recipe lets a built-in judge rank too, whatever else is on this machine.
        ranks = replace(ranks, name=models.BUILTIN, identity=judges.identity)
    checker = replace(told, relevance=ranks.name, model=judges.name).make(recipe)
    return System(recipe=recipe, ranks=ranks, judges=judges, checker=checker)


def _named(ranks: str, judges: str) -> str:
    return judges if ranks == judges else f"{ranks} and {judges}"
