"""The check path: cases in, verdicts out, one flat batch a model.

    cases → sources (cut) → hits (relevance) → kept (select) → claims → premises → entailments → claim verdicts → verdict

With the parts of `provenance` it is the paper's system (arXiv 2411.01022, section 3); with those of `default` it is ours.
Which parts make which system is written in `groundwire.recipes`. Left out: reading files, drawing, where thresholds come from.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from groundwire.errors import CorruptModel, UsageError
from groundwire.models.batcher.ticket import wanted
from groundwire.protocols import (
    ClaimJudge,
    ClaimSplitter,
    Cutter,
    EntailmentModel,
    InLanguages,
    Pair,
    PairReader,
    PremiseBuilder,
    RelevanceScorer,
    Selector,
)
from groundwire.quantities import Respelled, quantities, respelled
from groundwire.text.asked import stated
from groundwire.text.comparisons import comparisons, spelled_out
from groundwire.text.foreign import is_foreign
from groundwire.text.records import told
from groundwire.trace import Recorder
from groundwire.types import (
    Case,
    Claim,
    ClaimVerdict,
    Finding,
    Hit,
    Label,
    Passage,
    Premise,
    Reading,
    Source,
    Trace,
    Verdict,
)

NO_ANSWER = "the answer is empty"
NO_CONTEXTS = "there are no contexts with any text"
NO_CLAIMS = "nothing to check: the answer holds no sentence"
ENGLISH = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckPath:
    """A checker: named parts in a fixed order.

    `threshold` in [0, 1] is the score from which a claim and an answer count as supported. `relevance` may be None when
    `selector` needs no scores. `query` says what the sources are ranked for: the question (an answer without a question
    is its own query), or the claim, as in Provenance's preliminary experiments. With `respell` the model reads the figures of
    a claim as each premise spells them, with `asked` a premise's questions for a yes or a no, and its records, as what they
    state, and the comparisons of both in words.
    """

    name: str
    cutter: Cutter
    selector: Selector
    splitter: ClaimSplitter
    premises: PremiseBuilder
    model: EntailmentModel
    judge: ClaimJudge
    threshold: float
    relevance: RelevanceScorer | None = None
    query: Literal["question", "claim"] = "question"
    respell: bool = False
    asked: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise UsageError(f"a threshold lies in [0, 1], got {self.threshold}")

    def check(self, cases: Sequence[Case]) -> list[Verdict]:
        """Check every case, as one flat batch; what cannot be checked is NOT_CHECKABLE with its reason.

        Texts that are plainly not English are warned about where the model reads nothing else; they are scored all the same.
        The trace's seconds are those of the whole batch. Equal cases get equal verdicts, whatever else is in the batch.
        Raises Cancelled or Expired when the ticket that this thread holds, if any, says so.
        """
        record = Recorder(recipe=self.name, model=self.model.name)
        work = [_Work(case) for case in cases]
        live = self._prepare(work, record)
        with record.stage("entail") as stage:
            self._premise(live)
            stage.items = self._entail(live)
        with record.stage("judge") as stage:
            for w in live:
                wanted()
                findings = iter(w.findings)
                w.verdicts = [self._judge(claim, findings) for claim in w.claims]
            stage.items = len(live)
        trace = record.trace()
        return [self._verdict(w, trace) for w in work]

    def unfold(self, case: Case, *, known: Sequence[ClaimVerdict] = ()) -> Iterator[ClaimVerdict | Verdict]:
        """Check one case and give each claim's verdict as soon as it is judged, in the order of the answer; last the Verdict.

        Each claim is a batch of its own. A claim that equals one of `known` (judged by this path against the same contexts)
        keeps its verdict. Everything but the trace is what `check` gives, scores to within 1e-6.
        """
        record = Recorder(recipe=self.name, model=self.model.name)
        w = _Work(case)
        live = self._prepare([w], record)
        kept = {verdict.claim.id: verdict for verdict in known}
        cut = 0
        with record.stage("entail") as stage:
            self._premise(live)
            premises = iter(w.premises)
            for claim in w.claims if live else ():
                pairs = [] if claim.idle else [(premise, claim) for premise in next(premises)]
                verdict = kept.get(claim.id)
                if verdict is None or verdict.claim != claim:
                    stage.items += len(pairs)
                    verdict = self._judge(claim, iter([self._findings(pairs)] if pairs else []))
                cut += sum(self.model.truncated([(premise.text, claim.text) for premise, claim in pairs]))
                w.verdicts.append(verdict)
                yield verdict
            w.warn_of_cuts(cut, self.model.name)
        with record.stage("judge") as stage:
            stage.items = len(live)
        yield self._verdict(w, record.trace())

    def _prepare(self, work: Sequence[_Work], record: Recorder) -> list[_Work]:
        """Cut, split and select; return the work that has something to judge."""
        live = [w for w in work if w.reason is None]
        with record.stage("cut") as stage:
            for w in live:
                wanted()
                w.sources = self.cutter.cut(w.case)
                w.reason = None if w.sources else NO_CONTEXTS
            live = [w for w in live if w.reason is None]
            stage.items = sum(len(w.sources) for w in live)
        with record.stage("split") as stage:
            self._split(live)
            live = [w for w in live if w.reason is None]
            stage.items = sum(len(w.claims) for w in live)
        if isinstance(self.model, InLanguages) and [*self.model.languages] == [ENGLISH]:
            for w in live:
                wanted()
                w.warn_of_language(self.model.name)
        wanted()
        with record.stage("select") as stage:
            stage.items = self._select(live)
        return live

    def _split(self, live: Sequence[_Work]) -> None:
        for w, claims in zip(live, self.splitter.split([w.case for w in live]), strict=True):
            w.claims = claims
            if not w.active():
                w.reason = claims[0].idle if claims else NO_CLAIMS

    def _select(self, live: Sequence[_Work]) -> int:
        """Keep each case's selected sources with their weights; return how many are kept."""
        scores = iter(self._relevance(live))
        for w in live:
            ranked = [next(scores) if self.relevance else 0.0 for _ in w.sources]
            if self.relevance:
                w.sources = [replace(s, relevance=score) for s, score in zip(w.sources, ranked, strict=True)]
            kept = self.selector.select([_hit(s, score) for s, score in zip(w.sources, ranked, strict=True)])
            w.sources = [w.sources[i] for i, _ in kept]
            w.weights = [weight for _, weight in kept]
        return sum(len(w.sources) for w in live)

    def _relevance(self, live: Sequence[_Work]) -> list[float]:
        """Return the relevance of every source of every case, as one batch; empty without a relevance model."""
        if self.relevance is None:
            return []
        pairs = [pair for w in live for pair in self._ranking(w)]
        scores = self.relevance.score(pairs)
        _sound(self.relevance.name, len(pairs), scores)
        truncated = iter(self.relevance.truncated(pairs))
        for w in live:
            w.warn_of_cuts(sum(next(truncated) for _ in w.sources), self.relevance.name)
        return scores

    def _ranking(self, w: _Work) -> Iterator[Pair]:
        question = (w.case.question or "").strip()
        query = w.claims[0].text if self.query == "claim" else question or w.case.answer
        return ((query, source.text) for source in w.sources)

    def _premise(self, live: Sequence[_Work]) -> None:
        for w in live:
            wanted()
            w.premises = self.premises.build(w.active(), w.sources, w.weights)

    def _entail(self, live: Sequence[_Work]) -> int:
        """Judge every (premise, claim) pair of every case in one batch; return how many pairs there are."""
        pairs = [pair for w in live for pair in w.pairs()]
        findings = iter(self._findings(pairs))
        truncated = iter(self.model.truncated([(premise.text, claim.text) for premise, claim in pairs]))
        for w in live:
            w.findings = [[next(findings) for _ in premises] for premises in w.premises]
            w.warn_of_cuts(sum(next(truncated) for _ in w.pairs()), self.model.name)
        return len(pairs)

    def _findings(self, pairs: Sequence[tuple[Premise, Claim]]) -> list[Finding]:
        """Return what the model finds of each claim in its premise. Raises CorruptModel for what no model may return."""
        said = self._said(pairs)
        read = cache(_stated) if self.asked else str
        judged = self._read([(read(premise.text), text.text) for (premise, _), text in zip(pairs, said, strict=True)])
        _sound(self.model.name, len(pairs), [reading.entailment.supports for reading in judged])
        return [
            _finding(premise, reading, text) for (premise, _), reading, text in zip(pairs, judged, said, strict=True)
        ]

    def _said(self, pairs: Sequence[tuple[Premise, Claim]]) -> list[Respelled]:
        """Return what the model reads of each claim."""
        if not self.respell:
            return [Respelled(claim.text) for _, claim in pairs]
        read = cache(quantities)
        compared = cache(lambda text: tuple(comparisons(text)) if self.asked else ())
        return [respelled(claim.text, premise.text, read, compared(claim.text)) for premise, claim in pairs]

    def _read(self, pairs: Sequence[Pair]) -> list[Reading]:
        """Judge the pairs, and what else the model reads in the same run."""
        if isinstance(self.model, PairReader):
            return self.model.read(pairs)
        return [Reading(entailment=entailment) for entailment in self.model.entail(pairs)]

    def _judge(self, claim: Claim, findings: Iterator[list[Finding]]) -> ClaimVerdict:
        """Return the verdict on a claim by the next findings; an idle claim has none and takes none."""
        if claim.idle:
            return ClaimVerdict(claim=claim, label=Label.NOT_CHECKABLE, score=None, reason=claim.idle)
        return self.judge.judge(claim, next(findings), self.threshold)

    def _verdict(self, w: _Work, trace: Trace) -> Verdict:
        label, score = Label.NOT_CHECKABLE, None
        if w.reason is None:
            label, score = self.judge.answer([v for v in w.verdicts if v.score is not None], self.threshold)
        return Verdict(
            case=w.case,
            label=label,
            score=score,
            threshold=self.threshold,
            claims=tuple(w.verdicts),
            warnings=tuple(w.warnings),
            reason=w.reason,
            trace=trace,
        )


