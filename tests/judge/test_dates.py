"""Dates of records: a record denies another date of what it dates, and nothing else is taken from the model."""

from __future__ import annotations

import pytest

from groundwire.judge.dates import with_dates
from groundwire.judge.quoted import SURE

from .findings import finding

STAY = "Admitted: 03/02/2024  Discharged: 03/07/2024"
BILL = "Invoice date: 2024-05-01\nDue date: 2024-05-31"


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        (STAY, "The patient was discharged on March 9, 2024."),
        (STAY, "The patient was admitted on 9 March 2024."),
        (STAY, "The answer to question When was the patient discharged? is March 9, 2024."),
        (BILL, "The due date is June 15, 2024."),
        ('{"created_at": "2024-05-01"}', "It was created on May 2, 2024."),
    ],
)
def test_another_date_is_denied(source: str, claim: str) -> None:
    [found] = with_dates(claim, [finding(source)])
    assert found.entailment.refutes == SURE


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        (STAY, "The patient was discharged on March 7, 2024."),
        (STAY, "The patient was discharged on 3 July 2024."),
        (STAY, "The patient was discharged on March 2, 2024."),
        (STAY, "The patient was discharged in March 2023."),
        (STAY, "The patient was discharged before March 9, 2024."),
        (STAY, "The patient was not discharged until March 9, 2024."),
        (STAY, "The patient was discharged, and seen on March 9, 2024."),
        (STAY, "She was discharged on March 9, 2024, and not in 2023."),
        (STAY + "\n" + STAY.replace("07", "08"), "The patient was discharged on March 9, 2024."),
        (STAY + "\nSeen: March 9, 2024", "The patient was discharged on March 9, 2024."),
        ("He was discharged on March 7, 2024.", "He was discharged on March 9, 2024."),
        ("", "He was discharged on March 9, 2024."),
    ],
)
def test_anything_else_is_the_models(source: str, claim: str) -> None:
    assert with_dates(claim, [finding(source)]) == [finding(source)]
