"""One row of a run as its ledger keeps it: what was asked of whom, what gold says, what was found, and what it cost.

Left out: texts. They stay in the data; `digest` tells whether they are still the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from sys import intern
from typing import Any

from groundwire.evals.spans import compare, known, marked_by
from groundwire.types import Case, Label, Verdict
from groundwire.types.noun import Noun


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch(Noun):
    """What a call of the checker cost: its rows, seconds, judged pairs, how many of those a model had to score, and how many
    scores were there before; `peak` is the process's largest memory by then, in bytes. `kept` is false for a checker whose
    models cannot remember.
    """

    rows: int
    seconds: float
    pairs: int
    fresh: int = 0
    reused: int = 0
    peak: int = 0
    kept: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredRow(Noun):
    """A row as one checker judged it.

    `gold` is supported or one of the two kinds of not supported; `score` is None exactly where `label` is not checkable, and
    then `reason` says why. `seconds` is the row's share of its batch. `words` counts the answer's words that gold and
    checker mark: both, only the checker, only gold; None where gold marks nothing that is known. `hit` says whether the
    evidence that was shown lies where gold has it, None where gold has none. `batch` is on the last row of each.
    """

    data: str
    checker: str
    id: str
    group: str | None
    slice: str | None
    gold: Label
    score: float | None
    label: Label
    reason: str | None
    seconds: float
    digest: str
    words: tuple[int, ...] | None = None
    hit: bool | None = None
    batch: Batch | None = None

    @property
    def supported(self) -> bool:
        """True where gold says that the answer is supported."""
        return self.gold is Label.SUPPORTED

    @classmethod
    def of(cls, data: str, checker: str, verdict: Verdict, digest: str, batch: Batch, *, last: bool) -> ScoredRow:
        """Make the row of a verdict on a labelled case."""
        case = verdict.case
        return cls(
            data=data,
            checker=checker,
            id=case.id,
            group=case.group,
            slice=case.slice,
            gold=case.label or Label.NOT_CHECKABLE,
            score=None if verdict.label is Label.NOT_CHECKABLE else verdict.score,
            label=verdict.label,
            reason=verdict.reason,
            seconds=round(batch.seconds / batch.rows, 6),
            digest=digest,
            words=_words(verdict),
            hit=_hit(verdict),
            batch=batch if last else None,
        )

    def record(self) -> dict[str, Any]:
        """Return the row as JSON values, what it does not have left out."""
        return {name: value for name, value in self.to_dict().items() if value is not None}

    @classmethod
    def read(cls, record: Mapping[str, Any]) -> ScoredRow:
        """Rebuild what `record` wrote. Raises KeyError, TypeError or ValueError for what is no row."""
        batch = record.get("batch")
        words = record.get("words")
        return cls(
            data=intern(record["data"]),  # one text for all rows: a row stays in memory while a run is measured
            checker=intern(record["checker"]),
            id=record["id"],
            group=record.get("group"),
            slice=None if (part := record.get("slice")) is None else intern(part),
            gold=Label(record["gold"]),
            score=record.get("score"),
            label=Label(record["label"]),
            reason=record.get("reason"),
            seconds=record["seconds"],
            digest=record["digest"],
            words=None if words is None else tuple(words),
            hit=record.get("hit"),
            batch=None if batch is None else Batch(**batch),
        )


def digest_of(case: Case) -> str:
    """Return 128 bits, in hexadecimal, of all that a verdict on the case and its measuring depend on."""
    found = hashlib.blake2b(digest_size=16)
    gold = (*case.spans, *case.evidence)
    texts = [case.id, case.question, case.answer, case.label, case.group, case.slice, case.reason]
    texts += [part for passage in case.contexts for part in (passage.id, passage.title, passage.text)]
    texts += [f"{span.source} {span.start} {span.end}" for span in gold]
    for text in texts:
        data = b"\0" if text is None else str(text).encode("utf-8", "surrogatepass")
        found.update(len(data).to_bytes(8, "little"))
        found.update(data)
    return found.hexdigest()


def _words(verdict: Verdict) -> tuple[int, int, int] | None:
    case = verdict.case
    if verdict.score is None or not known(case):
        return None
    marked = compare(case, marked_by(verdict))
    both = sum(g and f for g, f in zip(marked.gold, marked.found, strict=True))
    return both, sum(marked.found) - both, sum(marked.gold) - both


def _hit(verdict: Verdict) -> bool | None:
    """Say whether the best evidence of any claim overlaps a gold place; None where gold has no place, or nothing was judged."""
    gold = verdict.case.evidence
    if not gold or verdict.score is None:
        return None
    shown = [claim.evidence[0] for claim in verdict.claims if claim.evidence]
    names = [passage.id for passage in verdict.case.contexts]
    return any(
        names[one.index] == place.source and one.span.start < place.end and place.start < one.span.end
        for one in shown
        for place in gold
    )
