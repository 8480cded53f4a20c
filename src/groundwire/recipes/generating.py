"""The recipes of generators: the default, GAuGE as its paper and as its code have it, Gen2IR, and the single prompt.

What passages are found in is handed in (`Recipe.retrieves` says by which stack), and so is the LLM where one is asked. Left
out: the parts themselves, opening an index, and reaching an endpoint.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, cast, runtime_checkable

from groundwire import models
from groundwire.check import CheckPath
from groundwire.errors import UnknownName, UsageError
from groundwire.evolve.direct import DirectWriter
from groundwire.evolve.draws import AGAIN, Again, Pairing, Scheme, shares
from groundwire.evolve.extractive import ExtractiveBreeder
from groundwire.evolve.fitness import WeightedFitness
from groundwire.evolve.limits import Limits
from groundwire.evolve.llm import MAX_TOKENS, LlmBreeder
from groundwire.evolve.operators import family
from groundwire.evolve.scale import SCALES, Normalize
from groundwire.evolve.wording import FAMILIES, direct
from groundwire.generate import Breeding, DirectPath, GeneratePath
from groundwire.generate.pool import Pooling
from groundwire.protocols import LLM, RelevanceScorer, Retriever
from groundwire.recipes.asking import Asking, required
from groundwire.recipes.checking import Default
from groundwire.recipes.spec import changed, read
from groundwire.rerank import PairReranker

BREEDERS = ("any", "llm", "extractive")
SEED_FITNESS = ("paper", "code")
STOPS = ("score", "rank")
ROUGES = ("1", "2", "L", "none")
PROMPTS: Mapping[str, tuple[Pairing, Mapping[str, float]]] = {
    "paper": ("drawn", {"summarize": 1 / 6, "random": 1 / 6, "query": 1 / 3, "crossover": 1 / 3}),
    "code-chat": ("first", {"random": 1 / 3, "query": 1 / 3, "crossover": 1 / 3}),
    "code-edit": ("drawn", {"random": 0.33, "query": 0.33, "crossover": 0.34}),
}
"""The families of operators of an LLM: how their parents are drawn, and how often each. The paper's random operator is two."""


