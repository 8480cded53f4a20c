"""Pointing: what only says what the answer is not, or where to turn to; and advice that a text gives."""

import pytest

from groundwire.idle import ONLY_POINTS, why_idle
from groundwire.idle.pointing import points


@pytest.mark.parametrize(
    "sentence",
    [
        "This is not financial advice.",
        "This is not legal advice.",
        "This is a general summary and does not constitute legal advice.",
        "Please consult your doctor before making any changes to your medication.",
        "You should seek professional advice.",
        "Please refer to the full policy wording.",
        "See Section 4.2 for details.",
        "For more details, see Section 4.2.",
        "For more details, see the full policy.",
        "Note: This is general information and not legal advice.",
        "If you are unsure about your situation, it's best to consult a tax adviser.",
        "Please consult a doctor.",
        "This information is for educational purposes only.",
        "Please consult your doctor or pharmacist before taking any medication.",
        "It is important to consult a lawyer for advice.",
        "See Section 4.2.",
        "Please see the leaflet for more information.",
        "This should not be taken as medical advice.",
        "Always consult a qualified professional.",
        "*This is not medical advice.*",
        "This does not constitute financial or investment advice.",
        "For more information, visit our website.",
    ],
)
def test_what_only_cautions_or_points_elsewhere(sentence):
    assert why_idle(sentence, last=True) == ONLY_POINTS


@pytest.mark.parametrize(
    "sentence",
    [
        "Patients should consult a doctor before taking X.",
        "See section 4 for side effects.",
        "You should consult your doctor before taking ibuprofen with warfarin.",
        "The letter does not constitute legal advice.",
        "Please see a doctor if the fever lasts more than 3 days.",
        "Visit your doctor for more than a cold.",
        "Please give 30 days' notice before you leave.",
        "Contact the office for a refund.",
        "Ask the nurse for a key.",
        "This is not a museum.",
        "Consult the manual to reset it.",
        "This is not free.",
        "Please read the instructions before use.",
        "Click here to cancel your subscription.",
        "See a doctor within 3 days.",
        "See page 5 of the report for the price of $10.",
        "He should seek legal advice.",
    ],
)
def test_what_somebody_shall_do_is_a_claim(sentence):
    assert why_idle(sentence, last=True) is None


@pytest.mark.parametrize(
    "sentence",
    [
        "see " * 10**5,
        "this is not " + "legal " * 30,
        "see section " + "1 " * 80,
        "see section " + "1" * 150 + "!x",
        "a" * 10**6,
        "",
    ],
)
def test_pointers_are_told_in_no_time(sentence):
    assert not points(sentence)
