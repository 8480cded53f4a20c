"""Records what a path did: which stage, on how many items, for how long. Left out: logs and metrics, which doors make of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter

from groundwire.types import Stage, Trace


@dataclass(slots=True)
class OpenStage:
    """A stage that is running; the path fills in how many items it saw."""

    name: str
    items: int = 0
    note: str = ""


class Recorder:
    """Collects the stages of one run of one path."""

    def __init__(self, *, recipe: str, model: str) -> None:
        self._recipe, self._model = recipe, model
        self._stages: list[Stage] = []

    @contextmanager
    def stage(self, name: str) -> Iterator[OpenStage]:
        """Time what happens inside, under this name."""
        stage, start = OpenStage(name), perf_counter()
        yield stage
        self._stages.append(
            Stage(name=name, items=stage.items, seconds=perf_counter() - start, note=stage.note),
        )

    def trace(self) -> Trace:
        """Return the trace of the stages that have ended."""
        return Trace(recipe=self._recipe, model=self._model, stages=tuple(self._stages))
