from collections.abc import Callable

import pytest

from groundwire.gates import by_evidence, by_label
from groundwire.types import Label, Verdict

Make = Callable[..., Verdict]


@pytest.mark.parametrize(
    ("label", "rule"),
    [
        (Label.SUPPORTED, None),
        (Label.CONTRADICTED, "contradicted"),
        (Label.NOT_ENOUGH_INFO, "not-enough-info"),
        (Label.NOT_CHECKABLE, "not-checkable"),
    ],
)
def test_by_evidence_an_answer_has_to_be_grounded(make: Make, label: Label, rule: str | None) -> None:
    found = by_evidence(make(label))
    assert (found and found.rule) == rule
    if found:
        assert found.checked is (label is not Label.NOT_CHECKABLE)
        assert [claim.label for claim in found.claims] == ([label] if found.checked else [])


@pytest.mark.parametrize(
    ("gold", "label", "rule"),
    [
        (Label.SUPPORTED, Label.SUPPORTED, None),
        (Label.NOT_ENOUGH_INFO, Label.CONTRADICTED, None),
        (Label.SUPPORTED, Label.CONTRADICTED, "wrong-verdict"),
        (Label.NOT_ENOUGH_INFO, Label.SUPPORTED, "wrong-verdict"),
        (Label.SUPPORTED, Label.NOT_CHECKABLE, "not-checkable"),
        (None, Label.CONTRADICTED, None),
    ],
)
def test_by_label_a_verdict_has_to_agree(make: Make, gold: Label | None, label: Label, rule: str | None) -> None:
    found = by_label(make(label, gold=gold))
    assert (found and found.rule) == rule


def test_a_wrong_verdict_says_both(make: Make) -> None:
    found = by_label(make(Label.CONTRADICTED, gold=Label.SUPPORTED))
    assert found is not None
    assert found.message == "labelled supported, judged contradicted (score 0.10, threshold 0.50)"