class _Work:
    """What is known of one case while its batch runs."""

    __slots__ = (
        "case",
        "claims",
        "findings",
        "premises",
        "reason",
        "sources",
        "verdicts",
        "warnings",
        "weights",
    )

    def __init__(self, case: Case) -> None:
        self.case = case
        self.reason = case.reason or (None if case.answer.strip() else NO_ANSWER)
        self.sources: list[Source] = []
        self.weights: list[float] = []
        self.claims: list[Claim] = []
        self.premises: list[list[Premise]] = []
        self.findings: list[list[Finding]] = []
        self.verdicts: list[ClaimVerdict] = []
        self.warnings: list[str] = []

    def active(self) -> list[Claim]:
        """Return the claims that have something to check."""
        return [claim for claim in self.claims if not claim.idle]

    def warn_of_cuts(self, pairs: int, model: str) -> None:
        """Say that `pairs` pairs were longer than the model reads; nothing is cut silently."""
        if pairs:
            self.warnings.append(
                f"{model} was given longer texts than it reads: {pairs} of its pairs were cut at the end"
            )

    def warn_of_language(self, model: str) -> None:
        """Say where the case is plainly in another language than the English that `model` reads.

        What is too short to tell by itself is looked at together.
        """
        texts = [passage.text for passage in self.case.contexts if passage.text.strip()]
        foreign = sum(map(is_foreign, texts))
        places = ["the answer"] if is_foreign(self.case.answer) else []
        if foreign:
            places.append("the contexts" if foreign == len(texts) else f"{foreign} of {len(texts)} contexts")
        elif not places and is_foreign("\n".join([self.case.answer, *texts])):
            places = ["answer and contexts"]
        if places:
            where = " and ".join(places)
            self.warnings.append(
                f"{model} reads English only, and by the look of it another language stands in {where}: "
                "the verdict may well be wrong"
            )

    def pairs(self) -> Iterator[tuple[Premise, Claim]]:
        for claim, premises in zip(self.active(), self.premises, strict=True):
            for premise in premises:
                yield premise, claim


def _stated(text: str) -> str:
    """Return what a premise states: records first, while its questions can still be seen; then its signs in words."""
    return spelled_out(stated(told(text)))


def _finding(premise: Premise, read: Reading, said: Respelled) -> Finding:
    tokens = read.tokens
    if tokens is not None and said.places:
        tokens = replace(tokens, bounds=tuple(said.original(*place) for place in tokens.bounds))
    return Finding(premise=premise, entailment=read.entailment, relevance=read.relevance, tokens=tokens)


def _hit(source: Source, score: float) -> Hit:
    passage = Passage(id=f"{source.index}:{source.span.start}", text=source.text, origin=source.span)
    return Hit(passage=passage, score=score, by="relevance")


def _sound(model: str, wanted: int, scores: Sequence[float]) -> None:
    """Refuse what no model may return: another number of scores than of pairs, or one that is not finite."""
    if len(scores) != wanted:
        raise CorruptModel(f"{model} returned {len(scores)} scores for {wanted} pairs", "check the model's code")
    if not all(map(math.isfinite, scores)):
        raise CorruptModel(f"{model} returned a score that is not a finite number", f"groundwire models verify {model}")
