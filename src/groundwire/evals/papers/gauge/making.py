"""The answers: one for each system and question, put into the ledger the moment it is there.

What a killed run has paid for is in the ledger, so the next one goes on behind it. An answer to which no call of the LLM
came through is an error there, and tried again. Left out: how an answer is bred (`groundwire.generator`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from groundwire.errors import Unavailable, UsageError
from groundwire.evals.papers.gauge.systems import Calls, System
from groundwire.ledger import Ledger, key_of
from groundwire.types import Answer, Candidate
from groundwire.types.noun import Noun

SEEDS = 2
"""Passages that an answer is bred from and judged by: the two best of the re-ranked ones."""


class Generating(Protocol):
    """What makes an answer; `groundwire.generator.Generator` does."""

    def generate(self, question: str) -> Answer:
        """Answer one question."""
        ...

    def identity(self) -> Mapping[str, Any]:
        """Return what may change an answer, as JSON values."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Made(Noun):
    """An answer as the ledger keeps it. `seeds` are the texts of at most two passages, best first; `text` may be empty.

    `lineage` is the answer and everything that it descends from. `failed`: there is none because calls failed, or because
    the question was refused; the next run tries again.
    """

    query: str
    question: str
    text: str
    seeds: tuple[str, ...]
    passages: tuple[str, ...] = ()
    label: str = ""
    score: float | None = None
    generations: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    reply_tokens: int = 0
    stopped: str | None = None
    reason: str | None = None
    failed: bool = False
    warnings: tuple[str, ...] = ()
    lineage: tuple[Candidate, ...] = ()

    @property
    def evidence(self) -> str:
        """Return what groundedness is judged by: the seeds, parted by a blank."""
        return " ".join(self.seeds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(Noun):
    """What a run will do: for each system, by name, how many answers are there already, and the calls of the others."""

    questions: int
    done: Mapping[str, int]
    calls: Mapping[str, Calls]

    @property
    def total(self) -> Calls:
        """Return the calls of all systems."""
        return Calls(least=sum(c.least for c in self.calls.values()), most=sum(c.most for c in self.calls.values()))


class Maker:
    """Makes the answers of one system. `calls` are those of an LLM that a question may cost."""

    def __init__(self, system: System, generator: Generating, ledger: Ledger, calls: Calls) -> None:
        self.system, self.calls = system, calls
        self._generator, self._ledger = generator, ledger
        self._setup = {"paper": "gauge", "generator": generator.identity()}

    def waiting(self, queries: Mapping[str, str]) -> int:
        """Return how many of these questions have no answer yet."""
        return sum(self._ledger.done(self._key(name, text)) is None for name, text in queries.items())

    def make(self, queries: Mapping[str, str], progress: Callable[[], None] = lambda: None) -> list[Made]:
        """Return the answer to each question, in order, bred where the ledger has none.

        A question that is refused becomes an empty answer with the reason. Raises Unavailable as the generator does.
        """
        return list(self._each(queries, progress))

    def _each(self, queries: Mapping[str, str], progress: Callable[[], None]) -> Iterator[Made]:
        for name, question in queries.items():
            key = self._key(name, question)
            found = self._ledger.done(key)
            if found is not None:
                yield Made.from_dict(found)
            else:
                yield self._new(key, name, question)
            progress()

    def _new(self, key: str, name: str, question: str) -> Made:
        try:
            answer = self._generator.generate(question)
        except Unavailable:
            raise
        except UsageError as error:
            made = Made(query=name, question=question, text="", seeds=(), failed=True, reason=str(error))
            self._ledger.write(key, "error", made.to_dict(), kind=type(error).__name__)
            return made
        made = _record(name, answer)
        status = _status(answer)
        if status == "error":  # the best seed is no answer of this system
            why = made.reason or "; ".join(answer.warnings)
            made = replace(made, text="", lineage=(), failed=True, reason=why)
        self._ledger.write(key, status, made.to_dict(), kind="llm" if status == "error" else None)
        return made

    def _key(self, name: str, question: str) -> str:
        return key_of({"item": {"id": name, "question": question}, "setup": self._setup})


def plan(makers: list[Maker], queries: Mapping[str, str]) -> Plan:
    """Say what a run over these questions will do."""
    waiting = {maker.system.name: maker.waiting(queries) for maker in makers}
    return Plan(
        questions=len(queries),
        done={name: len(queries) - left for name, left in waiting.items()},
        calls={maker.system.name: maker.calls.times(waiting[maker.system.name]) for maker in makers},
    )


def _record(name: str, answer: Answer) -> Made:
    return Made(
        query=name,
        question=answer.question,
        text=answer.text,
        seeds=tuple(passage.text for passage in answer.sources[:SEEDS]),
        passages=tuple(passage.id for passage in answer.sources[:SEEDS]),
        label=str(answer.verdict.label),
        score=answer.verdict.score,
        generations=max((turn.number for turn in answer.generations), default=0),
        calls=sum(turn.calls for turn in answer.generations),
        prompt_tokens=sum(turn.prompt_tokens for turn in answer.generations),
        reply_tokens=sum(turn.reply_tokens for turn in answer.generations),
        stopped=answer.stopped,
        reason=answer.reason,
        warnings=answer.warnings,
        lineage=_descent(answer),
    )


def _status(answer: Answer) -> str:
    """Return the status of an answer in the ledger: an error where an evolution, or its only call, broke off on errors."""
    if answer.broken:
        return "error"
    if answer.text:
        return "ok"
    return "refused" if (answer.reason or "").startswith("refused") else "skipped"


def _descent(answer: Answer) -> tuple[Candidate, ...]:
    """Return the candidate that became the answer, and all its forebears, in the order of the lineage."""
    known = {candidate.id: candidate for candidate in answer.lineage}
    waiting = [candidate.id for candidate in answer.lineage if candidate.text == answer.text][:1]
    kept: set[str] = set()
    while waiting:
        one = waiting.pop()
        if one not in kept and one in known:
            kept.add(one)
            waiting += known[one].parents
    return tuple(candidate for candidate in answer.lineage if candidate.id in kept)
