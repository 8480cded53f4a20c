"""A command line that runs in this process, with a checker whose verdicts can be read off the answer."""

import io
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from groundwire.cli import options
from groundwire.cli.main import main
from groundwire.types import Case, Claim, ClaimVerdict, Entailment, Evidence, Label, Span, Stage, Trace, Verdict


class Said:
    """One claim an answer, which is supported when a context holds it word for word, and scored 0.9 or 0.1."""

    name = "said"

    def __init__(self, threshold: float = 0.5) -> None:
        self.threshold = threshold
        self.batches: list[int] = []

    def check(self, cases: Sequence[Case]) -> list[Verdict]:
        self.batches.append(len(cases))
        return [self._verdict(case) for case in cases]

    def _verdict(self, case: Case) -> Verdict:
        trace = Trace(recipe=self.name, model="fake", stages=(Stage(name="entail", items=1, seconds=0.25),))
        if case.reason:
            return Verdict(
                case=case, label=Label.NOT_CHECKABLE, score=None, threshold=self.threshold, reason=case.reason
            )
        places = [(n, p.text.find(case.answer)) for n, p in enumerate(case.contexts) if case.answer in p.text]
        label, score = (Label.SUPPORTED, 0.9) if places else (Label.CONTRADICTED, 0.1)
        evidence = tuple(self._evidence(case, n, at, score) for n, at in places or [(0, 0)])
        claim = Claim(id="0", text=case.answer, span=Span(source="answer", start=0, end=len(case.answer)))
        judged = ClaimVerdict(claim=claim, label=label, score=score, evidence=evidence)
        return Verdict(case=case, label=label, score=score, threshold=self.threshold, claims=(judged,), trace=trace)

    def _evidence(self, case: Case, index: int, start: int, score: float) -> Evidence:
        passage = case.contexts[index]
        span = Span(source=passage.id, start=start, end=min(len(passage.text), start + len(case.answer)))
        return Evidence(claim_id="0", index=index, span=span, entailment=Entailment(supports=score))


@pytest.fixture
def checker(monkeypatch: pytest.MonkeyPatch) -> Said:
    """Build this checker in place of every recipe."""
    said = Said()

    def build(recipe: str, model: str | None, threshold: float | None) -> Said:
        said.threshold = said.threshold if threshold is None else threshold
        return said

    monkeypatch.setattr(options, "build", build)
    return said


@dataclass(frozen=True)
class Ran:
    code: Any
    out: str
    err: str


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run `groundwire` as the shell would, with these bytes on standard input."""

    def run(*args: str, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin))))
        with pytest.raises(SystemExit) as exit_:
            main(args)
        captured = capsys.readouterr()
        return Ran(exit_.value.code, captured.out, captured.err)

    return run
