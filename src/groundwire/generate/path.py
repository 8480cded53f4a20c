"""The path of an evolved answer (Kulkarni et al. 2024, GAuGE, arXiv 2409.00085, section 3):

    question → pool → seeds → population → [matings → offspring → fitness → population] … → best → verdict → answer

One generation is one batch for each part. Nobody is removed from the population; it ends when a generation did not raise
the score at rank `top` and no other breeder can (`breeding`), or when a budget is spent. What is bred and what it is bred
for are the parts' own.

- A mating that gives nothing usable loses one offspring. A generation in which all do ends the run with the best so far,
  with a warning that says why, unless the breeder only found nothing left to change: then its turn is over.
- A text that is there already is not scored again where `distinct`.
- Where no passage is found the answer is empty and says so.

Left out: the parts (`groundwire.evolve`), the single prompt without an evolution (`direct`).
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Literal

from groundwire.errors import CorruptModel, UsageError
from groundwire.evolve.draws import Scheme, key_of
from groundwire.evolve.limits import Limits, Spent
from groundwire.evolve.population import Population, identity
from groundwire.generate.breeding import Breeding, Turns
from groundwire.generate.pool import NO_EVIDENCE, Pool, Pooling, asked, judged, unanswered
from groundwire.protocols import Checker, Fitness, Measure
from groundwire.trace import Recorder
from groundwire.types import Answer, Candidate, Generation, Mating, Offspring, Passage

Watch = Callable[[Generation, Candidate], None]
"""Is told of each generation when it has ended, with the best candidate so far."""

NO_BETTER = "the last generation was no better"
ALL_FAILED = "every offspring of a generation was lost"
NOTHING_NEW = "there was nothing left to change"
ALL_TRIED = "every mating of the best was tried"
NOTHING_FOUND = f"{NO_EVIDENCE}: nothing that was searched has to do with the question"


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratePath:
    """A generator: named parts in a fixed order.

    The first `seeds` of the pool are the sources: fitness is grounded in them, and the answer is checked against them.
    The population begins with the first `members` of the pool (None: all of it), scored by `fitness`, or by
    `seed_fitness` where that is another one. `breedings` say who breeds and how many, the cheapest first.

    `stop` says when it is no better: "score", the score at rank `top` is not strictly higher; "rank", the first `top` are
    the same in the same order. `distinct` drops an offspring whose text is there before it is scored, `blank` keeps an
    empty one. `seed` fixes every draw. `notes` are warnings that every answer bears.
    """

    name: str
    pooling: Pooling
    breedings: tuple[Breeding, ...]
    fitness: Fitness
    checker: Checker
    limits: Limits = field(default_factory=Limits)
    seed_fitness: Fitness | None = None
    seeds: int = 2
    members: int | None = None
    top: int = 2
    stop: Literal["score", "rank"] = "score"
    distinct: bool = True
    blank: bool = False
    seed: int = 0
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("seeds", "top"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} is 1 or more, got {getattr(self, name)}", f"{name}=2")
        if not self.breedings:
            raise UsageError("somebody has to breed", "generations=0 breeds nobody")
        if self.members is not None and self.members < self.seeds:
            raise UsageError(f"the population begins with its {self.seeds} seeds or more, got {self.members}")

    @property
    def threshold(self) -> float:
        """The score in [0, 1] from which an answer is supported."""
        return self.checker.threshold

    def generate(
        self, question: str, *, passages: Sequence[Passage] | None = None, watch: Watch | None = None
    ) -> Answer:
        """Grow an answer from what is found for the question, or from the given passages.

        Raises InputError for an empty question, and for no passages where there is no index.
        """
        rng = random.Random(self.seed)  # noqa: S311 - draws that have to repeat, not secrets
        run = _Run(asked(question), Recorder(recipe=self.name, model=self.breedings[-1].breeder.name), rng)
        with run.record.stage("pool") as stage:
            pool = self.pooling.find(run.question, passages)
            stage.items = len(pool.hits)
        if not pool.hits:
            return unanswered(run.question, pool, self.threshold, run.record.trace(), NOTHING_FOUND)
        with run.record.stage("seeds") as stage:
            self._settle(run, pool, watch)
            stage.items = len(run.population)
        with run.record.stage("evolve") as stage:
            stopped = self._evolve(run, watch)
            stage.items = len(run.population)
            stage.note = stopped
        with run.record.stage("check") as stage:
            answer = self._answer(run, pool, stopped)
            stage.items = len(answer.verdict.claims)
        return replace(answer, trace=run.record.trace())

    def _settle(self, run: _Run, pool: Pool, watch: Watch | None) -> None:
        """Begin the population with the seeds, which are generation 0."""
        began = perf_counter()
        run.sources = pool.passages(self.seeds)
        scores = [hit.score for hit in pool.hits]
        run.measure = self.fitness.of(run.question, run.sources, scores)
        other = self.seed_fitness
        measure = run.measure if other is None else other.of(run.question, run.sources, scores)
        first = pool.passages(self.members)
        for passage, fitness in zip(first, _measured(measure, [p.text for p in first]), strict=True):
            run.take(Candidate(id=identity(passage.text), text=passage.text, passage=passage.id, fitness=fitness))
        texts = {identity(passage.text) for passage in run.sources}
        run.seeds = [one for one in run.population.ranked() if one.id in texts]
        run.turn(watch, wanted=len(first), new=len(first), seconds=perf_counter() - began)

    def _evolve(self, run: _Run, watch: Watch | None) -> str:
        """Breed generation after generation; return why there was no further one."""
        turns, ended = Turns(self.breedings), NO_BETTER
        while (breeding := turns.breeding) is not None:
            spent = run.spent()
            if (reached := self.limits.reached(spent)) is not None:
                return reached
            scheme = breeding.scheme
            wanted = self.limits.affordable(breeding.offspring, spent) if breeding.paid else breeding.offspring
            beside = run.seeds if breeding.seeded else ()
            matings = scheme.draw(run.rng, run.population.ranked(scheme.among), wanted, run.tried, beside=beside)
            before = self._standing(run.population)
            lost = self._generation(run, breeding, matings, watch) if matings else ALL_TRIED
            if lost == ALL_FAILED:
                return lost
            ended = lost or NO_BETTER
            if lost is not None:
                turns.over()
            elif self._better(before, self._standing(run.population)):
                turns.better()
            else:
                turns.no_better()
        return ended

    def _generation(self, run: _Run, breeding: Breeding, matings: Sequence[Mating], watch: Watch | None) -> str | None:
        """Breed one generation, score what is new and take it in; return why it gave nothing at all, where it did."""
        began = perf_counter()
        bred = breeding.breeder.breed(run.question, matings, run.sources)
        usable = [
            (mating, one.text)
            for mating, one in zip(matings, bred, strict=True)
            if one.text is not None and (self.blank or one.text.strip())
        ]
        new: list[tuple[Mating, str]] = []
        seen: set[str] = set()
        for mating, text in usable:
            if not self.distinct or not (text in seen or run.population.holds(text)):
                new.append((mating, text))
            seen.add(text)
        run.tried.update(_tried(breeding.scheme, matings, [mating for mating, _ in new]))
        for (mating, text), fitness in zip(new, _measured(run.measure, [text for _, text in new]), strict=True):
            run.take(_born(mating, text, fitness, len(run.generations)), mating.parents)
        run.asked += len(matings) if breeding.paid else 0
        lost = None if usable else NOTHING_NEW if all(map(_idle, bred)) else ALL_FAILED
        if lost == ALL_FAILED:
            run.broken = any(one.broken for one in bred)
            run.warnings.append(_causes(len(run.generations), bred))
        run.turn(
            watch,
            wanted=len(matings),
            new=len(new),
            failed=len(matings) - len(usable),
            repeated=len(usable) - len(new),
            calls=sum(one.calls for one in bred),
            prompt_tokens=sum(one.prompt_tokens for one in bred),
            reply_tokens=sum(one.reply_tokens for one in bred),
            seconds=perf_counter() - began,
        )
        return lost

    def _standing(self, population: Population) -> tuple[float, tuple[str, ...]]:
        """Return what a generation has to change: the score at rank `top`, and who the first `top` are."""
        return population.score_at(self.top), tuple(one.id for one in population.ranked(self.top))

    def _better(self, before: tuple[float, tuple[str, ...]], after: tuple[float, tuple[str, ...]]) -> bool:
        return after[0] > before[0] if self.stop == "score" else after[1] != before[1]

    def _answer(self, run: _Run, pool: Pool, stopped: str) -> Answer:
        best = run.population.ranked(1)[0]
        sources = run.grown_from(best, pool)
        verdict = judged(self.checker, run.question, best.text, sources)
        return Answer(
            question=run.question,
            text=best.text,
            sources=sources,
            verdict=verdict,
            lineage=tuple(run.population.ranked()),
            generations=tuple(run.generations),
            stopped=stopped,
            broken=run.broken,
            warnings=(*self.notes, *run.warnings, *verdict.warnings),
            retrieval=pool.retrieval,
        )


class _Run:
    """What is known of one question while its answer grows."""

    __slots__ = (
        "asked",
        "began",
        "broken",
        "generations",
        "measure",
        "population",
        "question",
        "record",
        "rng",
        "seeds",
        "sources",
        "tried",
        "warnings",
    )

    def __init__(self, question: str, record: Recorder, rng: random.Random) -> None:
        self.question, self.record, self.rng = question, record, rng
        self.began = perf_counter()
        self.asked = 0  # matings that may have cost a call: a reply that was kept counts, or a second run would go on
        self.broken = False
        self.population = Population()
        self.sources: tuple[Passage, ...] = ()
        self.seeds: list[Candidate] = []
        self.measure: Measure
        self.generations: list[Generation] = []
        self.tried: set[tuple[str, tuple[str, ...]]] = set()
        self.warnings: list[str] = []

    def take(self, candidate: Candidate, parents: Sequence[Candidate] = ()) -> None:
        self.population.add(candidate, parents)

    def turn(self, watch: Watch | None, **told: float) -> None:
        """Count a generation that has ended."""
        best = self.population.ranked(1)[0]
        counts = {"failed": 0, "repeated": 0, **told}
        generation = Generation(number=len(self.generations), best=best.id, **counts)  # type: ignore[arg-type]
        self.generations.append(generation)
        if watch is not None:
            watch(generation, best)

    def spent(self) -> Spent:
        return Spent(
            generations=len(self.generations) - 1,
            calls=self.asked,
            tokens=sum(one.prompt_tokens + one.reply_tokens for one in self.generations),
            seconds=perf_counter() - self.began,
        )

    def grown_from(self, best: Candidate, pool: Pool) -> tuple[Passage, ...]:
        """Return the sources, and behind them what other passages the candidate descends from."""
        # Of one id there may be several, where equal texts are kept: a copy is its own parent, and hides nobody's.
        parents: dict[str, set[str]] = {}
        for one in self.population.ranked():
            parents.setdefault(one.id, set()).update(one.parents)
        found: set[str] = set()
        waiting = {best.id}
        while waiting:
            found |= waiting
            waiting = {parent for one in waiting for parent in parents[one]} - found
        others = [p for p in pool.passages() if p not in self.sources and identity(p.text) in found]
        return (*self.sources, *others)


def _born(mating: Mating, text: str, fitness: Mapping[str, float], generation: int) -> Candidate:
    return Candidate(
        id=identity(text),
        text=text,
        parents=tuple(parent.id for parent in mating.parents),
        operator=mating.operator,
        generation=generation,
        fitness=fitness,
    )


def _measured(measure: Measure, texts: Sequence[str]) -> list[Mapping[str, float]]:
    """Score the texts as one batch. Raises CorruptModel for what no fitness may be."""
    scores = measure.score(texts) if texts else []
    if len(scores) != len(texts) or not all(math.isfinite(score["total"]) for score in scores):
        raise CorruptModel("a fitness is missing or is no finite number", "check the models that it is made of")
    return scores


def _tried(scheme: Scheme, matings: Sequence[Mating], new: Sequence[Mating]) -> set[tuple[str, tuple[str, ...]]]:
    """Return the matings that are not to be drawn again: all of them, or those that gave nothing new each time."""
    keys = {key_of(mating.operator, mating.parents) for mating in matings}
    return keys if scheme.again == "no" else keys - {key_of(mating.operator, mating.parents) for mating in new}


def _idle(offspring: Offspring) -> bool:
    """Say whether nothing went wrong: the breeder found nothing to change in the parents."""
    return (offspring.reason or "").startswith("skipped")


def _causes(generation: int, bred: Sequence[Offspring]) -> str:
    """Return the warning of a generation that gave nothing: the causes, the most common first."""
    causes = Counter(one.reason or "the reply was empty" for one in bred).most_common(3)
    told = "; ".join(f"{count} × {cause}" for cause, count in causes)
    return f"every offspring of generation {generation} was lost ({told})"
