"""The recipes of checkers, which are given their contexts: the default, and Provenance (arXiv 2411.01022).

`build` turns one into a checker. Left out: the parts themselves, and verifiers (`verifying`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from groundwire import models, premises, select, sources
from groundwire.aggregate import Aggregate
from groundwire.check import CheckPath
from groundwire.claims import APPENDIX_TEMPLATE, TEMPLATE, PromptClaim, SentenceClaims
from groundwire.errors import UnknownName
from groundwire.judge import FusedJudge, ThresholdJudge
from groundwire.recipes.spec import changed, read


@runtime_checkable
class Recipe(Protocol):
    """A system as data: every field is a spec string or a number, and `make` builds it."""

    @property
    def model(self) -> str:
        """The entailment model, as `groundwire.models.load` reads it."""
        ...

    @property
    def threshold(self) -> float:
        """The score in [0, 1] from which a claim and an answer count as supported."""
        ...

    def make(self, name: str) -> CheckPath:
        """Load the models and put the parts together; raises MissingModel when one is not on this machine."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Default:
    """Every sentence of the answer against the windows that share most with it, the model's reading fused with plain lexical
    evidence.

    A claim is supported if any source supports it, contradicted only if nothing supports it and something refutes it.
    With a model other than the built-in one there is no fitted fusion for it, so its own probabilities decide. `respell` gives
    the model a claim's figures as the source spells them; `plain` reads answer and contexts without their markup, statements
    without the words that only frame them, and a source's questions for a yes or a no as what they state.
    """

    model: str = models.BUILTIN
    sources: str = "window:60:20"
    premises: str = "shortlist:3:8"
    answer: str = "min"
    fused: bool = True
    respell: bool = True
    plain: bool = True
    threshold: float = 0.5

    def make(self, name: str) -> CheckPath:
        """Build the checker."""
        aggregate = Aggregate("max", self.answer)
        fused = self.model == models.BUILTIN and self.fused
        return CheckPath(
            name=name,
            cutter=sources.parse(self.sources if self.plain else self.sources + sources.AS_WRITTEN),
            selector=select.All(),
            splitter=SentenceClaims(plain=self.plain),
            premises=premises.parse(self.premises),
            model=models.load(self.model),
            judge=FusedJudge.fitted(aggregate) if fused else ThresholdJudge(aggregate, narrow=True),
            threshold=self.threshold,
            respell=self.respell,
            asked=self.plain,
        )


RANKER = "mxbai-rerank-base-v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Provenance (Sankararaman et al., EMNLP 2024 industry track, arXiv 2411.01022), section 3.

    The paper leaves the NLI model under-determined: HHEM-2.1-Open fits its size of about 300 M, `hhem-1.0` its training
    data. It reports `premises=combined` in table 3 and `per-source` in table 5; `select` is top-p:0.9 or top-k:5.
    A model that reads relevance too (the built-in one) takes both roles when it is given as `model`.
    """

    relevance: str = RANKER
    model: str = "hhem-2.1-open"
    sources: str = "sentence"
    select: str = "top-p:0.9"
    premises: str = "per-source"
    aggregate: str = "max"
    query: str = "question"
    template: str = TEMPLATE
    strip_period: bool = True
    threshold: float = 0.5

    def make(self, name: str) -> CheckPath:
        """Build the checker."""
        if self.query not in ("question", "claim"):
            raise UnknownName("query", self.query, ("question", "claim"))
        both = self.model == models.BUILTIN and self.relevance == RANKER
        return CheckPath(
            name=name,
            cutter=sources.parse(self.sources),
            relevance=models.load_scorer(self.model if both else self.relevance),
            selector=select.parse(self.select),
            splitter=PromptClaim(template=self.template, strip_period=self.strip_period),
            premises=premises.parse(self.premises),
            model=models.load(self.model),
            judge=ThresholdJudge(Aggregate(self.aggregate, "min")),
            threshold=self.threshold,
            query="claim" if self.query == "claim" else "question",
        )


def _lite(premises: str, relevance: str) -> Provenance:
    """Provenance's preliminary system (appendix A): sentences ranked for the claim by an embedder, joined, judged once."""
    return Provenance(
        relevance=relevance,
        model="deberta-v2-xxlarge-mnli",
        premises=premises,
        query="claim",
        template=APPENDIX_TEMPLATE,
    )


RECIPES: Mapping[str, Recipe] = {
    "default": Default(),
    "model-alone": Default(fused=False),
    "provenance": Provenance(),
    "provenance-combined": Provenance(premises="combined"),
    "provenance-lite-0.1": _lite("combined:score", "uae-large-v1"),
    "provenance-lite-0.2": _lite("combined", "uae-large-v1"),
    "provenance-lite-0.3": _lite("combined", "uae-large-v1:cosine"),
    "provenance-lite": _lite("combined", "uae-large-v1:cosine"),
}
"""Every recipe by name. `provenance-lite` is the last and best of the three preliminary experiments."""


def names() -> list[str]:
    """Return the names that `build` knows."""
    return sorted(RECIPES)


def build(name: str = "default", *, model: str | None = None, threshold: float | None = None) -> CheckPath:
    """Build the checker of a recipe, for example `default` or `provenance(select=top-k:5, premises=combined)`.

    `model` and `threshold` replace the recipe's own. Raises UnknownName and UsageError for a recipe that cannot be read,
    MissingModel for one whose models are not on this machine.
    """
    return changed(parse(name), name, {"model": model, "threshold": threshold}).make(name)


def parse(spec: str) -> Recipe:
    """Read `name` or `name(field=value, ...)` into a recipe."""
    return read(spec, RECIPES, "provenance(select=top-k:5, premises=combined)")
