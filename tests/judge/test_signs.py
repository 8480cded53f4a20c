"""Signs of figures: a source denies the other one, and nothing else is taken from the model."""

from __future__ import annotations

import pytest

from groundwire import check
from groundwire.judge.quoted import SURE
from groundwire.judge.signs import with_signs

from .findings import finding


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("It was -12 degrees in Oslo at noon.", "It was 12 degrees in Oslo at noon."),
        ("It was 12 degrees in Oslo at noon.", "It was -12 degrees in Oslo at noon."),
        ("It was 12 degrees in Oslo at noon.", "It was minus 12 degrees in Oslo."),
        ("Growth was -3.2% in 2020.", "The economy grew by 3.2% in 2020."),
        ("Net cash flow was −75 million euros.", "Net cash flow was 75 million euros."),
        ("The balance is -$40.", "The balance is $40."),
        ("The balance is -80.25.", "The balance is 80.25."),
        ("The balance is 80.25.", "The balance is -80.25."),
        ("The balance is -$80.25.", "The balance is 80.25."),
        ("The balance is -80.25 EUR.", "The balance is €80.25."),
        ("The balance is -80.25 EUR.", "The balance was 80.25 as of May."),
        ("station: Oslo\ntemp_c: -3.5\nwind: 4", "The temperature in Oslo is 3.5 °C."),
        ('{"balance": "-80.25"}', "The balance is 80.25."),
        ("It was -3.5 °C.", "It was 3.5 degrees."),
        ("Cash flow was negative $48 million.", "Cash flow was $48 million."),
        ("Cash flow was $(4.5) million.", "Cash flow was $4.5 million."),
        ("Cash flow was $48 million.", "Cash flow was negative $48 million."),
        ("| Oslo | -3.5 °C |", "It was 3.5 °C in Oslo."),
        ("| city | temp °C |\n| Oslo | -3.5 |", "The temperature in Oslo was 3.5 °C."),
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
        ("The balance is -80.25.", "The account is overdrawn by 80.25."),
        ("The balance is -80.25.", "The price is 80.25."),
        ("The balance is -80.25, the price 80.25.", "The balance is 80.25."),
        ("The balance is (80.25).", "The balance is 80.25."),
        ("| Groceries | -80.25 |", "Groceries were 80.25."),
        ("| Groceries | -$80.25 |", "Groceries were $80.25."),
        ("Groceries: -$80.25", "You bought groceries for $80.25."),
        ("The score was -3.", "The score was 3-1."),
        ("The score was -3.", "The score was 3 to 5."),
        ("offset: -3", "It has three items, and the offset of 3."),
        ("The tolerance: -5/+5", "The tolerance is 5."),
        ("Tel: -555", "The room is 555."),
        ("Net loss was $(4.5) million.", "The net loss was $4.5 million."),
        ("The sum is ($4.5 million).", "The sum is $4.5 million."),
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
