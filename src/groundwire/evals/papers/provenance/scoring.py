"""Every answer's score by every checker that a set needs, put into the ledger as it comes.

A chunk of rows goes through all checkers before the next, so that a pair of texts which several of them judge is scored once:
the models remember it. In memory are labels, groups and scores. Left out: the checkers, and what is made of the scores.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from groundwire.cases import batches
from groundwire.evals.papers.kept import kept
from groundwire.evals.papers.provenance.data import DataSet
from groundwire.evals.papers.provenance.systems import System
from groundwire.ledger import Ledger
from groundwire.types import Case, Label

CHUNK = 16
"""Rows that go through all checkers together."""


@dataclass(slots=True)
class Scores:
    """The scored rows of a set: gold labels (true = factual), groups, and each recipe's scores, None where not checkable."""

    data: DataSet
    labels: list[bool] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    by_recipe: dict[str, list[float | None]] = field(default_factory=dict)


def score(
    data: DataSet,
    systems: Sequence[System],
    ledger: Ledger,
    *,
    progress: Callable[[int], None] = lambda _: None,
) -> Scores:
    """Score the rows of a set by every system. `progress` is told how many more scores there are."""
    scores = Scores(data=data, by_recipe={system.recipe: [] for system in systems})
    for chunk in batches(data.cases(), rows=CHUNK):
        scores.labels += [case.label is Label.SUPPORTED for case in chunk]
        scores.groups += [case.group or case.id for case in chunk]
        digests = [_digest(case) for case in chunk]
        for system in systems:
            scores.by_recipe[system.recipe] += _scored(system, chunk, digests, ledger)
            progress(len(chunk))
    return scores


def _scored(system: System, chunk: Sequence[Case], digests: Sequence[str], ledger: Ledger) -> list[float | None]:
    items: list[Mapping[str, object]] = [{"scored": system.identity(), "case": digest} for digest in digests]

    def compute(numbers: Sequence[int]) -> list[float | None]:
        return [verdict.score for verdict in system.checker.check([chunk[n] for n in numbers])]

    return kept(ledger, items, compute, batch=CHUNK)


def _digest(case: Case) -> str:
    """Return what names a case by all that its score depends on."""
    texts = json.dumps([case.question, case.answer, [passage.text for passage in case.contexts]])
    return hashlib.sha256(texts.encode()).hexdigest()
