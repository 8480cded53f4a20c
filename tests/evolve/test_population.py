"""Populations: the order of the published scripts, lineages that are derived, and nobody removed."""

import math

from groundwire.evolve.population import LONGEST, Population, identity
from groundwire.types import Candidate


def seed(text: str, total: float, passage: str) -> Candidate:
    return Candidate(id=identity(text), text=text, passage=passage, fitness={"total": total})


def child(text: str, total: float, operator: str, *parents: Candidate) -> Candidate:
    ids = tuple(parent.id for parent in parents)
    return Candidate(
        id=identity(text), text=text, parents=ids, operator=operator, generation=1, fitness={"total": total}
    )


def test_best_first_by_score_then_lineage_then_text_all_downwards():
    population = Population()
    for text, total, passage in [("a", 1.0, "d1"), ("b", 2.0, "d0"), ("c", 1.0, "d9"), ("d", 1.0, "d10")]:
        population.add(seed(text, total, passage))
    assert population.lineages() == ["d0", "d9", "d10", "d1"]  # "d9" > "d10": ids are strings, as in the scripts
    assert [one.text for one in population.ranked(2)] == ["b", "c"]
    same = Population()
    for text in ("x", "z", "y"):
        same.add(seed(text, 1.0, "d"))
    assert [one.text for one in same.ranked()] == ["z", "y", "x"]


def test_lineages_are_those_of_the_scripts():
    population = Population()
    first, second = seed("one", 3.0, "7"), seed("two", 2.0, "9")
    population.add(first)
    population.add(second)
    crossed = child("both", 1.0, "crossover", first, second)
    population.add(crossed, (first, second))
    rewritten = child("r", 0.9, "random", crossed)
    population.add(rewritten, (crossed,))
    population.add(child("q", 0.8, "query", second), (second,))
    population.add(child("s", 0.7, "summarize", rewritten), (rewritten,))
    assert population.lineages() == ["7", "9", "(7+9)-0", "(7+9)-0-r0", "9-qr0", "(7+9)-0-r0-summarize0"]


def test_lineages_do_not_double_for_ever():
    population = Population()
    pair = seed("one", 1.0, "a" * 50), seed("two", 1.0, "b" * 50)
    for one in pair:
        population.add(one)
    for generation in range(40):
        crossed = (
            child(f"first {generation}", 1.0, "crossover", *pair),
            child(f"second {generation}", 1.0, "query", pair[0]),
        )
        for one in crossed:
            population.add(one, pair if one.operator == "crossover" else pair[:1])
        pair = crossed
    assert max(map(len, population.lineages())) <= LONGEST
    assert len(set(population.lineages())) == len(population)


def test_a_missing_score_is_minus_infinity():
    population = Population()
    assert (population.score_at(1), population.score_at(2), len(population)) == (-math.inf, -math.inf, 0)
    population.add(seed("a", 0.5, "d"))
    assert (population.score_at(1), population.score_at(2)) == (0.5, -math.inf)


def test_texts_are_known_by_their_hash_and_may_be_there_twice():
    population = Population()
    one = seed("same", 1.0, "a")
    population.add(one)
    assert population.holds("same")
    assert not population.holds("Same")
    again = child("same", 1.0, "random", one)
    population.add(again, (one,))
    later = child("later", 0.5, "query", again)
    population.add(later, (again,))
    assert population.lineages() == ["a-r0", "a", "a-r0-qr0"]
    assert identity("same") == one.id != identity("\ud800")
