import pytest

from groundwire.errors import InputError
from groundwire.models.reading import EntailmentReading, Reading, RelevanceReading, of_cross_encoder, of_nli


@pytest.mark.parametrize(
    ("labels", "supports", "refutes", "neutral"),
    [
        ({0: "contradiction", 1: "entailment", 2: "neutral"}, 1, 0, 2),
        ({0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"}, 2, 0, 1),
        ({0: "SUPPORTS", 1: "REFUTES", 2: "NOT ENOUGH INFO"}, 0, 1, 2),
        ({0: "Not_Enough_Info", 1: "Refuted", 2: "Supported"}, 2, 1, 0),
    ],
)
def test_three_labels_are_read_by_name_in_any_order(
    labels: dict[int, str], supports: int, refutes: int, neutral: int
) -> None:
    assert of_nli(labels) == Reading(
        entailment=EntailmentReading(activation="softmax", supports=supports, refutes=refutes, neutral=neutral)
    )


@pytest.mark.parametrize("other", ["not_entailment", "contradiction"])
def test_a_two_way_model_cannot_tell_refutation_from_neutral(other: str) -> None:
    assert of_nli({0: other, 1: "entailment"}) == Reading(
        entailment=EntailmentReading(activation="softmax", supports=1, refutes=None, neutral=None)
    )


@pytest.mark.parametrize(
    "labels",
    [
        {0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"},
        {0: "LABEL_0"},
        {0: "entailment", 1: "LABEL_1"},
        {0: "entailment", 1: "neutral", 2: "LABEL_2"},
        {0: "entailment", 1: "supports", 2: "contradiction"},
        {0: "entailment", 1: "neutral", 2: "contradiction", 3: "other"},
        {0: "positive", 1: "negative"},
        {},
    ],
)
def test_labels_that_do_not_tell_are_an_error_and_never_assumed(labels: dict[int, str]) -> None:
    with pytest.raises(InputError, match="labels do not say") as caught:
        of_nli(labels)
    assert all(label in str(caught.value) for label in labels.values())


def test_a_cross_encoder_has_one_logit_or_says_which() -> None:
    assert of_cross_encoder({0: "LABEL_0"}) == Reading(relevance=RelevanceReading(column=0))
    assert of_cross_encoder({0: "irrelevant", 1: "relevant"}) == Reading(relevance=RelevanceReading(column=1))
    with pytest.raises(InputError, match="0 = LABEL_0, 1 = LABEL_1"):
        of_cross_encoder({0: "LABEL_0", 1: "LABEL_1"})


def test_columns_count_every_logit_that_is_read() -> None:
    assert Reading().columns() == 0
    both = Reading(
        entailment=EntailmentReading(activation="softmax", supports=0, refutes=1, neutral=2),
        relevance=RelevanceReading(column=3),
    )
    assert both.columns() == 4
