"""Signs of figures: a source denies the other one, and nothing else is taken from the model."""

from __future__ import annotations

import pytest

from groundwire import check
from groundwire.judge.quoted import SURE
from groundwire.judge.signs import with_signs
from groundwire.types import Entailment, Finding, Premise, Source, Span


def finding(text: str) -> Finding:
    """A model's yes to whatever is asked of this text."""
    source = Source(index=0, span=Span(source="0", start=0, end=len(text)), text=text)
    return Finding(
        premise=Premise(text=text, sources=(source,), weights=(1.0,)),
        entailment=Entailment(supports=0.9, refutes=0.05, neutral=0.05),
        relevance=3.0,
    )


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("It was -12 degrees in Oslo at noon.", "It was 12 degrees in Oslo at noon."),
        ("It was 12 degrees in Oslo at noon.", "It was -12 degrees in Oslo at noon."),
        ("It was 12 degrees in Oslo at noon.", "It was minus 12 degrees in Oslo."),
        ("Growth was -3.2% in 2020.", "The economy grew by 3.2% in 2020."),
        ("Net cash flow was −75 million euros.", "Net cash flow was 75 million euros."),
        ("The balance is -$40.", "The balance is $40."),
    ],
)
def test_the_other_sign_is_denied(source: str, claim: str) -> None:
    [found] = with_signs(claim, [finding(source)])
    assert found.entailment.refutes == SURE


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("It was -12 degrees at noon.", "It was -12 degrees at noon."),
        ("It was -12 degrees at noon.", "It was minus 12 degrees at noon."),
        ("It was -12 degrees at noon and 12 degrees at six.", "It was 12 degrees at six."),
        ("Growth was -3.2% in 2020.", "The economy shrank by 3.2% in 2020."),
        ("Growth was -3.2% in 2020.", "There was a loss of 3.2%."),
        ("Output fell by 3.2%.", "Growth was -3.2%."),
        ("It was -12 degrees at noon.", "There were 12 people."),
        ("Pages 3-12 people read.", "12 people read."),
        ("It has 10 -12 seats.", "It has 12 seats."),
        ("Take 10 minus 3 eggs.", "Take 3 eggs."),
        ("Features:\n-3 bedrooms", "It has 3 bedrooms."),
        ("The deposit is returned minus $40 for cleaning.", "Cleaning is $40."),
        ("The result is 52%, plus or minus 3%.", "The margin is 3%."),
        ("It reaches 20°C -30°C in May.", "Up to 30°C are reached."),
        ("The change was -12%.", "The stock tumbled 12%."),
        ("It is -20% on all shoes.", "There is a 20% discount."),
        ("The elevation is -200 m.", "It is 200 m deep."),
        ("", "It was -12 degrees."),
    ],
)
def test_anything_else_is_the_models(source: str, claim: str) -> None:
    assert with_signs(claim, [finding(source)]) == [finding(source)]


def test_a_premise_with_the_figure_as_it_is_leaves_it_to_the_model() -> None:
    both = [finding("It was -12 degrees in Oslo."), finding("It was 12 degrees in Rome.")]
    assert with_signs("It was 12 degrees in Rome.", both) == both


def test_the_default_denies_it() -> None:
    verdict = check(None, "The temperature was 12 degrees in Oslo.", ["The temperature was -12 degrees in Oslo."])
    assert verdict.score < 0.1
