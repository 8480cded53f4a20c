"""Quotations: what counts as one, and that no reading of a model stands against it."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from groundwire import check
from groundwire.judge.quoted import SURE, with_quotations
from groundwire.types import Entailment, Finding, Premise, Source, Span

TEXT = (
    "The plane cost £400million. It was built for a Mr. Hale (then 63). He said that the door is blue. Is it -5 or 5?"
)


def finding(text: str, relevance: float | None = -3.0, refutes: float | None = 0.9) -> Finding:
    """A model's no to whatever is asked of this text."""
    source = Source(index=0, span=Span(source="0", start=0, end=len(text)), text=text)
    neutral = None if refutes is None else 0.05
    return Finding(
        premise=Premise(text=text, sources=(source,), weights=(1.0,)),
        entailment=Entailment(supports=0.05, refutes=refutes, neutral=neutral),
        relevance=relevance,
    )


@pytest.mark.parametrize(
    "claim",
    [
        "The plane cost £400million.",
        "the plane cost £ 400 million .",
        "It was built for a Mr Hale (then 63)",
        "The plane cost £400million. It was built for a Mr. Hale ( then 63 ).",
        "Is it -5 or 5?",
        TEXT,
    ],
)
def test_whole_sentences_are_backed(claim: str) -> None:
    [found] = with_quotations(claim, [finding(TEXT)])
    assert found.entailment.supports == SURE
    assert sum(p or 0.0 for p in (found.entailment.supports, found.entailment.refutes, found.entailment.neutral)) == 1
    assert found.relevance is not None
    assert found.relevance > 0


@pytest.mark.parametrize(
    "claim",
    [
        "The door is blue.",
        "The plane cost $400million.",
        "The plane cost £400.",
        "Is it 5 or 5?",
        "The plane cost £400million. He said that the door is blue.",
        "It was built.",
        "",
        "…",
    ],
)
def test_anything_less_is_the_models(claim: str) -> None:
    assert with_quotations(claim, [finding(TEXT)]) == [finding(TEXT)]


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("The cure is now here.", "The cure is nowhere."),
        ("They won 2 - 1.", "They won 21."),
        ("Rooms 3, 4 are free.", "Rooms 34 are free."),
        ("Take 1 / 2 cup.", "Take 12 cup."),
        ("A fever is ≥ 38 °C.", "A fever is ≤ 38 °C."),
        ("It was –25 °C.", "It was 25 °C."),
        ("The sum is -$5.", "The sum is $5."),
        ("It weighs .5 kg.", "It weighs 5 kg."),
        ("It costs 1.5 euros.", "It costs 15 euros."),
        ("There are 10^6 of them.", "There are 106 of them."),
        ("The vote was 👍.", "The vote was 👎."),
        ("यह काम है।", "यह कम है।"),
        ("Is the door blue?", "The door is blue."),
        ("门是蓝色的？", "门是蓝色的。"),
    ],
)
def test_what_differs_in_a_sign_is_no_quotation(source: str, claim: str) -> None:
    assert with_quotations(claim, [finding(source)]) == [finding(source)]
    [same] = with_quotations(source, [finding(source)])
    assert same.entailment.supports == SURE


@pytest.mark.parametrize(
    "source",
    [
        "Do not:\n- Take it with alcohol.\n- Drive.",
        'She lied: "I came in. Take it with alcohol. I left."',
        "She lied. “I came in. Take it with alcohol. I left.”",
        "take it with alcohol. So they say.",
        "It is a mistake. Take it with alcohol",
    ],
)
def test_what_is_not_the_sources_own_whole_sentence_is_the_models(source: str) -> None:
    assert with_quotations("Take it with alcohol.", [finding(source)]) == [finding(source)]


def test_a_sure_reading_of_what_seems_beside_the_point_is_about_it_after_all() -> None:
    sure = replace(finding(TEXT), entailment=Entailment(supports=0.9999, refutes=0.00005, neutral=0.00005))
    [found] = with_quotations(TEXT, [sure])
    assert found.entailment.supports == 0.9999
    assert found.relevance is not None
    assert found.relevance > 0


def test_it_takes_linear_time() -> None:
    began = time.perf_counter()
    with_quotations("a" * 500_000, [finding("a" * 1_000_000 + ".")])
    with_quotations("A b. " * 50_000, [finding("A b. " * 100_000 + "A c.")])
    assert time.perf_counter() - began < 10


def test_other_premises_keep_their_readings() -> None:
    other = finding("The plane was cheap.")
    assert with_quotations("The plane cost £400million.", [other, finding(TEXT)])[0] == other


def test_what_a_model_does_not_read_stays_unread() -> None:
    [found] = with_quotations("He said that the door is blue.", [finding(TEXT, None, None)])
    assert (found.relevance, found.entailment) == (None, Entailment(supports=SURE))


@pytest.mark.parametrize(
    "sentence",
    [
        "The custom-built Boeing is believed to have cost its owner £400million after it was fitted out over three years.",
        "At the same time, managers, which made a £42 million profit, received up to £3,500 in bonuses.",
        "Sunderland (home) May 20.",
    ],
)
def test_a_sentence_of_the_context_is_supported(sentence: str) -> None:
    verdict = check(answer=sentence, contexts=[f"It was a long week. {sentence} Nobody knew why."])
    assert verdict.label == "supported"
    assert verdict.score is not None
    assert verdict.score > 0.9


def test_sentences_from_two_places_are_no_text() -> None:
    """ "He" is somebody else where something is left out between, or where another context begins."""
    said = "Carl Voss was a pianist. He died in 1921."
    first, second = (part + "." for part in said[:-1].split(". "))
    for index, start in ((0, 60), (1, 0)):
        parts = (
            Source(index=0, span=Span(source="0", start=0, end=len(first)), text=first),
            Source(index=index, span=Span(source=str(index), start=start, end=start + len(second)), text=second),
        )
        gathered = replace(finding(said), premise=Premise(text=said, sources=parts, weights=(0.5, 0.5)))
        assert with_quotations(said, [gathered]) == [gathered]
    beside = replace(parts[1], index=0, span=Span(source="0", start=len(first) + 1, end=len(said)))
    whole = replace(finding(said), premise=Premise(text=said, sources=(parts[0], beside), weights=(0.5, 0.5)))
    assert with_quotations(said, [whole]) != [whole]
