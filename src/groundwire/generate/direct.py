"""The path without an evolution: a language model is shown the question and the seeds, and answers once.

Source: the baseline of GAuGE (Kulkarni et al. 2024, arXiv 2409.00085, section 4): one prompt with the query and the seed
documents gives an answer to the query. Left out: a second try, and the wording (`groundwire.evolve.direct`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Protocol

from groundwire.errors import UsageError
from groundwire.evolve.population import identity
from groundwire.generate.path import NOTHING_FOUND, Watch
from groundwire.generate.pool import Pool, Pooling, asked, judged, unanswered
from groundwire.protocols import Checker
from groundwire.trace import Recorder
from groundwire.types import Answer, Candidate, Generation, Offspring, Passage


class Writer(Protocol):
    """Writes an answer from passages."""

    @property
    def name(self) -> str:
        """The writer as its spec string."""
        ...

    def write(self, question: str, seeds: Sequence[str], *, seed: int | None = None) -> Offspring:
        """Return the answer from the texts of the seeds, best first; without an answer, why."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectPath:
    """A generator that asks once: the first `seeds` of the pool are in the prompt, and the answer is checked by them."""

    name: str
    pooling: Pooling
    writer: Writer
    checker: Checker
    seeds: int = 2
    seed: int = 0

    def __post_init__(self) -> None:
        if self.seeds < 1:
            raise UsageError(f"seeds is 1 or more, got {self.seeds}", "seeds=2")

    @property
    def threshold(self) -> float:
        """The score in [0, 1] from which an answer is supported."""
        return self.checker.threshold

    def generate(
        self, question: str, *, passages: Sequence[Passage] | None = None, watch: Watch | None = None
    ) -> Answer:
        """Ask for an answer by what is found for the question, or by the given passages.

        A reply that is none leaves no answer; the reason begins with `error`, `refused` or `unparseable`. Raises InputError
        for an empty question, and for no passages where there is no index.
        """
        question = asked(question)
        record = Recorder(recipe=self.name, model=self.writer.name)
        with record.stage("pool") as stage:
            pool = self.pooling.find(question, passages)
            stage.items = len(pool.hits)
        if not pool.hits:
            return unanswered(question, pool, self.threshold, record.trace(), NOTHING_FOUND)
        sources, began = pool.passages(self.seeds), perf_counter()
        with record.stage("ask") as stage:
            told = self.writer.write(question, [passage.text for passage in sources], seed=self.seed)
            stage.items = 1
        if not told.text:
            reason, turn = told.reason or "the reply is empty", _generation("", told, perf_counter() - began)
            none = unanswered(question, pool, self.threshold, record.trace(), reason, broken=told.broken)
            return replace(none, generations=(turn,))
        with record.stage("check") as stage:
            answer = self._answer(question, told.text, pool, sources)
            stage.items = len(answer.verdict.claims)
        generation = _generation(answer.lineage[0].id, told, perf_counter() - began)
        if watch is not None:
            watch(generation, answer.lineage[0])
        return replace(answer, generations=(generation,), trace=record.trace())

    def _answer(self, question: str, text: str, pool: Pool, sources: Sequence[Passage]) -> Answer:
        seeds = tuple(Candidate(id=identity(p.text), text=p.text, passage=p.id) for p in sources)
        parents = tuple(one.id for one in seeds)
        told = Candidate(id=identity(text), text=text, parents=parents, operator="direct", generation=1)
        verdict = judged(self.checker, question, text, sources)
        return Answer(
            question=question,
            text=text,
            sources=tuple(sources),
            verdict=verdict,
            lineage=(told, *seeds),
            stopped="it was asked once",
            warnings=verdict.warnings,
            retrieval=pool.retrieval,
        )


def _generation(best: str, told: Offspring, seconds: float) -> Generation:
    """Return the one turn; `best` is the id of the answer, empty where there is none, which was paid for all the same."""
    return Generation(
        number=1,
        wanted=1,
        new=int(bool(best)),
        failed=int(not best),
        repeated=0,
        best=best,
        calls=told.calls,
        prompt_tokens=told.prompt_tokens,
        reply_tokens=told.reply_tokens,
        seconds=seconds,
    )
