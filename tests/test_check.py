"""The check path: Provenance exactly (sections 2.1 and 2.6 of the specification) and the default's promises."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from groundwire.aggregate import Aggregate
from groundwire.check import CheckPath
from groundwire.claims import PromptClaim, SentenceClaims
from groundwire.errors import Cancelled, CorruptModel, UsageError
from groundwire.judge import ThresholdJudge
from groundwire.models.batcher import Ticket
from groundwire.premises import parse as premises
from groundwire.protocols import Checker, Pair
from groundwire.select import parse as select
from groundwire.sources import parse as sources
from groundwire.testing import OverlapModel
from groundwire.types import (
    Case,
    Claim,
    ClaimVerdict,
    Entailment,
    Finding,
    Label,
    Passage,
    Reading,
    TokenLogits,
    Verdict,
)


@dataclass
class Scripted:
    """An entailment model and a relevance scorer with scores by text, that remembers what it was asked."""

    supports: dict[str, float]
    relevance: dict[str, float] = field(default_factory=dict)
    refutes: dict[str, float] | None = None
    too_long: frozenset[str] = frozenset()
    name: str = "scripted"
    asked: list[Pair] = field(default_factory=list)

    def entail(self, pairs: Sequence[Pair]) -> list[Entailment]:
        self.asked += pairs
        return [
            Entailment(supports=self.supports[a], refutes=None if self.refutes is None else self.refutes.get(a, 0.0))
            for a, _ in pairs
        ]

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        return [self.relevance[b] for _, b in pairs]

    def truncated(self, pairs: Sequence[Pair]) -> list[bool]:
        return [a in self.too_long or b in self.too_long for a, b in pairs]


@dataclass
class Doubtful(Scripted):
    """The same, which also reads each claim as one token that is unbacked as far as its premise does not support it."""

    def read(self, pairs: Sequence[Pair]) -> list[Reading]:
        return [
            Reading(entailment=e, tokens=TokenLogits(bounds=((0, len(claim)),), logits=(0.5 - e.supports,)))
            for e, (_, claim) in zip(self.entail(pairs), pairs, strict=True)
        ]


@dataclass
class Keeping:
    """A judge that keeps the findings it was given."""

    judge_: ThresholdJudge
    findings: list[Finding] = field(default_factory=list)

    def judge(self, claim: Claim, findings: Sequence[Finding], threshold: float) -> ClaimVerdict:
        self.findings += findings
        return self.judge_.judge(claim, findings, threshold)

    def answer(self, verdicts: Sequence[ClaimVerdict], threshold: float) -> tuple[Label, float]:
        return self.judge_.answer(verdicts, threshold)


@pytest.mark.parametrize("model", [Scripted, Doubtful])
def test_each_finding_carries_the_tokens_of_its_pair_in_one_run(model):
    asked = model({"A one": 0.2, "B two": 0.9}, {"A one": 1.0, "B two": 1.0})
    path = provenance(asked)
    judge = Keeping(path.judge)
    replace(path, judge=judge).check([case("A one", "B two")])
    assert len(asked.asked) == 2
    logits = [None if f.tokens is None else f.tokens.logits for f in judge.findings]
    assert logits == ([None, None] if model is Scripted else [(0.3,), (-0.4,)])


def provenance(
    model: Scripted, *, selector="top-p:0.9", mode="per-source", aggregate="max", threshold=0.5
) -> CheckPath:
    return CheckPath(
        name="provenance",
        cutter=sources("chunk"),
        relevance=model,
        selector=select(selector),
        splitter=PromptClaim(),
        premises=premises(mode),
        model=model,
        judge=ThresholdJudge(Aggregate(aggregate, "min")),
        threshold=threshold,
    )


def case(*contexts: str, answer="Ann.", question: str | None = "who won", name="c") -> Case:
    passages = tuple(Passage(id=f"p{i}", text=t) for i, t in enumerate(contexts))
    return Case(id=name, question=question, answer=answer, contexts=passages)


SUPPORTS = {"A one": 0.2, "B two": 0.9, "C three": 0.6}
RELEVANCE = {"A one": 2.0, "B two": 0.0, "C three": 1.0}


def one(path: CheckPath, asked: Case) -> Verdict:
    return path.check([asked])[0]


def test_the_claim_is_judged_against_each_selected_source():
    model = Scripted(SUPPORTS, RELEVANCE)
    one(provenance(model), case("A one", "B two", "C three"))
    claim = "The answer to question who won is Ann."
    assert model.asked == [("A one", claim), ("C three", claim)]  # softmax .67 .24 .09: two reach .9


@pytest.mark.parametrize(
    ("policy", "score"), [("min", 0.2), ("max", 0.9), ("weighted", 0.66524 * 0.2 + 0.09003 * 0.9 + 0.24473 * 0.6)]
)
def test_aggregation_of_all_three(policy, score):
    path = provenance(Scripted(SUPPORTS, RELEVANCE), selector="top-k:5", aggregate=policy)
    assert one(path, case("A one", "B two", "C three")).score == pytest.approx(score, abs=1e-4)


def test_combined_mode_joins_the_selected_sources_in_their_original_order():
    model = Scripted({"B two C three": 0.7}, {"A one": 0.0, "B two": 4.0, "C three": 5.0})
    verdict = one(provenance(model, mode="combined"), case("A one", "B two", "C three"))
    assert verdict.score == 0.7
    assert [verdict.text_of(e) for e in verdict.claims[0].evidence] == ["B two", "C three"]


def test_one_source_has_all_the_weight():
    verdict = one(provenance(Scripted(SUPPORTS, RELEVANCE), aggregate="weighted"), case("B two"))
    assert verdict.score == pytest.approx(0.9)
    assert verdict.claims[0].evidence[0].weight == 1.0
    assert verdict.claims[0].evidence[0].relevance == 0.0


def test_the_score_at_the_threshold_is_grounded():
    assert one(provenance(Scripted({"x": 0.5}, {"x": 1.0})), case("x")).grounded
    assert not one(provenance(Scripted({"x": 0.4999}, {"x": 1.0})), case("x")).grounded


def test_without_a_question_the_answer_is_query_and_claim():
    model = Scripted({"x": 0.5}, {"x": 1.0})
    one(provenance(model), case("x", question=None))
    assert model.asked == [("x", "Ann.")]


def test_a_two_way_model_never_says_contradicted():
    assert one(provenance(Scripted({"x": 0.0}, {"x": 1.0})), case("x")).label is Label.NOT_ENOUGH_INFO


def test_a_three_way_model_may():
    assert one(provenance(Scripted({"x": 0.1}, {"x": 1.0}, {"x": 0.8})), case("x")).label is Label.CONTRADICTED


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (case(), "contexts"),
        (case("", "  \n"), "contexts"),
        (case("x", answer=""), "answer"),
        (case("x", answer="  "), "answer"),
        (case("x", answer="---", question=None), "nothing"),
        (Case(id="c", answer="", contexts=(), reason="row 3 has no answer"), "row 3"),
    ],
)
def test_what_cannot_be_checked_says_why_and_has_no_score(asked, reason):
    verdict = one(provenance(Scripted({"x": 0.5}, {"x": 1.0})), asked)
    assert verdict.label is Label.NOT_CHECKABLE
    assert verdict.score is None
    assert verdict.reason is not None
    assert reason in verdict.reason


def test_cases_keep_their_order_when_some_cannot_be_checked():
    path = provenance(Scripted(SUPPORTS, RELEVANCE))
    verdicts = path.check([case("A one", name="1"), case(name="2"), case("B two", name="3")])
    assert [v.case.id for v in verdicts] == ["1", "2", "3"]
    assert [v.score for v in verdicts] == [0.2, None, 0.9]


def test_an_empty_batch():
    assert provenance(Scripted({})).check([]) == []


def test_a_cut_text_is_warned_about():
    verdict = one(provenance(Scripted({"x": 0.5}, {"x": 1.0}, too_long=frozenset({"x"}))), case("x"))
    assert len(verdict.warnings) == 2  # once as a source that was ranked, once as a premise
    assert all("cut" in warning for warning in verdict.warnings)


def test_a_threshold_outside_zero_to_one_is_refused():
    with pytest.raises(UsageError, match="threshold"):
        provenance(Scripted({}), threshold=1.2)


def sentences(model: OverlapModel | None = None) -> CheckPath:
    return CheckPath(
        name="sentences",
        cutter=sources("window:100:30"),
        selector=select("all"),
        splitter=SentenceClaims(),
        premises=premises("shortlist:4:4"),
        model=model or OverlapModel(),
        judge=ThresholdJudge(Aggregate("max", "min"), narrow=True),
        threshold=0.8,
    )


CONTEXTS = (
    "Bread is made of flour. The Ebro rises in Cantabria.",
    "The delta of the Ebro grows rice. Trains run hourly.",
)


def test_each_sentence_has_its_own_verdict_and_its_evidence():
    answer = "The Ebro rises in Cantabria. Penguins live on Mars."
    verdict = one(sentences(), case(*CONTEXTS, answer=answer, question=None))
    assert [v.label for v in verdict.claims] == [Label.SUPPORTED, Label.NOT_ENOUGH_INFO]
    assert verdict.label is Label.NOT_ENOUGH_INFO
    first = verdict.claims[0]
    assert first.claim.span.of(answer) == "The Ebro rises in Cantabria."
    assert verdict.text_of(first.evidence[0]) == "The Ebro rises in Cantabria."
    assert (first.evidence[0].index, first.evidence[0].span.source) == (0, "p0")


def test_a_fact_need_not_stand_in_every_source():
    assert one(sentences(), case(*CONTEXTS, answer="The delta of the Ebro grows rice.")).grounded


@pytest.mark.parametrize("n", [5, 20])
def test_unrelated_contexts_change_no_verdict(n):
    noise = [f"Note {i}: some other matter, number {i}, of no interest." for i in range(n)]
    answer = "The Ebro rises in Cantabria. Penguins live on Mars."
    alone = one(sentences(), case(*CONTEXTS, answer=answer))
    among = one(sentences(), case(*noise, *CONTEXTS, *noise, answer=answer))
    assert [v.label for v in among.claims] == [v.label for v in alone.claims]
    assert among.score == pytest.approx(alone.score)


def test_what_asserts_nothing_does_not_count():
    verdict = one(sentences(), case(*CONTEXTS, answer="Yes, it is. The Ebro rises in Cantabria. Does that help?"))
    assert verdict.grounded
    assert [v.label for v in verdict.claims] == [Label.NOT_CHECKABLE, Label.SUPPORTED, Label.NOT_CHECKABLE]
    assert [v.score is None for v in verdict.claims] == [True, False, True]


def test_the_trace_says_what_ran_on_how_much():
    verdict = one(sentences(), case(*CONTEXTS, answer="The Ebro rises."))
    assert verdict.trace is not None
    assert [s.name for s in verdict.trace.stages] == ["cut", "split", "select", "entail", "judge"]
    assert verdict.trace.stages[0].items == 2


def test_a_path_is_a_checker_and_its_verdict_prints_and_travels():
    path = sentences()
    assert isinstance(path, Checker)
    verdict = one(path, case(*CONTEXTS, answer="The Ebro rises in Cantabria."))
    assert Verdict.from_dict(verdict.to_dict()) == verdict
    assert "The Ebro rises in Cantabria." in str(verdict)


HARD_TEXTS = [
    "\x00\x00a",
    "\ud800 lone",
    "שלום עולם. مرحبا؟",
    "🙂🙂 ok",
    "東京は日本の首都です。人口は多い。",
    "กรุงเทพเป็นเมืองหลวง",
    "w" * 10**6,
]


@pytest.mark.parametrize("text", HARD_TEXTS)
def test_hard_texts_on_either_side(text):
    verdict = one(sentences(), case(text, answer=text))
    assert verdict.claims
    assert verdict.score is not None
    assert 0 <= verdict.score <= 1
    for claim in verdict.claims:
        assert claim.claim.span.of(text).strip()
        for evidence in claim.evidence:
            assert verdict.text_of(evidence) in text


@pytest.mark.parametrize("score", [math.nan, math.inf])
def test_a_score_that_is_not_finite_never_becomes_a_verdict(score):
    with pytest.raises(CorruptModel, match="finite"):
        one(provenance(Scripted({"x": score}, {"x": 1.0})), case("x"))
    with pytest.raises(CorruptModel, match="finite"):
        one(provenance(Scripted({"x": 0.5}, {"x": score})), case("x"))


def test_a_model_that_loses_pairs_is_refused():
    class Short(Scripted):
        def entail(self, pairs: Sequence[Pair]) -> list[Entailment]:
            return super().entail(pairs)[1:]

    with pytest.raises(CorruptModel, match="0 scores for 1 pairs"):
        one(provenance(Short({"x": 0.5}, {"x": 1.0})), case("x"))


def test_a_question_alone_in_an_answer_is_not_checked():
    assert one(sentences(), case("x", answer="Who won the race?", question=None)).label is Label.NOT_CHECKABLE


class Counting:
    name = "counting"

    def __init__(self) -> None:
        self.calls, self._model = 0, OverlapModel()

    def entail(self, pairs: Sequence[Pair]) -> list[Entailment]:
        self.calls += 1
        return self._model.entail(pairs)

    def truncated(self, pairs: Sequence[Pair]) -> list[bool]:
        return self._model.truncated(pairs)


def told_apart(path: CheckPath, asked: Case, **options) -> tuple[list[ClaimVerdict], Verdict]:
    *claims, verdict = path.unfold(asked, **options)
    return claims, verdict


HELD = "Rome is in Italy. Paris is not in Italy."
LONG_ANSWER = f"Sure! Rome is in Italy. Is it old? {HELD} Emma is a novel by Jane Austen. It was not written in 1815."


@pytest.mark.parametrize("answer", [LONG_ANSWER, "Rome is in Italy.", "", "Is it?", "Sure!"])
def test_unfolding_gives_every_claim_and_then_what_a_check_gives(answer):
    asked = case(HELD, "Emma was written by Jane Austen in 1815.", answer=answer)
    path = sentences()
    wanted = path.check([asked])[0]
    claims, verdict = told_apart(path, asked)
    assert claims == list(wanted.claims) == list(verdict.claims)
    assert replace(verdict, trace=None) == replace(wanted, trace=None)


def test_unfolding_warns_of_cuts_as_a_check_does():
    asked = case("A one", "B two", answer="Ann.")
    path = provenance(Scripted(SUPPORTS, RELEVANCE, too_long=frozenset({"A one"})))
    assert told_apart(path, asked)[1].warnings == path.check([asked])[0].warnings != ()


def test_a_claim_is_given_before_the_next_one_is_read():
    model = Counting()
    steps = sentences(model).unfold(case(HELD, answer=LONG_ANSWER))
    assert next(steps).claim.idle
    assert model.calls == 0
    assert next(steps).claim.text == "Rome is in Italy."
    assert model.calls == 1


def test_a_claim_that_is_known_is_not_read_again():
    model = Counting()
    path = sentences(model)
    known, _ = told_apart(path, case(HELD, answer="Rome is in Italy. Paris is big."))
    changed = replace(known[1], claim=replace(known[1].claim, text="Paris is small."))
    model.calls = 0
    whole = case(HELD, answer="Rome is in Italy. Paris is big. Rome is not in Italy.")
    _, verdict = told_apart(path, whole, known=[known[0], changed])
    assert model.calls == 2
    assert replace(verdict, trace=None) == replace(path.check([whole])[0], trace=None)


def test_work_that_is_no_longer_wanted_ends_between_its_parts():
    ticket, model = Ticket(), Counting()
    path = sentences(model)
    withdrawing = replace(path, splitter=Withdrawing(path.splitter, ticket))
    with ticket.held(), pytest.raises(Cancelled):
        withdrawing.check([case(HELD)])
    assert model.calls == 0


@dataclass
class Withdrawing:
    splitter: SentenceClaims
    ticket: Ticket

    def split(self, cases: Sequence[Case]) -> list[list[Claim]]:
        self.ticket.cancel()
        return self.splitter.split(cases)
