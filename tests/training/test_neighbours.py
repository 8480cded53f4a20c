"""A neighbour backs neither a claim nor its denial, and what it stands beside still decides."""

from collections import defaultdict
from itertools import islice
from random import Random

import pytest

from groundwire.training.neighbours import beside, coarser, neighbours
from groundwire.training.passages import Passage, pool_of
from groundwire.training.sample import NEI, REFUTES, SUPPORTS, UNKNOWN, Marked, Sample

FOUND = [
    Passage(
        f"set{i}",
        (
            f"The mill of Brookfield{i} was built by Anna Miller{i} in {1800 + i}.",
            f"The mill has {i + 3} wheels and stands near the old bridge.",
            "Flour was sold there until the war.",
        ),
    )
    for i in range(12)
]


def drawn(count: int = 600, seed: int = 3) -> list[Sample]:
    return list(islice(neighbours(FOUND, pool_of(FOUND), Random(seed)), count))


def test_samples_are_seeded() -> None:
    assert drawn(50) == drawn(50)
    assert drawn(50) != drawn(50, seed=4)


def test_a_neighbour_is_neutral_to_the_claim_and_to_its_denial() -> None:
    for sample in drawn():
        if sample.operator == "beside":
            assert (sample.label, sample.relevance, sample.spans) == (NEI, UNKNOWN, None)
        else:
            assert sample.label in (SUPPORTS, REFUTES)
            assert sample.spans == () if sample.label == SUPPORTS else sample.spans


def test_no_evidence_but_the_neighbour_s_tells_the_class() -> None:
    labels = defaultdict(set)
    for sample in drawn():
        if sample.operator != "beside":
            labels[sample.evidence].add(sample.label)
    assert sum(found == {SUPPORTS, REFUTES} for found in labels.values()) > 0.8 * len(labels)


def test_the_neighbour_is_another_sentence_that_does_not_say_the_same() -> None:
    twice = Passage(
        "a", ("The mill was built in 1801.", "The mill was built in 1801.", "Flour was sold there every day.")
    )
    assert beside(twice, 0, Random(0)) == "Flour was sold there every day."
    assert beside(Passage("a", ("The mill was built in 1801.",)), 0, Random(0)) is None


@pytest.mark.parametrize("text", ["It opened on 19 March 1932.", "It opened on March 19, 1932."])
def test_a_date_is_told_less_exactly(text: str) -> None:
    assert {coarser(Marked(text), Random(seed)).text for seed in range(20)} == {
        "It opened in 1932.",
        "It opened in March 1932.",
    }


def test_a_date_that_an_edit_touches_is_left() -> None:
    text = Marked("It opened on 19 March 1932.").mark(19, 24)
    assert coarser(text, Random(0)) == text


def test_passages_of_one_sentence_give_nothing() -> None:
    assert list(neighbours([Passage("a", ("The mill was built in 1801.",))], pool_of(FOUND), Random(0))) == []
