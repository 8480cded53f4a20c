"""What each pipeline says of each answer, put into the ledger as it comes; a call that failed is tried again.

Left out: the pipelines (`systems`), and who gave the answers (`answering`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from groundwire.compare import LABELS, Outcome, Said, outcome_of
from groundwire.evals.papers.huo2023.answering import Answered
from groundwire.evals.papers.huo2023.systems import System
from groundwire.ledger import Ledger, key_of
from groundwire.types import Case, Verdict

BATCH = 8
_SAID = {label: said for said, label in LABELS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What one pipeline says of one answer. `said` is None where there is no label, and then `reason` says why.

    `passage` is the id of the first passage and `evidence` its text, `reading` what a reader took from it.
    """

    said: Said | None
    passage: str = ""
    evidence: str = ""
    reading: str | None = None
    reason: str | None = None


def judge(
    system: System, answers: Sequence[Answered], ledger: Ledger, *, progress: Callable[[int], None] = lambda _: None
) -> list[Judged]:
    """Judge every answer by one pipeline. `progress` is told how many more are done."""
    setup = {"judged": system.title, "by": system.verifier.identity()}
    keys = [key_of({**setup, "question": one.question, "answer": one.text}) for one in answers]
    waiting = [n for n, key in enumerate(keys) if ledger.done(key) is None]
    progress(len(answers) - len(waiting))
    for start in range(0, len(waiting), BATCH):
        numbers = waiting[start : start + BATCH]
        for n, verdict in zip(numbers, system.verifier.verify([_case(answers[n]) for n in numbers]), strict=True):
            outcome = outcome_of(verdict)
            kind = "llm" if outcome is Outcome.ERROR else None
            ledger.write(keys[n], outcome, _record(verdict), kind=kind)
        progress(len(numbers))
    return [_judged(ledger, key) for key in keys]


def _case(one: Answered) -> Case:
    return Case(id=one.query, question=one.question, answer=one.text, contexts=(), reason=one.reason)


def _record(verdict: Verdict) -> Mapping[str, Any]:
    said = _SAID.get(verdict.label)
    first = verdict.case.contexts[0] if verdict.case.contexts else None
    return {
        "said": None if said is None else said.value,
        "passage": "" if first is None else first.id,
        "evidence": "" if first is None else first.text,
        "reading": verdict.reading,
        "reason": None if said is not None else verdict.reason,
    }


def _judged(ledger: Ledger, key: str) -> Judged:
    entry = ledger.entry(key)
    if entry is None:
        return Judged(said=None, reason="not judged")
    told = dict(entry.record)
    said = told.pop("said")
    return Judged(said=None if said is None else Said(said), **told)
