"""Claims of every class use the same words, worlds differ, and what is not told is open."""

from collections import Counter
from itertools import islice
from random import Random

from groundwire.text import content_terms
from groundwire.training.sample import NEI, REFUTES, SUPPORTS, Sample
from groundwire.training.statements.worlds import statements


def drawn(count: int = 4000, seed: int = 3) -> list[Sample]:
    return list(islice(statements(Random(seed)), count))


def test_samples_are_seeded() -> None:
    assert drawn(50) == drawn(50)
    assert drawn(50) != drawn(50, seed=4)


def test_the_classes_are_even() -> None:
    counts = Counter(sample.label for sample in drawn())
    assert set(counts) == {SUPPORTS, REFUTES, NEI}
    assert min(counts.values()) > 0.3 * sum(counts.values())


def test_words_in_common_do_not_tell_what_is_backed_from_what_is_denied() -> None:
    shares: dict[int, list[float]] = {SUPPORTS: [], REFUTES: []}
    for sample in drawn():
        terms = set(content_terms(sample.claim))
        if sample.label in shares and terms:
            shares[sample.label].append(len(terms & set(content_terms(sample.evidence))) / len(terms))
    means = {label: sum(found) / len(found) for label, found in shares.items()}
    assert abs(means[SUPPORTS] - means[REFUTES]) < 0.06


def test_a_negation_does_not_tell_the_class() -> None:
    negated = Counter(
        sample.label
        for sample in drawn()
        if {"not", "no", "never", "cannot", "nobody", "nothing"} & set(sample.claim.lower().split())
    )
    assert 0.4 < negated[SUPPORTS] / (negated[SUPPORTS] + negated[REFUTES]) < 0.6
    assert negated[NEI] > 0.15 * sum(negated.values())


def test_evidence_does_not_begin_with_what_it_or_they_are() -> None:
    assert any(" They " in sample.evidence for sample in drawn())
    assert not [s.evidence for s in drawn() if s.evidence.startswith(("They ", "Their ", "It takes", "It had"))]
