"""Scores the rows of one data set with one checker: what the ledger has is not done again.

A row's key is made of its digest, the set's and the checker's name, and the checker's models, settings and threshold. The
first rows are checked alone, so that the time of an answer is known; the rest goes in batches, a ledger line a row and one
flush a batch.

Left out: measuring, and which checkers there are.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from groundwire import __version__
from groundwire.cache import Cache
from groundwire.cases import BATCH_CHARACTERS, BATCH_ROWS
from groundwire.evals.run import PAIR_STAGE
from groundwire.evals.runs.rows import Batch, ScoredRow
from groundwire.ledger import Entry, Ledger, key_of
from groundwire.models.kept import KeptScores
from groundwire.models.memory import Remembers, ScoreMemory
from groundwire.protocols import Checker
from groundwire.types import Case, Verdict

ALONE = 32
"""Rows of a cell that are checked one by one, for the time that an answer takes."""
MODEL_PARTS = ("model", "relevance")
"""Where a checker has the models whose scores can be kept."""


@dataclass(slots=True)
class Worker:
    """One checker in a run. `memories` are those of its models, by model; `own` what they had before."""

    spec: str
    checker: Checker
    memories: dict[str, KeptScores] = field(default_factory=dict)
    own: list[tuple[Remembers, ScoreMemory]] = field(default_factory=list)

    @classmethod
    def of(cls, spec: str, checker: Checker, cache: Cache, shared: dict[str, KeptScores]) -> Worker:
        """Let the checker's models remember in the cache; `shared` holds the memory of each model of the run."""
        worker = cls(spec, checker)
        parts = [part for name in MODEL_PARTS if isinstance(part := getattr(checker, name, None), Remembers)]
        for part in parts:
            if not part.identity or any(part is known for known, _ in worker.own):
                continue
            name = f"{part.identity} {part.precision} {type(part).__name__}"
            memory = shared.setdefault(name, KeptScores(cache, name))
            worker.own.append((part, part.remember_in(memory)))
            worker.memories[name] = memory
        return worker

    def release(self) -> None:
        """Give the models back the memories that they had."""
        for part, memory in self.own:
            part.remember_in(memory)
        self.own.clear()

    def identity(self) -> dict[str, Any]:
        """Return what a score may depend on, besides the row: JSON values."""
        parts = {name: getattr(self.checker, name, None) for name in MODEL_PARTS}
        return {
            "checker": self.spec,
            "name": self.checker.name,
            "threshold": self.checker.threshold,
            "settings": self._settings(),
            "models": {
                role: {"name": part.name, "identity": getattr(part, "identity", "")}
                | {"precision": str(getattr(part, "precision", ""))}
                for role, part in parts.items()
                if part is not None and hasattr(part, "name")
            },
        }

    def _settings(self) -> dict[str, str]:
        """Return all that a checker is made of besides its models: what a recipe's name stands for may change between runs."""
        if not is_dataclass(self.checker):
            return {}
        return {f.name: repr(getattr(self.checker, f.name)) for f in fields(self.checker) if f.name not in MODEL_PARTS}

    def score(
        self,
        data: str,
        rows: Iterable[tuple[Case, str]],
        ledger: Ledger,
        done: Callable[[int], None],
        alone: int = ALONE,
    ) -> None:
        """Check the rows that the ledger lacks, and write them to it; `done` is told how many more rows are there."""
        base = {"data": data, "version": __version__, **self.identity()}
        waiting = self._waiting(base, rows, ledger, done)
        for batch in _batched(waiting, alone):
            entries = self._checked(data, batch)
            ledger.write_all(entries)
            done(len(batch))

    def _waiting(
        self, base: Mapping[str, Any], rows: Iterable[tuple[Case, str]], ledger: Ledger, done: Callable[[int], None]
    ) -> Iterator[_Waiting]:
        for case, digest in rows:
            key = key_of({**base, "row": digest})
            entry = ledger.entry(key)
            if entry is not None and entry.final:
                done(1)
            else:
                yield _Waiting(case, digest, key)

    def _checked(self, data: str, batch: Sequence[_Waiting]) -> list[Entry]:
        for memory in self.memories.values():
            memory.mark()
        start = time.perf_counter()
        verdicts = self.checker.check([one.case for one in batch])
        cost = self._cost(verdicts, time.perf_counter() - start)
        last = len(batch) - 1
        rows = [
            ScoredRow.of(data, self.spec, verdict, one.digest, cost, last=n == last)
            for n, (one, verdict) in enumerate(zip(batch, verdicts, strict=True))
        ]
        return [_entry(one.key, row) for one, row in zip(batch, rows, strict=True)]

    def _cost(self, verdicts: Sequence[Verdict], seconds: float) -> Batch:
        trace = next((verdict.trace for verdict in verdicts if verdict.trace), None)
        return Batch(
            rows=len(verdicts),
            seconds=round(seconds, 6),
            pairs=sum(stage.items for stage in trace.stages if stage.name == PAIR_STAGE) if trace else 0,
            fresh=sum(memory.fresh for memory in self.memories.values()),
            reused=sum(memory.reused for memory in self.memories.values()),
            peak=peak_memory(),
            kept=bool(self.memories),
        )


@dataclass(frozen=True, slots=True)
class _Waiting:
    case: Case
    digest: str
    key: str


def _batched(waiting: Iterable[_Waiting], alone: int) -> Iterator[list[_Waiting]]:
    """Yield `alone` rows one by one, and then batches that end at so many rows or characters, as everywhere."""
    batch: list[_Waiting] = []
    size = 0
    for n, one in enumerate(waiting):
        batch.append(one)
        size += len(one.case.answer) + sum(len(passage.text) for passage in one.case.contexts)
        if n < alone or len(batch) == BATCH_ROWS or size >= BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _entry(key: str, row: ScoredRow) -> Entry:
    """Return a row's line; what a peer says was an error, or could not be read, has the ledger's word for it."""
    said = "" if row.score is not None or row.reason is None else row.reason.split(":")[0].split(" ")[0]
    status = said if said in ("error", "unparseable", "refused") else "ok"
    return Entry(key=key, status=status, record=row.record(), kind="checker" if status == "error" else None)


def peak_memory() -> int:
    """Return the largest memory that this process has had, in bytes; 0 where the system does not say."""
    if sys.platform == "win32":
        return 0
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(peak if sys.platform == "darwin" else peak * 1024)
