"""What a server answers by: one checker, and a verifier and a generator for each index, built once over shared models.

From here on every model of the process runs in joint batches (`groundwire.models.batcher`). Left out: threads and tickets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from groundwire import recipes
from groundwire.check import CheckPath
from groundwire.closing import Closing
from groundwire.compare import NliJudge
from groundwire.errors import InputError, UsageError
from groundwire.generate import DirectPath, GeneratePath
from groundwire.models import loading
from groundwire.models.asking import given
from groundwire.models.batcher.batcher import Batcher
from groundwire.models.batching import TOKEN_BUDGET
from groundwire.protocols import Pair, RelevanceScorer
from groundwire.recipes import generating, verifying
from groundwire.server import canary
from groundwire.server.settings import Settings
from groundwire.server.shelf import Shelf
from groundwire.types import Candidate, Generation
from groundwire.verify import VerifyPath

VERIFY, GENERATE = "verify", "generate"
OPTIONS = ("generations", "calls", "tokens", "seconds", "seed", "seeds", "threshold")
"""The fields of the generator's recipe that a request may set; the others name models or cost without a bound."""
WARM_BATCHES = 3
"""Batches a stream that are run before the first request."""
Grown = tuple[Generation, Candidate]
"""A generation that has ended, and the best candidate so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInfo:
    """The model that judges. `identity` is its manifest's sha256, `max_length` the most tokens of a pair it reads."""

    name: str
    identity: str
    precision: str
    max_length: int | None
    max_batch_tokens: int


class Systems(Closing):
    """Everything that is opened once. Raises what opening raises, and CorruptModel when the canary is wrong."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        with ExitStack() as opened:
            self.batcher = opened.enter_context(Batcher())
            loading.execute_by(self.batcher)
            opened.callback(loading.execute_no_longer_by, self.batcher)
            self.shelf = opened.enter_context(Shelf(settings.indexes))
            self.checker = recipes.build(settings.recipe, model=settings.model, threshold=settings.threshold)
            llm, wanted = given(settings.llm, opened), self._verifying()
            self._verifiers: dict[str, VerifyPath] = {
                name: wanted.make(VERIFY, self.shelf.retriever(name, wanted.retrieves), llm)
                for name in settings.indexes
            }
            self._writer = given(settings.llm, opened, temperature=generating.parse(GENERATE).temperature)
            self.generator(next(iter(settings.indexes), None), {})
            canary.sing(self.checker)
            canary.warm(self.checker.model, tokens=WARM_BATCHES * TOKEN_BUDGET * self.batcher.streams)
            self._opened = opened.pop_all()

    @property
    def ranked(self) -> bool:
        """Whether the checker ranks its sources by a model."""
        return self.checker.relevance is not None

    @property
    def model(self) -> ModelInfo:
        """The model that judges."""
        model: Any = self.checker.model
        return ModelInfo(
            name=model.name,
            identity=getattr(model, "identity", ""),
            precision=getattr(model, "precision", ""),
            max_length=getattr(model, "max_length", None),
            max_batch_tokens=TOKEN_BUDGET,
        )

    def stop(self) -> None:
        """Let whoever waits for a model go with Cancelled."""
        self.batcher.close()

    def close(self) -> None:
        """Close indexes and connections, and let models run by themselves again. Twice is once."""
        self._opened.close()

    def at(self, threshold: float | None) -> CheckPath:
        """Return the checker with this threshold; None is its own. Raises UsageError for one outside [0, 1]."""
        return self.checker if threshold is None else replace(self.checker, threshold=threshold)

    def verifier(self, index: str, *, passages: int | None, threshold: float | None) -> VerifyPath:
        """Return what verifies answers by this index. Raises UnknownName, and UsageError for fewer passages than one."""
        self.shelf.index(index)
        path = self._verifiers[index]
        if passages is not None:
            path = replace(path, passages=passages)
        judge = path.judge
        if threshold is not None and isinstance(judge, NliJudge) and isinstance(judge.checker, CheckPath):
            path = replace(path, judge=replace(judge, checker=replace(judge.checker, threshold=threshold)))
        return path

    def generator(self, index: str | None, options: Mapping[str, Any]) -> GeneratePath | DirectPath:
        """Return what grows answers from this index, or from given passages. Raises UnknownName, InputError, UsageError."""
        for name in options:
            if name not in OPTIONS:
                raise InputError(f"{name} cannot be set by a request", f"these can: {', '.join(OPTIONS)}")
        fields = {"model": self._settings.model, "threshold": self._settings.threshold, **options}
        wanted = generating.parse(GENERATE, **{name: value for name, value in fields.items() if value is not None})
        retriever = None if index is None else self.shelf.retriever(index, wanted.retrieves)
        return wanted.make(GENERATE, retriever, self._writer)

    def scorer(self) -> RelevanceScorer:
        """Return what scores relevance: the checker's ranker, or the model that judges. Raises UsageError without either."""
        found = self.checker.relevance or self.checker.model
        if not isinstance(found, RelevanceScorer):
            raise UsageError(
                f"{found.name} does not score relevance", "serve the built-in model, or a recipe that ranks"
            )
        return found

    def ranks_cut(self, pairs: Sequence[Pair]) -> list[bool]:
        """Say which (query, passage) pairs the scorer cuts."""
        return self.scorer().truncated(pairs)

    def _verifying(self) -> verifying.Recipe:
        return verifying.parse(VERIFY, model=self._settings.model, threshold=self._settings.threshold)
