"""The verify path: question and answer in, the evidence found in a corpus, the same verdict as check's out.

    case → [answer, where none is given] → query → passages (retrieve) → [reading] → comparison → verdict

Source: Huo, Arabzadeh and Clarke (arXiv 2306.13781), section 2: what the corpus is asked is the question together with the
answer, so that a wrong answer finds what speaks against it. Which parts make which system is written in `groundwire.recipes`.

- An empty answer is asked of the LLM where the path has a writer. What stays empty is not checkable; the passages for the
  question are in its retrieval all the same.
- Where nothing is found the corpus has nothing to say of the answer: no evidence, score 0, with the reason. Nobody is asked.
- A call that fails leaves the case not checkable, with a reason that begins with the outcome (`error`, `refused`, …): it is
  never judged by less than it was meant to be judged by.

Left out: building an index, reading files, drawing, the ledger of a long run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Protocol

from groundwire.errors import UsageError
from groundwire.protocols import Retriever
from groundwire.trace import Recorder
from groundwire.types import Case, Completion, Label, Passage, Retrieval, Trace, Verdict

if TYPE_CHECKING:
    from groundwire.reader import Reader

NO_ANSWER = "the answer is empty"
NOTHING_SAID = "the question and the answer are empty"
NOTHING_FOUND = "nothing in the index has to do with the question and the answer"

Query = Literal["combined", "question", "answer"]
QUERIES: tuple[Query, ...] = ("combined", "question", "answer")


class Judge(Protocol):
    """Says whether what was found supports an answer."""

    @property
    def name(self) -> str:
        """The judge as its spec string."""
        ...

    @property
    def threshold(self) -> float:
        """The score in [0, 1] from which an answer is supported."""
        ...

    def compare(self, cases: Sequence[Case], readings: Sequence[str | None]) -> list[Verdict]:
        """Judge each case's answer by its contexts (the passages found, never empty) and what a reader took from them."""
        ...


