from itertools import permutations

import pytest

from groundwire.errors import UsageError
from groundwire.retrieve import Cut, Pool


def test_it_is_the_union_by_passage(written, ids) -> None:
    pool = Pool([written("one", a=9, b=8, c=7), written("two", d=0.9, a=0.8)])
    (hits,) = pool.retrieve(["q"], 10)
    assert sorted(ids(hits)) == ["a", "b", "c", "d"]
    assert pool.name == "(one|two)"
    assert {hit.by for hit in hits} == {"(one|two)"}


def test_the_order_is_by_best_rank_then_id_whatever_the_order_of_the_parts(written, ids) -> None:
    parts = [written("one", b=9, x=8, c=7), written("two", a=1, x=0.5), written("three", x=3, y=2)]
    found = {ids(Pool(list(order)).retrieve(["q"], 10)[0]) for order in permutations(parts)}
    assert found == {"abxyc"}


def test_k_cuts_the_pool_and_not_its_parts(written, ids) -> None:
    one, two = written("one", a=2, b=1), written("two", c=2, b=1)
    pool = Pool([one, Cut(two, 1)])
    assert ids(pool.retrieve(["q"], 2)[0]) == "ac"
    assert (one.asked, two.asked) == ([1000], [1])
    assert pool.most == 1001


def test_every_part_is_in_the_explanation_with_its_own_scores(written, ids) -> None:
    found = Pool([written("one", a=9, b=8), written("two", b=0.5)]).explain("q", 1)
    assert found.query == "q"
    assert [(r.by, ids(r.hits)) for r in found.rankings] == [("one", "ab"), ("two", "b"), ("(one|two)", "a")]
    assert found.rankings[1].hits[0].score == 0.5


def test_queries_stay_apart_and_none_is_none(written) -> None:
    pool = Pool([written("one", a=1), written("two", b=1)])
    assert len(pool.retrieve(["p", "q", "r"], 5)) == 3
    assert pool.retrieve([], 5) == []


def test_one_part_is_no_pool(written) -> None:
    with pytest.raises(UsageError, match="two parts"):
        Pool([written("one", a=1)])
