"""What a sentence can lose: the cuts that are made, and the many that are not."""

import pytest

from groundwire.evolve.extractive.clauses import cuts, without

CUT = [
    "However, |the flea is an insect of the order.",
    "According to the agency, |the flea is an insect.",
    "The flea| (Siphonaptera)| is an insect of the order.",
    "The flea|, which is an insect,| is found on dogs.",
    "The flea lives on the dog|, which is warm and furry|.",
    "The flea lays eggs on the dog|, causing an itch|.",
    "The dog has pests on its skin|, such as fleas, lice, and ticks|.",
    "The flea is found in houses|, according to the agency|.",
    "The flea is found in houses|, said John Smith|.",
    "The dose is 5 mg| (3 grains)| and is taken with water.",
]
KEPT = {
    "negation": [
        "The drug is safe (not for cats) and is sold to the owners.",
        "The flea lives on the dog, which it never leaves.",
        "The flea jumps to the dog, causing no itch.",
        "The flea is in the house, which doesn't matter.",
    ],
    "condition": [
        "The drug is safe for the dog, which helps only if it is given.",
        "The law is valid, making it binding unless it is repealed.",
        "If the dog is ill, the owner is told.",
        "Unless washed, the dog is dirty and is ill.",
        "The drug is safe (if the dog is washed) and is sold.",
    ],
    "quantity": [
        "The price is $5 (or more) and is paid by the owner.",
        "The price is $5 (approximately) and is paid by the owner.",
        "The flea is small, giving it at least two lives.",
        "The course is a full-time (or two-year part-time) course of the school.",
        "The length is 15 (mm) and the width is small.",
    ],
    "hedge": [
        "The flea is a pest, which probably came with the ships.",
        "According to some critics, the flea is an insect.",
        "The flea is on the dog, which may itch.",
        "Generally, the flea is an insect of the order.",
        "The flea is an insect, the agency claims.",
    ],
    "place and time": [
        "In the United States, the flea is a pest of the dog.",
        "Water boils at 100 degrees (at sea level) and is then steam.",
        "In 1990, the population of the city was 500.",
        "According to this plan, the flea is to be destroyed.",
    ],
    "grammar": [
        "The parts are the egg, which is white, and the larva, which is thin.",
        "The kinds are the egg, which is white, the larva, and the pupa.",
        "When the dog sleeps, which is often, the flea bites.",
        "The flea, which is small.",
        "Animals that have fleas, such as dogs, cats, and rats, scratch all the time.",
        "The drug that is given to the dog, which is small, makes it well.",
        "The gross and (net) profit is the margin of the firm.",
        "The steps are (a) wash and (b) dry, and that is all.",
        "He lives with the dog which is brown and is ill.",
    ],
    "other languages": [
        "Der Floh (nicht die Laus) ist ein Insekt, which ist klein.",
        "Блоха (не вошь) — насекомое.",
        "跳蚤（不是虱子）是昆虫。",
        "البرغوث (ليس القمل) حشرة.",
    ],
}


@pytest.mark.parametrize("marked", CUT)
def test_what_goes(marked):
    sentence = marked.replace("|", "")
    parts = marked.split("|")
    start = len(parts[0]) if len(parts) == 3 else 0
    place = (start, start + len(parts[1] if len(parts) == 3 else parts[0]))
    assert cuts(sentence) == [place]
    left = without(sentence, place)
    assert left[0].isupper()
    assert left.lower() == (parts[0] + parts[2] if len(parts) == 3 else parts[1]).lower()


@pytest.mark.parametrize("sentence", [sentence for kept in KEPT.values() for sentence in kept])
def test_what_stays(sentence):
    assert cuts(sentence) == []


def test_what_is_left_is_looked_at_anew():
    sentence = "However, the flea (Siphonaptera) lives on the dog, which is warm."
    assert len(cuts(sentence)) == 3
    while places := cuts(sentence):
        sentence = without(sentence, places[0])
    assert sentence == "The flea lives on the dog."


def test_a_sentence_that_never_ends_is_left_alone():
    assert cuts("The flea (an insect), which is small, is the pest, " * 1000 + ".") == []
