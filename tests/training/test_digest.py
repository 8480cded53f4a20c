"""Digests hold their evidence to its length, pair every wrong claim with a right one, and no wording tells the class."""

import re
from collections import Counter
from itertools import islice
from random import Random

import pytest

from groundwire.training.digest import LONGEST, WORDS, digests, run_around
from groundwire.training.passages import Passage, pool_of
from groundwire.training.sample import NEI, NOT_SUPPORTED, REFUTES, SUPPORTS, UNKNOWN, Sample

DIGITS = re.compile(r"\d+")
FIRST = ("Ann", "Jane", "Ruth", "Clara", "Edith", "Laura", "Helen", "Maria")
LAST = ("Lee", "Doe", "Hall", "Moss", "Kent", "Ward", "Frost", "Price", "Stone", "Burke", "Cole", "Dale")


def passage(i: int) -> Passage:
    one, two = (f"{FIRST[(i + k * 3) % 8]} {LAST[(i + k * 5) % 12]}" for k in (0, 1))
    return Passage(
        f"set{i}",
        (
            f"{one}, a lawyer from the north, was born in the town of Brook{i} in {1900 + i}.",
            f"She won {i * 7 + 12} medals at the games in Leeds, which made her known in the country.",
            f"In {1930 + i}, {two} opened a school for weavers in the village of Marsh{i}.",
            f'"The old bridge over the river will be closed in May," said {one}.',
            f"When the war ended in {1945 + i % 3}, {two} moved back to the town with {i + 3} friends.",
            f"{one} wrote a long book about the history of the mills and was given a prize for it.",
            f"Weavers {i} rebuilt the town after the war, although many of its old houses had been lost to the river.",
        ),
    )


def other(i: int) -> Passage:
    lines = (
        f"Boats carried salt to harbour number {i} and came back with timber from the north in {1900 + i}.",
        f"Storms kept the crew ashore for {i * 7 + 12} days until the wind fell and the fishing began again.",
        f"A lighthouse was raised on the cliff in {1930 + i} by masons whom the harbour office had hired.",
        "Gulls nest beneath it, and in winter their cries are heard as far as the chapel on the hill.",
    )
    return Passage(f"other{i}", lines)


FOUND = [*(passage(i) for i in range(24)), *(other(i) for i in range(8))]


@pytest.fixture(scope="module")
def drawn() -> list[Sample]:
    return list(islice(digests(FOUND, pool_of(FOUND), Random(3)), 1500))


def test_samples_are_seeded(drawn: list[Sample]) -> None:
    again = list(islice(digests(FOUND, pool_of(FOUND), Random(3)), 60))
    assert again == drawn[:60]
    assert again != list(islice(digests(FOUND, pool_of(FOUND), Random(4)), 60))


def test_a_run_holds_its_sentence_and_its_length() -> None:
    for seed in range(50):
        run = run_around(FOUND[0], seed % 7, Random(seed))
        assert run.sentences[run.at] == FOUND[0].sentences[seed % 7]
        assert len(run.text.split()) <= WORDS[1]
        assert len(run.text) <= LONGEST


def test_labels_spans_and_relevance_agree(drawn: list[Sample]) -> None:
    for sample in drawn:
        if sample.label == SUPPORTS:
            assert (sample.spans, sample.relevance) == ((), 1)
        elif sample.operator == "digest-removed":
            assert (sample.spans, sample.relevance) == (None, UNKNOWN)
        else:
            assert sample.spans
            assert all(sample.claim[s:e].strip() for s, e in sample.spans)
        assert sample.label != NOT_SUPPORTED or sample.relevance == 1


def test_every_kind_comes_and_both_classes_hold(drawn: list[Sample]) -> None:
    operators = {s.operator.removeprefix("digest-") for s in drawn}
    assert {
        "compressed",
        "merged",
        "resolved",
        "several",
        "reordered",
        "spliced",
        "resolution",
        "attribution",
    } <= operators
    assert {"removed", "near", "foreign", "number", "year"} <= operators
    labels = Counter(s.label for s in drawn)
    assert 0.35 * len(drawn) < labels[SUPPORTS] < 0.65 * len(drawn)
    assert min(labels[REFUTES], labels[NEI], labels[NOT_SUPPORTED]) > 0.05 * len(drawn)


def test_a_wrong_subject_has_its_right_twin_over_the_same_evidence(drawn: list[Sample]) -> None:
    for i, sample in enumerate(drawn[1:], 1):
        if sample.label == NOT_SUPPORTED and sample.operator == "digest-spliced":
            twin = drawn[i - 1]
            assert (twin.operator, twin.label) == (sample.operator, SUPPORTS)


def test_wrong_names_stand_in_the_evidence(drawn: list[Sample]) -> None:
    for sample in drawn:
        if sample.operator in ("digest-spliced", "digest-attribution") and sample.spans:
            start, end = sample.spans[0]
            assert sample.claim[start:end].lower() in sample.evidence.lower().replace(" 's", "'s")


def test_the_edited_wording_is_a_supported_claim_as_often() -> None:
    """A figure that no passage has: turned groups hold it in the evidence."""
    plain = [
        Passage(
            f"set{i}",
            tuple(
                f"However, the mill at Brook{i} paid {i * 7 + k + 120} workers {w}, which was known in the whole valley."
                for k, w in enumerate(
                    ("twice a month", "at the end of each week", "late in the year", "for their hard work")
                )
            ),
        )
        for i in range(12)
    ]
    real = {figure for p in plain for s in p.sentences for figure in DIGITS.findall(s)}
    made = islice(digests(plain, pool_of(plain), Random(3)), 600)
    foreign = [s for s in made if set(DIGITS.findall(s.claim)) - real]
    shares = Counter(s.label for s in foreign)
    assert len(foreign) > 60
    assert 0.3 * len(foreign) < shares[SUPPORTS] < 0.7 * len(foreign)


def test_loose_sentences_are_not_resolved() -> None:
    loose = [Passage("foolmetwice-retrieved-dev", p.sentences) for p in FOUND]
    made = list(islice(digests(loose, pool_of(loose), Random(3)), 400))
    assert len(made) == 400
    assert not {"digest-merged", "digest-resolved", "digest-resolution"} & {s.operator for s in made}


def test_passages_too_short_give_nothing() -> None:
    short = [Passage("a", ("Ann Lee was born in the town of York.",))]
    assert list(digests(short, pool_of(short), Random(1))) == []
