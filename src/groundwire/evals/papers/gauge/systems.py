"""Which recipe is which row of the paper, and how many calls of an LLM a question costs.

The published numbers came out of the authors' code, so `gauge1` and `gauge2` are the recipe `gauge-code` with ROUGE-1 and
ROUGE-2 in the fitness, and `gen2ir` is the same program without that term, unless the `variant` is `paper`. Any other recipe
of `groundwire generate` may be named too: it has no row in the paper, and is measured all the same. Left out: the recipes
themselves (`groundwire.recipes.generating`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from groundwire.errors import UnknownName, UsageError
from groundwire.evals.papers.gauge.published import ROWS
from groundwire.recipes import generating
from groundwire.types.noun import Noun

Variant = Literal["code", "paper"]
DEFAULT = ("gauge1", "gauge2", "gen2ir", "direct")
SHORT: Mapping[str, str] = {
    "direct": "direct",
    "gen2ir": "gauge-{variant}(lam=0,rouge=none,sequential=no)",
    "gauge1": "gauge-{variant}(rouge=1,sequential=no)",
    "gauge2": "gauge-{variant}(rouge=2,sequential=no)",
    "gaugel": "gauge-{variant}(rouge=L,sequential=no)",
}
"""The rows of the paper, and that of figure 3, as recipes. Calls go out together: the draws and prompts are the same."""
TITLES: Mapping[str, str] = {**ROWS, "direct": "direct", "gaugel": "GAuGE_L"}


@dataclass(frozen=True, slots=True, kw_only=True)
class System(Noun):
    """What generates the answers of one row. `row` is the paper's row that it is set beside, None where it has none.

    `used` says what really ran, `ranked_by` which model ranked and is in the fitness; both are known once it is built.
    """

    name: str
    recipe: str
    row: str | None = None
    used: str = ""
    ranked_by: str = ""

    @property
    def title(self) -> str:
        """Return how the paper names it, or its recipe."""
        return TITLES.get(self.row or "", self.recipe)


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls(Noun):
    """Calls of an LLM: at least (where passages are found and nothing is cached) and at most; retries are not counted."""

    least: int = 0
    most: int = 0

    def times(self, questions: int) -> Calls:
        """Return the calls of so many questions."""
        return Calls(least=self.least * questions, most=self.most * questions)


def systems(names: str, variant: Variant = "code") -> tuple[System, ...]:
    """Read `gauge1,gauge2,gen2ir,direct`, or recipes with fields such as `gauge-paper(rouge=2)`, parted by commas.

    They come in the paper's order, others behind. Raises UsageError for none or one that is there twice, UnknownName for a
    name that no row has (recipes are read when they are built).
    """
    found = [_system(name, variant) for name in _parts(names)]
    if not found:
        raise UsageError("no recipe is named", f"--recipes {','.join(DEFAULT)}")
    twice = {system.recipe for system in found if [other.recipe for other in found].count(system.recipe) > 1}
    if twice:
        raise UsageError(f"a recipe is named twice: {', '.join(sorted(twice))}", "every recipe is one row")
    order = [*ROWS, "gaugel"]
    return tuple(sorted(found, key=lambda system: order.index(system.row) if system.row in order else len(order)))


def _system(name: str, variant: Variant) -> System:
    if name in SHORT:
        return System(name=name, recipe=SHORT[name].format(variant=variant), row=name)
    if name.partition("(")[0] not in generating.names():
        raise UnknownName("recipe", name, [*SHORT, *generating.names()])
    return System(name=name, recipe=name)


def _parts(text: str) -> Iterator[str]:
    """Cut at the commas that stand in no bracket."""
    depth, start = 0, 0
    for at, character in enumerate(f"{text},"):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth <= 0:
            if part := text[start:at].strip():
                yield part
            start = at + 1
    if depth > 0:
        raise UsageError(f"a bracket is not closed in {text!r}", "gauge-paper(rouge=2)")
