"""The fused judge: signals, the shipped fusion and its tie to the built-in model."""

import math
from dataclasses import replace

import pytest

from groundwire import models
from groundwire.aggregate import Aggregate
from groundwire.judge import FusedJudge
from groundwire.judge.fused import Fusion, shipped, signals
from groundwire.types import Claim, Entailment, Finding, Label, Premise, Source, Span, TokenLogits

CLAIM = Claim(id="c#0", text="The Ebro is 930 km long.", span=Span(source="answer", start=0, end=24))
TRUE, FALSE = "The river Ebro is 930 km long.", "The river Ebro is 420 km long."


def finding(text: str, supports: float, refutes: float, index: int = 0) -> Finding:
    source = Source(index=index, span=Span(source=f"p{index}", start=0, end=len(text)), text=text)
    entailment = Entailment(supports=supports, refutes=refutes, neutral=1 - supports - refutes)
    return Finding(premise=Premise(text=text, sources=(source,), weights=(1.0,)), entailment=entailment)


def judge(**weights: float) -> FusedJudge:
    return FusedJudge(Aggregate("max", "min"), Fusion(weights=weights, bias=0.0, model_sha256=""))


def test_every_signal_is_finite_even_for_certain_readings_and_two_way_models():
    certain = Finding(premise=finding(TRUE, 1, 0).premise, entailment=Entailment(supports=1.0))
    assert all(math.isfinite(v) for v in signals(CLAIM, [certain]).values())


def test_a_number_that_the_source_lacks_is_a_signal():
    assert signals(CLAIM, [finding(TRUE, 0.5, 0.2)])["numbers_missing"] == 0
    assert signals(CLAIM, [finding(FALSE, 0.5, 0.2)])["numbers_missing"] == 1


def test_the_score_is_the_logistic_of_the_weighted_signals():
    named = signals(CLAIM, [finding(TRUE, 0.7, 0.1)])
    verdict = judge(words=2.0, supports=0.5).judge(CLAIM, [finding(TRUE, 0.7, 0.1)], 0.5)
    assert verdict.score == pytest.approx(1 / (1 + math.exp(-(2 * named["words"] + 0.5 * named["supports"]))))
    assert verdict.signals == named


def test_contradicted_needs_a_place_that_speaks_of_the_claim():
    strict = judge(numbers_missing=-1.0)
    assert strict.judge(CLAIM, [finding(FALSE, 0.1, 0.8)], 0.5).label is Label.CONTRADICTED
    beside = replace(finding(FALSE, 0.1, 0.8), relevance=-1.0)
    assert strict.judge(CLAIM, [beside], 0.5).label is Label.NOT_ENOUGH_INFO
    open_ = replace(finding(FALSE, 0.1, 0.2), relevance=1.0)
    assert strict.judge(CLAIM, [open_, beside], 0.5).label is Label.NOT_ENOUGH_INFO


def test_any_premise_that_is_about_the_claim_may_contradict_it_in_whatever_words():
    reworded = replace(finding("Nobody measures more than 420 km of that stream.", 0.05, 0.9, index=2), relevance=1.0)
    verdict = judge(numbers_missing=-1.0).judge(
        CLAIM, [finding(FALSE, 0.1, 0.3), reworded, finding(FALSE, 0.1, 0.2)], 0.5
    )
    assert verdict.label is Label.CONTRADICTED
    assert verdict.evidence[0].index == 2


def test_sentences_that_were_gathered_from_several_contexts_do_not_contradict():
    one, two = finding(FALSE, 0.1, 0.8), finding(FALSE, 0.1, 0.8, index=1)
    sources = (*one.premise.sources, *two.premise.sources)
    gathered = replace(one, premise=Premise(text=f"{FALSE} {FALSE}", sources=sources, weights=(0.5, 0.5)))
    strict = judge(numbers_missing=-1.0)
    assert strict.judge(CLAIM, [gathered], 0.5).label is Label.NOT_ENOUGH_INFO
    assert strict.judge(CLAIM, [one, gathered], 0.5).label is Label.CONTRADICTED


def test_how_sure_a_denial_has_to_be_is_fitted():
    found = [finding(FALSE, 0.2, 0.5)]
    likely = math.log(0.5 / 0.3)
    assert signals(CLAIM, found)["denied"] == pytest.approx(likely)
    for bound, label in ((likely - 0.01, Label.CONTRADICTED), (likely + 0.01, Label.NOT_ENOUGH_INFO)):
        fusion = Fusion(weights={}, bias=-1.0, model_sha256="", denied=bound)
        assert FusedJudge(Aggregate("max", "min"), fusion).judge(CLAIM, found, 0.5).label is label


