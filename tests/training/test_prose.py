"""Twins share evidence and differ in label; wording alone does not tell the class."""

from collections import Counter
from itertools import islice
from random import Random

from groundwire.training.passages import Passage, pool_of
from groundwire.training.prose import minimal_pairs
from groundwire.training.sample import NEI, REFUTES, SUPPORTS, Sample

FOUND = [
    Passage(
        f"set{i}",
        tuple(
            f"In {1900 + i}, the town of Brookfield{i} paid {i * 7 + 12} workers {w}."
            for w in ("twice", "well", "late")
        ),
    )
    for i in range(12)
]


def drawn(count: int = 600, seed: int = 3) -> list[Sample]:
    return list(islice(minimal_pairs(FOUND, pool_of(FOUND), Random(seed)), count))


def test_samples_are_seeded() -> None:
    assert drawn(50) == drawn(50)
    assert drawn(50) != drawn(50, seed=4)


def test_labels_and_spans_agree() -> None:
    for sample in drawn():
        if sample.label == SUPPORTS:
            assert sample.spans == ()
        elif sample.operator != "removed":
            assert sample.spans
            assert all(sample.claim[s:e].strip() for s, e in sample.spans)


def test_every_edit_has_its_supported_twin() -> None:
    counts = Counter((s.operator, s.label) for s in drawn())
    for (operator, label), count in counts.items():
        if label == REFUTES:
            assert counts[operator, SUPPORTS] >= count - 1
    assert counts["removed", NEI] > 0
    assert counts["unrelated", NEI] > 0


def test_half_of_the_pairs_are_turned_around() -> None:
    """A year that no passage has stands in supported claims as well: the edited sentence is then the evidence."""
    real = {str(1900 + i) for i in range(12)}
    foreign = [s for s in drawn(1500) if s.operator == "year" and not any(y in s.claim for y in real)]
    shares = Counter(s.label for s in foreign)
    assert shares[SUPPORTS] > 0.25 * len(foreign)
    assert shares[REFUTES] > 0.25 * len(foreign)
