"""A run in its directory: config.json, environment.json, ledger.jsonl, scores.db, metrics.json, report.html and tables.

It may be killed at any moment: the same call goes on where it was. The ledger says which rows are done; scores.db has every
pair that a model scored, so that a combination of the same model scores no pair again, nor does another run over that file.
Only with the configuration, models and data that a run began with does it go on. Rows stream through; what stays in memory
of each is a few hundred bytes without its texts.

Left out: opening data sets and building checkers, which the caller does.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from groundwire import durable
from groundwire.cache import Cache
from groundwire.errors import InputError, MissingExtra, UsageError
from groundwire.evals.bootstrap import Bootstrap
from groundwire.evals.papers.folder import LEDGER, RunFolder, environment
from groundwire.evals.runs import page, picture, tables
from groundwire.evals.runs.config import Config
from groundwire.evals.runs.errors import worst
from groundwire.evals.runs.measuring import Cell, Tuned, measure, tune
from groundwire.evals.runs.reading import Looked, Opened, look_through
from groundwire.evals.runs.rows import ScoredRow
from groundwire.evals.runs.work import Worker
from groundwire.ledger import Ledger
from groundwire.models.kept import KeptScores
from groundwire.protocols import Checker

CONFIG, ENVIRONMENT, METRICS, REPORT, SCORES = (
    "config.json",
    "environment.json",
    "metrics.json",
    "report.html",
    "scores.db",
)
Built = Callable[[str], Checker]
"""Builds a checker of its spec string."""
Progress = Callable[[int, int], None]
"""Is told how many rows are done, of how many."""


class Run:
    """One run; `create` or `open` makes one."""

    def __init__(self, folder: Path, config: Config) -> None:
        self.folder, self.config = folder, config

    @classmethod
    def create(cls, folder: str | Path, config: Config) -> Run:
        """Make the directory, or take up the run that is in it.

        A run that never began, for its data or checkers were not there, may be given another configuration. Raises UsageError
        where another configuration's run is there, Unavailable when it cannot be made or written.
        """
        place = RunFolder(Path(folder))
        if (place.path / ENVIRONMENT).exists():
            run = cls.open(place.path)
            if different := run.config.differences(config):
                told = f"{folder} holds a run with another configuration ({', '.join(different)} differ)"
                raise UsageError(told, "name another folder, or give the options that it began with")
            return run
        place.write(CONFIG, {"command": "eval run", **config.to_dict()})
        return cls(place.path, config)

    @classmethod
    def open(cls, folder: str | Path) -> Run:
        """Open the run in a directory. Raises InputError where there is none."""
        told = _read(Path(folder) / CONFIG, "groundwire eval run makes one")
        told.pop("command", None)
        try:
            return cls(Path(folder), Config.from_dict(told))
        except (TypeError, KeyError, AttributeError) as error:
            raise InputError(f"{folder}/{CONFIG} is no configuration of a run", "name a run's directory") from error

    def execute(
        self,
        opened: Opened,
        built: Built,
        *,
        scores: str | Path | None = None,
        progress: Progress | None = None,
    ) -> dict[str, Any]:
        """Do what is not done, measure all of it, and return what metrics.json holds.

        `scores` is the file of kept pair scores, which several runs may share; the run's own otherwise. Raises InputError
        for rows without labels, ids that come twice, and data or models that are not those that the run began with.
        """
        looked = [look_through(self.config, data, opened) for data in self.config.data]
        with ExitStack() as stack:
            ledger = stack.enter_context(Ledger(self.folder / LEDGER))
            durable.sweep(self.folder, ())
            cache = stack.enter_context(Cache(scores or self.folder / SCORES))
            shared: dict[str, KeptScores] = {}
            workers = []
            for spec in self.config.checkers:
                workers.append(Worker.of(spec, built(spec), cache, shared))
                stack.callback(workers[-1].release)
            self._began_with(workers, looked)
            self._score(workers, looked, opened, ledger, progress)
            cells = self._cells(ledger)
        return self._write(cells, looked, opened)

    def rows(self) -> Iterator[ScoredRow]:
        """Yield every row that is done, in the order in which they were. Raises as `Ledger`, InputError without one."""
        if not (self.folder / LEDGER).exists():
            raise InputError(f"{self.folder} has no row yet", "groundwire eval run goes on with it")
        with Ledger(self.folder / LEDGER) as ledger:
            yield from _rows(ledger)

    def cells(self) -> list[Cell]:
        """Return the rows that are done by data set and checker, those of the configuration in its order."""
        with Ledger(self.folder / LEDGER) as ledger:
            return self._cells(ledger)

    def environment(self) -> dict[str, Any]:
        """Return what environment.json holds. Raises InputError before the run has begun."""
        return _read(self.folder / ENVIRONMENT, "groundwire eval run goes on with it")

    def metrics(self) -> dict[str, Any]:
        """Return what metrics.json holds. Raises InputError before the run has ended."""
        return _read(self.folder / METRICS, "the run has not ended: the command that began it goes on with it")

    def _began_with(self, workers: Sequence[Worker], looked: Sequence[Looked]) -> None:
        """Write what the figures depend on before the first row, or compare it with what the run began with."""
        told = environment() | {"cpu": cpu()}
        told["checkers"] = [worker.identity() for worker in workers]
        told["data"] = [
            {"name": one.data.name, "rows": one.rows, "run": one.n, "sha256": one.sha256} | _file(one.data.path)
            for one in looked
        ]
        if not (self.folder / ENVIRONMENT).exists():
            RunFolder(self.folder).write(ENVIRONMENT, told)
            return
        before = self.environment()
        for name, what in (("groundwire", "version"), ("checkers", "checkers or models"), ("data", "data")):
            if before.get(name) != told[name]:
                told_of = f"{self.folder} was begun with another {what}: its rows and new ones would be mixed"
                raise InputError(told_of, "name another folder; kept pair scores can be shared (--scores FILE)")

    def _score(
        self,
        workers: Sequence[Worker],
        looked: Sequence[Looked],
        opened: Opened,
        ledger: Ledger,
        progress: Progress | None,
    ) -> None:
        total = len(workers) * sum(one.n for one in looked)
        count = 0

        def done(rows: int) -> None:
            nonlocal count
            count += rows
            if progress:
                progress(count, total)

        for one in looked:
            for worker in workers:
                worker.score(one.data.name, one.cases(opened), ledger, done)

    def _cells(self, ledger: Ledger) -> list[Cell]:
        thresholds = {each["checker"]: float(each["threshold"]) for each in self.environment()["checkers"]}
        cells = {
            (data.name, spec): Cell(data.name, spec, thresholds[spec])
            for data in self.config.data
            for spec in self.config.checkers
        }
        for row in _rows(ledger):
            if (row.data, row.checker) in cells:
                cells[row.data, row.checker].add(row)
        return list(cells.values())

    def _write(self, cells: Sequence[Cell], looked: Sequence[Looked], opened: Opened) -> dict[str, Any]:
        """Measure, and write every file that is made of the ledger."""
        bootstrap = Bootstrap(resamples=self.config.resamples, seed=self.config.seed)
        tuned = self._tuned(cells)
        found = {
            "cells": [
                measure(cell, bootstrap, None if cell.data == self.config.tune_on else tuned.get(cell.checker))
                for cell in cells
            ],
            "tune_on": self.config.tune_on,
            "bootstrap": {"resamples": bootstrap.resamples, "seed": bootstrap.seed, "level": bootstrap.level},
        }
        files = RunFolder(self.folder)
        files.write(METRICS, found)
        files.write("tables.md", tables.markdown(found))
        files.write("tables.tex", tables.latex(found))
        read = {one.data.name: worst([c for c in cells if c.data == one.data.name], one, opened) for one in looked}
        files.write(REPORT, page.page(found, cells, read, self.config, self.environment()))
        try:
            for name, drawn in picture.pictures(found, cells).items():
                files.write(name, drawn)
        except MissingExtra:
            found["pictures"] = "PNG pictures need matplotlib: pip install 'groundwire[eval]'"
        return found

    def _tuned(self, cells: Sequence[Cell]) -> dict[str, Tuned]:
        """Return each checker's threshold as its rows of the set `tune_on` have it."""
        found = {}
        for cell in cells:
            if cell.data == self.config.tune_on:
                others = [c for c in cells if c.checker == cell.checker and c is not cell]
                if (one := tune(cell, others)) is not None:
                    found[cell.checker] = one
        return found


def cpu() -> str:
    """Return the CPU's name as the system tells it, or its kind."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or platform.machine()


def _rows(ledger: Ledger) -> Iterator[ScoredRow]:
    for entry in ledger.entries():
        try:
            yield ScoredRow.read(entry.record)
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"{ledger.path}: a line is no row of a run", "start the run again elsewhere") from error


def _file(path: str | None) -> dict[str, str]:
    """Return the sha256 of a data set's file, where it is one that can be read twice."""
    return {"file": durable.digest(Path(path)).sha256} if path is not None and Path(path).is_file() else {}


def _read(path: Path, hint: str) -> dict[str, Any]:
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path.parent} holds no {path.name}", hint) from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {error}", hint) from error
    if not isinstance(told, dict):
        raise InputError(f"{path} is not what a run writes", hint)
    return told
