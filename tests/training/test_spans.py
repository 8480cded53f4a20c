"""Fitting the threshold of unbacked words on claims whose wrong words are known."""

import pytest

from groundwire import recipes
from groundwire.errors import InputError
from groundwire.training.mixture import Mixture, write
from groundwire.training.sample import NEI, REFUTES, SUPPORTS, Sample
from groundwire.training.spans import GRID, PAIRS, Doubted, collect, fit, pair_cases
from groundwire.types import Case, Claim, Entailment, Finding, Passage, Premise, Source, Span, TokenLogits

MIXTURE = Mixture(seed=1, validation_share=0.1, counts={})
TEXT = "one two three four"
BOUNDS = ((0, 3), (4, 7), (8, 13), (14, 18))


def doubted(group: str, logits: tuple[float, ...], gold: tuple[bool, ...]) -> Doubted:
    source = Source(index=0, span=Span(source="p", start=0, end=4), text="text")
    finding = Finding(
        premise=Premise(text="text", sources=(source,), weights=(1.0,)),
        entailment=Entailment(supports=0.1),
        tokens=TokenLogits(bounds=BOUNDS, logits=logits),
    )
    claim = Claim(id="c#0", text=TEXT, span=Span(source="answer", start=0, end=len(TEXT)))
    return Doubted(group, claim, [finding], BOUNDS, gold)


def test_the_threshold_parts_the_wrong_words_from_the_others() -> None:
    rows = [doubted("a", (-3.0, -1.1, -1.2, -3.0), (False, True, True, False))] * 3
    threshold, report = fit(rows)
    assert -3.0 <= threshold < -1.2
    assert report == {"word_f1/a": 1.0, "n_spans/a": 3.0}


def test_every_group_weighs_the_same() -> None:
    one = doubted("a", (2.0, 1.0, -3.0, -3.0), (True, False, False, False))
    other = doubted("b", (2.0, 1.0, -3.0, -3.0), (True, True, False, False))
    few, many = fit([one, other])[0], fit([one] * 9 + [other])[0]
    assert few == many
    assert few in GRID


def test_without_rows_there_is_nothing_to_fit() -> None:
    with pytest.raises(InputError, match="known spans"):
        fit([])


def test_minimal_pairs_are_the_held_out_ones_with_edited_words(tmp_path) -> None:
    def sample(claim: str, operator: str, spans: tuple[tuple[int, int], ...] | None, label: int = REFUTES) -> Sample:
        return Sample(evidence="It rained.", claim=claim, label=label, spans=spans, source="s", operator=operator)

    kept = sample("It snowed.", "opposite", ((3, 9),))
    others = [
        sample("It rained.", "opposite", (), SUPPORTS),
        sample("Elsewhere.", "unrelated", ((0, 9),), NEI),
        sample("Near it.", "digest-near", ((0, 8),), NEI),
        sample("No operator.", "", ((0, 2),)),
        sample("Unknown.", "instead", None, NEI),
    ]
    write([*others, kept], tmp_path / "training" / "validation.jsonl")
    [case] = pair_cases(MIXTURE, tmp_path, 9)
    assert (case.answer, [span.of(case.answer) for span in case.spans]) == ("It snowed.", ["snowed"])


def test_every_claim_with_a_wrong_word_is_collected_whatever_its_verdict() -> None:
    evidence = "The Ebro is a river of Spain. It is 930 km long."
    answer = "The Ebro is a river of Spain. It is 420 km long."
    at = answer.index("420")
    case = Case(
        id="x#y",
        answer=answer,
        contexts=(Passage(id="0", text=evidence),),
        spans=(Span(source="answer", start=at, end=at + 3),),
    )
    [row] = collect(recipes.build("default"), [(PAIRS, case)])
    assert (row.group, row.claim.span.of(answer)) == (PAIRS, "It is 420 km long.")
    assert [answer[s:e] for (s, e), wrong in zip(row.bounds, row.gold, strict=True) if wrong] == ["420"]
    assert row.findings[0].tokens is not None
    with pytest.raises(InputError, match="fused judge"):
        collect(recipes.build("model-alone"), [(PAIRS, case)])
