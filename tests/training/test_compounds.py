"""Two claims on the same evidence in one sentence."""

from __future__ import annotations

from random import Random

import pytest

from groundwire.training.compounds import DOUBLED, both, compounds, joins, predicate, sentence
from groundwire.training.sample import NEI, NOT_SUPPORTED, REFUTES, SUPPORTS, UNKNOWN, Marked, Sample

EVIDENCE = "The museum opened in 1911. Entry costs five euros. Its roof was mended last year."


def sample(claim: str, label: int, wrong: str = "", evidence: str = EVIDENCE) -> Sample:
    start = claim.index(wrong) if wrong else 0
    spans = ((start, start + len(wrong)),) if wrong else () if label == SUPPORTS else None
    return Sample(evidence=evidence, claim=claim, label=label, relevance=1.0, spans=spans, source="x")


OPENED = sample("The museum was opened in 1911.", SUPPORTS)
ROOF = sample("Somebody mended the roof.", SUPPORTS)
FREE = sample("The museum has free entry.", REFUTES, "free")
LOVED = sample("Many people love the place.", NEI)


@pytest.mark.parametrize(
    ("labels", "label"),
    [
        ((SUPPORTS, SUPPORTS), SUPPORTS),
        ((SUPPORTS, REFUTES), REFUTES),
        ((NEI, SUPPORTS), NEI),
        ((NEI, REFUTES), REFUTES),
        ((NEI, NEI), NEI),
        ((SUPPORTS, NOT_SUPPORTED), NOT_SUPPORTED),
        ((NOT_SUPPORTED, REFUTES), REFUTES),
    ],
)
def test_two_things_are_backed_where_both_are(labels: tuple[int, int], label: int) -> None:
    assert both(labels) == label


def test_claims_on_the_same_evidence_are_joined_and_on_other_evidence_never() -> None:
    elsewhere = [sample(s.claim, s.label, evidence="Else.") for s in (OPENED,)]
    found = [made for seed in range(40) for made in compounds([OPENED, ROOF, FREE, LOVED, *elsewhere], Random(seed))]
    assert {made.evidence for made in found} == {EVIDENCE}
    assert {made.operator for made in found} == {DOUBLED}
    assert {made.label for made in found} == {SUPPORTS, REFUTES, NEI}
    assert "Somebody mended the roof, and many people love the place." in {made.claim for made in found}


def test_which_words_are_wrong_is_known_where_it_is_of_both() -> None:
    for seed in range(40):
        for made in compounds([OPENED, ROOF, FREE, LOVED], Random(seed)):
            if "love" in made.claim:
                assert made.spans is None
            else:
                assert [made.claim[start:end] for start, end in made.spans or ()] == ["free"] * (made.label != SUPPORTS)


def test_what_says_one_thing_twice_and_what_has_no_label_is_left() -> None:
    twin = sample("The museum was opened in 1912.", REFUTES, "1912")
    unknown = sample("Somebody painted the roof.", UNKNOWN)
    assert list(compounds([OPENED, twin, unknown], Random(1))) == []


def test_what_is_two_already_is_not_joined_again() -> None:
    once = [made for seed in range(9) for made in compounds([OPENED, ROOF], Random(seed)) if joins(made.claim)]
    assert once
    assert list(compounds([once[0], FREE], Random(1))) == []


def test_the_subject_of_both_is_said_once_or_twice() -> None:
    first, second = (OPENED.claim, SUPPORTS), (Marked(FREE.claim, FREE.spans or ()), REFUTES)
    found = {sentence((Marked(first[0]), SUPPORTS), second, Random(seed)) for seed in range(60)}
    assert "The museum was opened in 1911 and has free entry." in {made.text for made in found}
    assert "The museum was opened in 1911, and the museum has free entry." in {made.text for made in found}
    assert {made.text[start:end] for made in found for start, end in made.spans} == {"free"}


@pytest.mark.parametrize(
    ("second", "inside"),
    [
        ("His roof leaks.", "his roof leaks"),
        ("It's raining there.", "it's raining there"),
        ("Before, nobody came.", "before, nobody came"),
        ("Hale's roof leaks.", "Hale's roof leaks"),
    ],
)
def test_a_common_first_word_loses_its_capital(second: str, inside: str) -> None:
    made = sentence((Marked("Somebody mended it."), SUPPORTS), (Marked(second), SUPPORTS), Random(1))
    assert made.text.startswith("Somebody mended it")
    assert made.text.endswith(inside + ".")


@pytest.mark.parametrize(
    ("first", "second", "wrong"),
    [
        ("The museum was opened in 1911.", "The library has free entry.", ""),
        ("The museum was opened in 1911.", "In 1911 the museum was new.", ""),
        ("The museum was opened in 1911.", "The museum has free entry.", "museum"),
        ("Opened in 1911.", "The museum has free entry.", ""),
    ],
)
def test_another_subject_or_a_wrong_one_is_said(first: str, second: str, wrong: str) -> None:
    start = second.index(wrong)
    marked = Marked(second, ((start, start + len(wrong)),) if wrong else ())
    assert predicate(first, (marked, REFUTES if wrong else SUPPORTS)) == 0


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("The roof was mended.", True),
        ("Who mended it? The builders.", False),
        ("3. The roof was mended.", False),
        ("Mended", False),
        ("A " + "very " * 30 + "long claim.", False),
    ],
)
def test_plain_short_sentences_join(text: str, fits: bool) -> None:
    assert joins(text) is fits
