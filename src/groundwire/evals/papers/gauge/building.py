"""From a row to what makes its answers: the recipe's own LLM and models, or what stands in for those that are not here.

Without an LLM a recipe of the paper breeds with extractive operators, and the baseline of a single prompt cannot be run.
Without ELECTRA's weights the built-in model ranks, and the fitness is normalised, so that its weight means the same. All of it
is said in `System.used`. Left out: the generators, the index and the endpoint; what opens a generator is handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from groundwire.errors import MissingModel, UsageError
from groundwire.evals.papers.gauge.systems import Calls, System
from groundwire.recipes import generating

if TYPE_CHECKING:
    from groundwire.evals.papers.gauge.making import Generating
    from groundwire.protocols import LLM

Open = Callable[[str, Mapping[str, Any]], "Generating"]
"""Opens a generator of a recipe with these fields in place of its own, over the index and with the LLM of the run."""
STAND_IN = "mini:cosine"
"""Ranks and scores where the recipe's own model is not on this machine."""
STAND_IN_WEIGHT = 1.0
"""Its weight of ROUGE, beside relevance in standard deviations of the pool. The paper's 10 stands beside a raw logit of
ELECTRA, whose spread is not known here; "equal importance" is what its text says of the two terms.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A row that can be run: what it really is, what makes its answers, and the calls that a question may cost."""

    system: System
    generator: Generating
    calls: Calls


def build(system: System, opening: Open, llm: LLM | None, *, depth: int | None = None) -> Built | None:
    """Build what makes a row's answers; None for a row that is nothing without an LLM.

    `depth` is how many passages at most are ranked for a question, where the recipe ranks more.

    Raises what `opening` raises, but stands in for a ranking model that is not on this machine
    where the row is the paper's; and UsageError for a recipe that could go on for ever.
    """
    recipe = generating.parse(system.recipe)
    fields = _without_llm(system, recipe) if llm is None else {}
    if fields is None:
        return None
    if depth is not None and getattr(recipe, "depth", 0) > depth:
        fields = {**fields, "depth": depth}
    try:
        generator = opening(system.recipe, fields)
    except MissingModel:
        if system.row is None:
            raise
        fields = {**fields, **_standing_in(recipe)}
        generator = opening(system.recipe, fields)
    told = generating.parse(system.recipe, **fields)
    return Built(system=_told(system, recipe, told, llm), generator=generator, calls=_calls(system, told, llm))


def _without_llm(system: System, recipe: Any) -> dict[str, Any] | None:
    """Return what has to change where there is no LLM; None where nothing helps."""
    if isinstance(recipe, generating.Direct):
        if system.row is None:
            raise UsageError(f"the recipe {system.recipe} asks an LLM, and none was given", "--llm MODEL --llm-url URL")
        return None
    return {"breeder": "extractive"} if recipe.needs_llm and system.row is not None else {}


def _standing_in(recipe: Any) -> dict[str, Any]:
    """Return the fields of a recipe whose ranking model is not here."""
    if isinstance(recipe, generating.Direct):
        return {"relevance": STAND_IN}
    scale: dict[str, Any] = {"relevance": STAND_IN, "normalize": "zscore"}
    return {**scale, "lam": STAND_IN_WEIGHT} if recipe.lam else scale


def _told(system: System, recipe: Any, told: Any, llm: LLM | None) -> System:
    makes = "extractive operators, no LLM" if llm is None or not told.takes_llm else llm.name
    ranks = told.relevance if told.relevance == recipe.relevance else f"{told.relevance} for {recipe.relevance}"
    weight = ""
    if getattr(told, "lam", None) != getattr(recipe, "lam", None):
        weight = f" with λ = {told.lam:g} on z-scores"
    depth = f", {told.depth} passages for {recipe.depth}" if told.depth != recipe.depth else ""
    return replace(system, used=f"{system.recipe}; {makes}; ranked by {ranks}{weight}{depth}", ranked_by=told.relevance)


def _calls(system: System, told: Any, llm: LLM | None) -> Calls:
    if llm is None or not told.takes_llm:
        return Calls()
    if isinstance(told, generating.Direct):
        return Calls(least=1, most=1)
    limits = [limit for limit in (told.calls, _product(told.offspring, told.generations)) if limit is not None]
    if not limits:
        raise UsageError(f"nothing limits what {system.recipe} may cost", "generations=20, or calls=240")
    # Where a mating is not drawn twice, there may be fewer than a generation wants.
    return Calls(least=min(told.offspring if told.again == "yes" else 1, *limits), most=min(limits))


def _product(offspring: int, generations: int | None) -> int | None:
    return None if generations is None else offspring * generations
