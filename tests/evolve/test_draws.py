"""Draws: operators and ranks as often as the two scripts draw them, and none twice where that is asked for."""

import random
from collections import Counter

import pytest

from groundwire.errors import UsageError
from groundwire.evolve.draws import Scheme, Share, key_of, shares
from groundwire.types import Candidate

ARITIES = {"random": 1, "query": 1, "crossover": 2}
EDIT = shares(ARITIES, {"random": 0.33, "query": 0.33, "crossover": 0.34})
CHAT = shares(ARITIES, dict.fromkeys(ARITIES, 1 / 3))
BEST = [Candidate(id=name, text=name) for name in "abcd"]
MANY = 20_000


def drawn(scheme: Scheme, best=BEST, count=MANY, seed=1):
    return scheme.draw(random.Random(seed), best, count)


def share_of(matings, wanted) -> float:
    return sum(map(wanted, matings)) / len(matings)


@pytest.mark.parametrize(("operators", "expected"), [(EDIT, (0.33, 0.33, 0.34)), (CHAT, (1 / 3, 1 / 3, 1 / 3))])
def test_operators_come_as_often_as_their_weights_say(operators, expected):
    counts = Counter(mating.operator for mating in drawn(Scheme(shares=operators)))
    # Four standard deviations of a share of 20 000 draws are 0.0133.
    assert [counts[name] / MANY for name in ARITIES] == pytest.approx(expected, abs=0.0134)


def test_one_uniform_number_says_the_operator():
    for seed in range(300):
        number = random.Random(seed).random()
        expected = "random" if number <= 0.33 else "query" if number <= 0.66 else "crossover"
        assert drawn(Scheme(shares=EDIT), count=1, seed=seed)[0].operator == expected


def test_parents_come_from_the_first_and_every_rank_alike():
    matings = drawn(Scheme(shares=EDIT, among=3))
    single = [mating for mating in matings if len(mating.parents) == 1]
    assert {mating.parents[0].id for mating in matings} == {"a", "b", "c"}
    for name in "abc":
        assert share_of(single, lambda mating, name=name: mating.parents[0].id == name) == pytest.approx(
            1 / 3, abs=0.02
        )


def test_a_drawn_crossover_takes_two_different_ones_in_either_order():
    pairs = [
        tuple(p.id for p in mating.parents) for mating in drawn(Scheme(shares=EDIT)) if mating.operator == "crossover"
    ]
    assert set(pairs) == {("a", "b"), ("b", "a")}
    assert pairs.count(("a", "b")) / len(pairs) == pytest.approx(0.5, abs=0.03)


def test_the_chat_script_always_crosses_the_first_with_the_second():
    matings = drawn(Scheme(shares=CHAT, among=4, pairing="first"))
    assert {tuple(p.id for p in m.parents) for m in matings if m.operator == "crossover"} == {("a", "b")}
    assert {m.parents[0].id for m in matings if m.operator == "query"} == set("abcd")


def test_equal_seeds_are_equal_draws_and_every_mating_has_a_seed_of_its_own():
    scheme = Scheme(shares=EDIT)
    assert drawn(scheme, count=12, seed=5) == drawn(scheme, count=12, seed=5) != drawn(scheme, count=12, seed=6)
    assert len({mating.seed for mating in drawn(scheme, count=100)}) == 100


@pytest.mark.parametrize("pairing", ["drawn", "first"])
@pytest.mark.parametrize("again", ["yes", "no", "new"])
def test_with_one_parent_nobody_is_crossed(pairing, again):
    matings = drawn(Scheme(shares=EDIT, pairing=pairing, again=again), BEST[:1], 200)
    assert {mating.operator for mating in matings} == {"random", "query"}
    assert Scheme(shares=(Share(operator="crossover", arity=2, weight=1.0),)).draw(random.Random(0), BEST[:1], 3) == []
    assert drawn(Scheme(shares=EDIT), [], 3) == []


def test_no_mating_twice_where_none_is_wanted():
    scheme = Scheme(shares=EDIT, again="no")
    matings = drawn(scheme, count=12)
    keys = {key_of(mating.operator, mating.parents) for mating in matings}
    both = {("random", ("a",)), ("random", ("b",)), ("query", ("a",)), ("query", ("b",)), ("crossover", ("a", "b"))}
    assert (len(matings), keys) == (5, both)
    left = scheme.draw(random.Random(0), BEST, 12, tried=both - {("query", ("b",))})
    assert [(m.operator, m.parents[0].id) for m in left] == [("query", "b")]
    assert scheme.draw(random.Random(0), BEST, 12, tried=both) == []
    assert len(scheme.draw(random.Random(0), BEST, 2)) == 2
    first = Scheme(shares=CHAT, among=4, pairing="first", again="no")
    assert Counter(m.operator for m in drawn(first, count=99)) == {"random": 4, "query": 4, "crossover": 1}


@pytest.mark.parametrize("again", ["yes", "new"])
def test_who_stands_beside_is_a_parent_wherever_it_ranks(again):
    scheme = Scheme(shares=EDIT, among=1, again=again)
    matings = scheme.draw(random.Random(0), BEST, 60, beside=(BEST[0], BEST[3]))
    assert {one.id for mating in matings for one in mating.parents} == {BEST[0].id, BEST[3].id}
    crossed = [mating.parents for mating in matings if mating.operator == "crossover"]
    assert crossed
    assert all(first is not second for first, second in crossed), "the best is not crossed with itself"


def test_what_no_scheme_can_be():
    with pytest.raises(UsageError, match="first 1 or more"):
        Scheme(shares=EDIT, among=0)
    for wrong in ((), (Share(operator="x", arity=3, weight=1.0),), (Share(operator="x", arity=1, weight=0.0),)):
        with pytest.raises(UsageError, match="weights above 0"):
            Scheme(shares=wrong)
    assert [share.weight for share in shares(ARITIES)] == [1.0, 1.0, 1.0]


def test_a_mating_comes_again_as_long_as_it_gives_something_new():
    scheme = Scheme(shares=EDIT, again="new")
    first = drawn(scheme, count=12)
    keys = Counter(key_of(mating.operator, mating.parents) for mating in first)
    assert len(first) == 12
    assert len(keys) == 5, "two operators on two parents, and the one couple"
    assert max(keys.values()) - min(keys.values()) <= 1, "each once before one comes twice"
    tried = {key for key in keys if key[0] != "query"}
    left = scheme.draw(random.Random(2), BEST, 6, tried)
    assert {mating.operator for mating in left} == {"query"}
    assert scheme.draw(random.Random(2), BEST, 6, set(keys)) == []