@runtime_checkable
class Recipe(Asking, Protocol):
    """A generator as data: every field is a spec string, a switch or a number."""

    @property
    def takes_llm(self) -> bool:
        """False when it never asks an LLM, and must not be given one."""
        ...

    @property
    def temperature(self) -> float:
        """The temperature of an LLM that is built for it."""
        ...

    def make(self, name: str, retriever: Retriever | None, llm: LLM | None) -> GeneratePath | DirectPath:
        """Load the models and put the parts together. Raises UsageError without an LLM where one is asked."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Evolved:
    """An answer that is grown. The defaults are ours; `gauge-paper` and `gauge-code` are the same fields, set otherwise.

    Pool: `stack` finds, `relevance` ranks the first `depth` again. The best `seeds` are the sources; they and the best
    `members` (none: all) begin the population. Fitness is relevance (`normalize` none, zscore or minmax, over the pool, by a
    unit of `floor` at least) + `lam` · ROUGE (`rouge` 1, 2, L or none) + `support` · the checker's score + `asked` ·
    the question's words in it + `brief` · brevity.

    `breeder` is llm, extractive, or any: extractive, and an LLM too where one is handed in, which has its turn when moving
    sentences about gets no further. A generation is `offspring` matings among the first `among`, or `free` times as many of
    the extractive kind, because they cost no call. `patience` generations of the LLM that are no better, in a row, are the
    end. `seeded` keeps the seeds among the LLM's parents, wherever they rank. What is moved about has at most so many
    `sentences` and `words`; an LLM's replies are as long as they are.

    Where the paper (arXiv 2409.00085) and its code differ there is a switch: `seed_fitness` code scores seeds by
    relevance alone; `stop` is score or rank (of the first `top`); `prompts` is paper, code-chat or code-edit; `dedupe`
    drops equal texts before they are scored; `blank` scores an empty offspring; `again` says whether a mating is drawn
    twice (yes, no, or new: as long as it gives something new); `sequential` asks one call after the other; `temperature`
    is that of a chat that is built by a model's name; `reply` bounds the tokens of one reply, and none sends no bound, as
    the scripts do and for models that refuse the field.

    `fence` puts passages into fences that nobody can close. `model` and `threshold` are the checker's. A budget of
    none is no limit.
    """

    stack: str = "bm25"
    relevance: str = "mini:cosine"
    depth: int = 50
    seeds: int = 2
    members: int | None = 2
    offspring: int = 4
    free: int = 6
    patience: int = 2
    among: int = 2
    top: int = 2
    lam: float = 0.5
    rouge: str = "2"
    normalize: str = "zscore"
    floor: float = 0.05
    support: float = 1.0
    asked: float = 2.0
    brief: float = 1.0
    sentences: int = 4
    words: int = 80
    seed_fitness: str = "paper"
    stop: str = "score"
    breeder: str = "any"
    prompts: str = "paper"
    fence: bool = True
    temperature: float = 0.7
    reply: int | None = MAX_TOKENS
    sequential: bool = False
    dedupe: bool = True
    blank: bool = False
    again: str = "new"
    seeded: bool = True
    generations: int | None = 20
    calls: int | None = None
    tokens: int | None = None
    seconds: float | None = None
    seed: int = 0
    model: str = models.BUILTIN
    threshold: float = 0.5

    @property
    def retrieves(self) -> str:
        """The stack."""
        return self.stack

    @property
    def needs_llm(self) -> bool:
        """True when only an LLM breeds."""
        return self.breeder == "llm"

    @property
    def takes_llm(self) -> bool:
        """True when an LLM may breed."""
        return self.breeder != "extractive"

    def wording(self) -> list[str]:
        """Return the digests of the prompts."""
        return [wording.digest(fenced=self.fence) for wording in FAMILIES[self.prompts].values()]

    def make(self, name: str, retriever: Retriever | None, llm: LLM | None) -> GeneratePath:
        """Build the generator."""
        self._known()
        if self.needs_llm:
            required(name, llm)
        if llm is not None and not self.takes_llm:
            raise UsageError(f"{name} breeds without an LLM, and one was given", "breeder=any, or no LLM")
        limits = Limits(generations=self.generations, calls=self.calls, tokens=self.tokens, seconds=self.seconds)
        checker, scorer = _checker(self.model, self.threshold), models.load_scorer(self.relevance)
        return GeneratePath(
            name=name,
            pooling=_pooling(retriever, scorer, self.relevance, self.depth, distinct=self.dedupe),
            breedings=self._breedings(llm),
            fitness=self._fitness(scorer, checker, bare=False),
            seed_fitness=self._fitness(scorer, checker, bare=True) if self.seed_fitness == "code" else None,
            checker=checker,
            limits=limits,
            seeds=self.seeds,
            members=None if self.members is None else max(self.members, self.seeds),
            top=self.top,
            stop=cast("Literal['score', 'rank']", self.stop),
            distinct=self.dedupe,
            blank=self.blank,
            seed=self.seed,
            notes=self._notes(),
        )

    def _known(self) -> None:
        """Refuse names that do not exist, before any model is loaded."""
        named = {
            "breeder": BREEDERS,
            "prompts": PROMPTS,
            "seed_fitness": SEED_FITNESS,
            "stop": STOPS,
            "again": AGAIN,
            "rouge": ROUGES,
            "normalize": SCALES,
        }
        for field, known in named.items():
            if (value := getattr(self, field)) not in known:
                raise UnknownName(field, value, known)
        if self.patience < 1:
            raise UsageError(f"patience is 1 or more, got {self.patience}", "patience=2")
        if not (math.isfinite(self.lam) and self.lam >= 0):
            raise UsageError(f"lam is a finite number of 0 or more, got {self.lam}", "lam=0 leaves the ROUGE term out")
        _bounded(self.reply)

    def _notes(self) -> tuple[str, ...]:
        """Say so where ROUGE is weighed beside raw scores of another scorer than the one that the weight was set beside."""
        if self.normalize != "none" or self.relevance == GAUGE.relevance or self.rouge == "none" or not self.lam:
            return ()
        told = f"λ = {self.lam:g} stands beside raw scores of {self.relevance}, whose spread is not {GAUGE.relevance}'s"
        return (f"{told}: normalize=zscore puts any scorer on the scale of its pool",)

    def _breedings(self, llm: LLM | None) -> tuple[Breeding, ...]:
        """Return who breeds, the cheapest first, and how the matings are drawn."""
        found = []
        if self.breeder != "llm":
            extractive = ExtractiveBreeder(sentences=self.sentences, words=self.words)
            scheme = Scheme(shares=shares(extractive.arities), among=self.among)  # each draw of it is another
            count = self.offspring * max(1, self.free)
            found.append(Breeding(breeder=extractive, scheme=scheme, offspring=count, paid=False))
        if llm is not None:
            pairing, weights = PROMPTS[self.prompts]
            asking = LlmBreeder(
                llm,
                family(self.prompts, fenced=self.fence),
                sequential=self.sequential,
                max_tokens=self.reply,
                blank=self.blank,
            )
            again = cast("Again", self.again)
            scheme = Scheme(shares=shares(asking.arities, weights), among=self.among, pairing=pairing, again=again)
            bred = Breeding(
                breeder=asking,
                scheme=scheme,
                offspring=self.offspring,
                patience=self.patience,
                seeded=self.seeded,
            )
            found.append(bred)
        return tuple(found)

    def _fitness(self, scorer: RelevanceScorer, checker: CheckPath, *, bare: bool) -> WeightedFitness:
        """Return the fitness; `bare` is relevance alone, on the same scale."""
        return WeightedFitness(
            scorer,
            weight=0.0 if bare else self.lam,
            rouge=None if bare or self.rouge == "none" else self.rouge,
            normalize=cast("Normalize", self.normalize),
            floor=self.floor,
            checker=None if bare or not self.support else checker,
            support=0.0 if bare else self.support,
            asked=0.0 if bare else self.asked,
            brief=0.0 if bare else self.brief,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Direct:
    """The baseline of GAuGE's paper: one prompt with the question and the seeds, whose reply is checked by the seeds.

    The fields are those of `Evolved`.
    """

    stack: str = "bm25"
    relevance: str = "mini:cosine"
    depth: int = 50
    seeds: int = 2
    fence: bool = True
    temperature: float = 0.7
    reply: int | None = MAX_TOKENS
    seed: int = 0
    model: str = models.BUILTIN
    threshold: float = 0.5

    @property
    def retrieves(self) -> str:
        """The stack."""
        return self.stack

    @property
    def needs_llm(self) -> bool:
        """Always."""
        return True

    @property
    def takes_llm(self) -> bool:
        """Always."""
        return True

    def wording(self) -> list[str]:
        """Return the digest of the prompt."""
        return [direct(self.seeds).digest(fenced=self.fence)]

    def make(self, name: str, retriever: Retriever | None, llm: LLM | None) -> DirectPath:
        """Build the generator."""
        writer = required(name, llm)
        _bounded(self.reply)
        scorer = models.load_scorer(self.relevance)
        return DirectPath(
            name=name,
            pooling=_pooling(retriever, scorer, self.relevance, self.depth, distinct=True),
            writer=DirectWriter(writer, fenced=self.fence, max_tokens=self.reply),
            checker=_checker(self.model, self.threshold),
            seeds=self.seeds,
            seed=self.seed,
        )


def _bounded(reply: int | None) -> None:
    """Refuse a bound on replies that leaves none."""
    if reply is not None and reply < 1:
        raise UsageError(f"reply is 1 or more tokens, or none, got {reply}", f"reply={MAX_TOKENS}")


def _checker(model: str, threshold: float) -> CheckPath:
    return Default(model=model, threshold=threshold).make("default")


def _pooling(retriever: Retriever | None, scorer: RelevanceScorer, spec: str, depth: int, *, distinct: bool) -> Pooling:
    # Without titles: a passage is ranked as the candidate that it will be, which is its text alone.
    reranker = PairReranker(scorer, title=False, spec=spec)
    return Pooling(retriever=retriever, relevance=reranker, depth=depth, distinct=distinct)


GAUGE = Evolved(
    relevance="monoelectra",
    depth=1000,
    members=None,
    offspring=12,
    free=1,
    patience=1,
    lam=10.0,
    normalize="none",
    floor=0.0,
    support=0.0,
    asked=0.0,
    brief=0.0,
    breeder="llm",
    again="yes",
    seeded=False,
    fence=False,
)
"""What the paper and its code have in common: section 3.1 of the paper, tuned: twelve offspring of the first two."""

RECIPES: Mapping[str, Recipe] = {
    "generate": Evolved(),
    "gauge-paper": GAUGE,
    "gauge-code": replace(
        GAUGE,
        seed_fitness="code",
        prompts="code-chat",
        reply=None,
        sequential=True,
        dedupe=False,
        blank=True,
    ),
    "gen2ir": replace(GAUGE, lam=0.0, rouge="none"),
    "direct": Direct(relevance="monoelectra", depth=1000, fence=False),
}
"""Every generator by name."""


def names() -> list[str]:
    """Return the names that `parse` knows."""
    return sorted(RECIPES)


def parse(spec: str, **changes: Any) -> Recipe:
    """Read `generate(depth=50, rouge=L)` or `gauge-code(prompts=code-edit)`; `changes` that are not None replace fields.

    Raises UnknownName and UsageError for what cannot be read.
    """
    name = spec.strip().partition("(")[0]
    return changed(read(spec, RECIPES, "generate(depth=50, rouge=L)"), name, changes)