def test_what_reads_as_support_keeps_a_claim_from_being_contradicted():
    backing, denying = finding(TRUE, 0.97, 0.02), replace(finding(FALSE, 0.05, 0.9), relevance=3.0)
    for found in ([backing], [backing, denying], [denying, backing]):
        assert judge().judge(CLAIM, found, 0.99).label is Label.NOT_ENOUGH_INFO
        assert signals(CLAIM, found)["denied"] < -10


def test_a_quotation_is_never_contradicted_by_itself():
    said = finding(CLAIM.text, 0.1, 0.8)
    assert judge(words=-1.0).judge(CLAIM, [said], 0.99).label is not Label.CONTRADICTED


def test_what_a_model_does_not_say_is_left_open_is_what_remains():
    silent = replace(finding(FALSE, 0.0, 0.0), entailment=Entailment(supports=0.3, refutes=0.02))
    assert signals(CLAIM, [silent])["denied"] == pytest.approx(math.log(0.02 / 0.68))


def test_a_two_way_model_denies_nothing():
    two_way = [replace(finding(FALSE, 0.0, 0.0), entailment=Entailment(supports=0.1))]
    assert judge(numbers_missing=-1.0).judge(CLAIM, two_way, 0.5).label is Label.NOT_ENOUGH_INFO


def test_only_a_claim_that_is_not_supported_has_spans():
    tokens = TokenLogits(bounds=((0, 3), (4, 8), (9, 11), (12, 15)), logits=(-2.0, -2.0, -2.0, 0.5))
    read = replace(finding(FALSE, 0.1, 0.8), tokens=tokens)
    assert [s.of(CLAIM.text) for s in judge(numbers_missing=-1.0).judge(CLAIM, [read], 0.5).spans] == ["930"]
    assert judge(numbers_missing=1.0).judge(CLAIM, [read], 0.5).spans == ()
    cautious = replace(
        judge(numbers_missing=-1.0), fusion=Fusion(weights={}, bias=-1.0, model_sha256="", unbacked=-3.0)
    )
    assert [s.of(CLAIM.text) for s in cautious.judge(CLAIM, [read], 0.5).spans] == ["The Ebro is 930"]


def test_the_shipped_threshold_of_words_is_a_logit():
    assert -5 < shipped().unbacked < 5


def test_the_shipped_fusion_was_fitted_for_the_shipped_model():
    assert shipped().model_sha256 == models.builtin_sha256()


def test_the_shipped_fusion_reads_only_signals_that_exist():
    assert set(shipped().weights) <= set(signals(CLAIM, [finding(TRUE, 0.5, 0.2)]))


def test_the_shipped_fusion_prefers_what_it_should():
    weights = shipped().weights
    assert all(weights[name] < 0 for name in weights if name.startswith("refutes") or name.endswith("_missing"))
    assert weights["backed"] > 0
    assert all(weights[name] > 0 for name in weights if name.startswith("overlap"))
    assert "relevance" not in weights


def test_a_premise_counts_as_far_as_it_is_about_the_claim():
    about, beside = (replace(finding(TRUE, 0.9, 0.05), relevance=logit) for logit in (6.0, -6.0))
    near, far, both, blind = (
        signals(CLAIM, found) for found in ([about], [beside], [beside, about], [finding(TRUE, 0.9, 0.05)])
    )
    assert near["backed"] == pytest.approx(math.log(9), abs=0.03)
    assert far["backed"] < math.log(0.01)
    assert far["overlap_relevant"] < 0.01 < 0.8 < near["overlap_relevant"]
    assert both["backed"] == near["backed"]
    assert both["relevance"] == 6.0
    assert blind["overlap_relevant"] == blind["overlap_best"]


def test_however_sure_the_model_is_it_is_not_believed_without_end():
    most, more, least = (signals(CLAIM, [finding(TRUE, supports, 0.0)])["backed"] for supports in (1.0, 1 - 1e-5, 0.0))
    assert most == more == pytest.approx(math.log(999))
    assert least == pytest.approx(-math.log(9999))


def test_words_that_were_gathered_from_several_contexts_are_not_counted_as_shared():
    parts = [Source(index=i, span=Span(source=str(i), start=0, end=len(TRUE)), text=TRUE) for i in range(2)]
    one, two = (
        signals(
            CLAIM, [replace(finding(TRUE, 0.3, 0.2), premise=Premise(text=TRUE, sources=tuple(some), weights=(1.0,)))]
        )
        for some in (parts[:1], parts)
    )
    assert one["overlap_relevant"] > 0.8 > 0.0 == two["overlap_relevant"]
    assert one["backed"] == two["backed"]
