"""The threshold judge: labels of claims and answers, and the order of the evidence."""

from groundwire.aggregate import Aggregate
from groundwire.judge import ThresholdJudge
from groundwire.types import Claim, ClaimVerdict, Entailment, Finding, Label, Premise, Source, Span

CLAIM = Claim(id="c#0", text="The Ebro rises in Cantabria.", span=Span(source="answer", start=0, end=28))
JUDGE = ThresholdJudge(Aggregate("max", "min"))


def finding(
    index: int, text: str, supports: float, refutes: float | None = None, neutral: float | None = None
) -> Finding:
    source = Source(index=index, span=Span(source=f"p{index}", start=0, end=len(text)), text=text)
    premise = Premise(text=text, sources=(source,), weights=(1.0,))
    return Finding(premise=premise, entailment=Entailment(supports=supports, refutes=refutes, neutral=neutral))


def verdict(label: Label, score: float) -> ClaimVerdict:
    return ClaimVerdict(claim=CLAIM, label=label, score=score)


def test_supported_by_the_best_source():
    judged = JUDGE.judge(CLAIM, [finding(0, "a", 0.1), finding(1, "b", 0.8)], 0.5)
    assert (judged.label, judged.score) == (Label.SUPPORTED, 0.8)
    assert [e.index for e in judged.evidence] == [1, 0]


def test_contradicted_only_when_nothing_supports():
    against, for_it = finding(0, "a", 0.1, 0.9, 0.0), finding(1, "b", 0.8, 0.1, 0.1)
    assert JUDGE.judge(CLAIM, [against, for_it], 0.5).label is Label.SUPPORTED
    assert JUDGE.judge(CLAIM, [against], 0.5).label is Label.CONTRADICTED


def test_a_contradicted_claim_cites_what_refutes_it_first():
    judged = JUDGE.judge(CLAIM, [finding(0, "a", 0.3, 0.2, 0.5), finding(1, "b", 0.1, 0.9, 0.0)], 0.5)
    assert [e.index for e in judged.evidence] == [1, 0]


def test_not_enough_info_when_the_source_leaves_it_open():
    assert JUDGE.judge(CLAIM, [finding(0, "a", 0.1, 0.3, 0.6)], 0.5).label is Label.NOT_ENOUGH_INFO


def test_narrow_cites_the_sentence_that_shares_most():
    text = "Bread is made of flour. The river Ebro rises in Cantabria. Trains run."
    judged = ThresholdJudge(Aggregate("max", "min"), narrow=True).judge(CLAIM, [finding(0, text, 0.9)], 0.5)
    assert judged.evidence[0].span.of(text) == "The river Ebro rises in Cantabria."


def test_the_same_place_is_cited_once():
    judged = JUDGE.judge(CLAIM, [finding(0, "a", 0.9), finding(0, "a", 0.4)], 0.5)
    assert [e.entailment.supports for e in judged.evidence] == [0.9]


def test_one_contradicted_claim_contradicts_the_answer():
    verdicts = [verdict(Label.SUPPORTED, 0.9), verdict(Label.CONTRADICTED, 0.1), verdict(Label.NOT_ENOUGH_INFO, 0.2)]
    assert JUDGE.answer(verdicts, 0.5) == (Label.CONTRADICTED, 0.1)


def test_an_answer_is_supported_when_all_of_it_is():
    assert JUDGE.answer([verdict(Label.SUPPORTED, 0.9), verdict(Label.SUPPORTED, 0.7)], 0.5) == (Label.SUPPORTED, 0.7)


def test_an_answer_is_as_good_as_its_weakest_claim():
    mixed = [verdict(Label.SUPPORTED, 0.99)] * 9 + [verdict(Label.NOT_ENOUGH_INFO, 0.49)]
    assert JUDGE.answer(mixed, 0.5) == (Label.NOT_ENOUGH_INFO, 0.49)
    assert JUDGE.answer(mixed, 0.4)[0] is Label.SUPPORTED


def test_nothing_contradicts_a_claim_that_a_source_reads_as_supported():
    findings = [finding(0, "a", 0.1, 0.8, 0.1), finding(1, "b", 0.45, 0.2, 0.35)]
    assert JUDGE.judge(CLAIM, findings, 0.5).label is Label.NOT_ENOUGH_INFO


def test_narrow_cites_the_figure_that_stands_against_a_figure():
    text = "Elly Tran Ha is a Vietnamese model. She was 24 years old then. Her photographs are known."
    claim = Claim(id="c#0", text="Elly Tran Ha is 35 years old.", span=Span(source="answer", start=0, end=29))
    judged = ThresholdJudge(Aggregate("max", "min"), narrow=True).judge(claim, [finding(0, text, 0.1, 0.8)], 0.5)
    assert judged.evidence[0].span.of(text) == "She was 24 years old then."