class Writer(Protocol):
    """Gives the answer where there is none."""

    def write(self, questions: Sequence[str]) -> list[Completion]:
        """Return the reply to every question."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyPath:
    """A verifier: named parts in a fixed order. It fills the role Checker too: contexts of its cases are not read.

    `passages` is how many of the retriever's hits are judged. `query` says what the corpus is asked: question and answer
    with one space between, or one of them (the other, where that one is empty).
    """

    name: str
    retriever: Retriever
    judge: Judge
    query: Query = "combined"
    passages: int = 1
    reader: Reader | None = None
    writer: Writer | None = None

    def __post_init__(self) -> None:
        if self.passages < 1:
            raise UsageError(f"at least one passage must be judged, got {self.passages}", "passages=5")

    @property
    def threshold(self) -> float:
        """The score in [0, 1] from which an answer is supported."""
        return self.judge.threshold

    def check(self, cases: Sequence[Case]) -> list[Verdict]:
        """Verify the cases, as `verify` does."""
        return self.verify(cases)

    def verify(self, cases: Sequence[Case]) -> list[Verdict]:
        """Verify every case, each part over the whole batch; what cannot be verified is NOT_CHECKABLE with its reason.

        The verdict's contexts are the passages that were judged, best first. The trace's seconds are those of the batch.
        """
        record = Recorder(recipe=self.name, model=self.judge.name)
        work = [_Work(case) for case in cases]
        if self.writer is not None:
            with record.stage("answer") as stage:
                stage.items = self._write(self.writer, [w for w in work if w.unanswered()])
        with record.stage("retrieve") as stage:
            stage.items = self._retrieve([w for w in work if w.reason is None and self._asks(w)])
        if self.reader is not None:
            with record.stage("read") as stage:
                stage.items = self._read(self.reader, [w for w in work if w.judged()])
        with record.stage("judge") as stage:
            stage.items = self._judge([w for w in work if w.judged()])
        trace = record.trace()
        return [self._verdict(w, trace) for w in work]

    def _write(self, writer: Writer, asked: Sequence[_Work]) -> int:
        for w, reply in zip(asked, writer.write([w.question for w in asked]) if asked else [], strict=True):
            if reply.text is None:
                w.reason = f"error: the LLM could not be asked for an answer ({reply.reason or 'no reason given'})"
            w.case = replace(w.case, answer=(reply.text or "").strip())
        return len(asked)

    def _asks(self, w: _Work) -> bool:
        """Give a case its query; False, with the reason, where there is nothing to ask."""
        question, answer = w.question, w.case.answer.strip()
        wanted = {"combined": f"{question} {answer}".strip(), "question": question, "answer": answer}[self.query]
        w.query = wanted or question or answer
        w.reason = None if answer else NO_ANSWER if w.query else NOTHING_SAID
        return bool(w.query)

    def _retrieve(self, asking: Sequence[_Work]) -> int:
        """Find each case's passages; those without any text are no evidence. Return how many are kept."""
        from groundwire.retrieve import explained

        if asking:
            for w, found in zip(
                asking, explained(self.retriever, [w.query for w in asking], self.passages), strict=True
            ):
                w.retrieval = found
                hits = found.rankings[-1].hits[: self.passages] if found.rankings else ()
                w.passages = [hit.passage for hit in hits if hit.passage.text.strip()]
        return sum(len(w.passages) for w in asking)

    def _read(self, reader: Reader, live: Sequence[_Work]) -> int:
        from groundwire.reader import NOT_GROUNDED, missing_numbers

        asked = [w for w in live if w.question]  # without a question there is nothing to look for in the passages
        readings = reader.read([w.question for w in asked], [w.passages for w in asked]) if asked else []
        for w, reading in zip(asked, readings, strict=True):
            w.reading, w.reason = reading.text, reading.reason
            missing = missing_numbers(reading.text, w.passages) if reading.text else []
            if missing:
                w.warnings.append(f"{NOT_GROUNDED}: the reader says {', '.join(missing)}, which stands in no passage")
        return len(asked)

    def _judge(self, live: Sequence[_Work]) -> int:
        cases = [replace(w.case, contexts=tuple(w.passages)) for w in live]
        for w, verdict in zip(live, self.judge.compare(cases, [w.reading for w in live]) if live else [], strict=True):
            w.verdict = verdict
        return len(live)

    def _verdict(self, w: _Work, trace: Trace) -> Verdict:
        verdict = w.verdict
        if verdict is None:
            found_nothing = w.reason is None
            verdict = Verdict(
                case=replace(w.case, contexts=tuple(w.passages)),
                label=Label.NOT_ENOUGH_INFO if found_nothing else Label.NOT_CHECKABLE,
                score=0.0 if found_nothing else None,
                threshold=self.threshold,
                reason=NOTHING_FOUND if found_nothing else w.reason,
            )
        warnings = (*w.warnings, *verdict.warnings)
        return replace(verdict, warnings=warnings, retrieval=w.retrieval, reading=w.reading, trace=trace)


class _Work:
    """What is known of one case while its batch runs. `reason`, once set, says why it gets no label."""

    __slots__ = ("case", "passages", "query", "reading", "reason", "retrieval", "verdict", "warnings")

    def __init__(self, case: Case) -> None:
        self.case = replace(case, contexts=())
        self.reason = case.reason
        self.query = ""
        self.retrieval: Retrieval | None = None
        self.passages: list[Passage] = []
        self.reading: str | None = None
        self.verdict: Verdict | None = None
        self.warnings: list[str] = []

    @property
    def question(self) -> str:
        """The question without the white space around it, empty when there is none."""
        return (self.case.question or "").strip()

    def unanswered(self) -> bool:
        """Say whether an LLM may be asked for the answer."""
        return self.reason is None and not self.case.answer.strip() and bool(self.question)

    def judged(self) -> bool:
        """Say whether there is something to judge, and something to judge it by."""
        return self.reason is None and bool(self.passages)
