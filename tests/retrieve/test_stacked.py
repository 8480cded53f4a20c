from dataclasses import replace
from itertools import pairwise

import pytest

from groundwire.errors import UsageError
from groundwire.retrieve import Cut, Named, Pool, Stacked, explained


class Backwards:
    """Turns the order round: the last gets the highest score."""

    name = "backwards"

    def __init__(self) -> None:
        self.given: list[list[int]] = []

    def rerank(self, queries, hits):
        self.given.append([len(found) for found in hits])
        return [[replace(h, score=float(n), by=self.name) for n, h in enumerate(found)][::-1] for found in hits]


def test_the_first_are_ranked_again_and_the_others_stay_behind(written, ids) -> None:
    stack = Stacked(written("one", a=9, b=8, c=7, d=6), Backwards(), 2)
    (hits,) = stack.retrieve(["q"], 4)
    assert ids(hits) == "bacd"
    assert [hit.by for hit in hits] == ["backwards", "backwards", "one", "one"]
    assert all(above.score > below.score for above, below in pairwise(hits))
    assert stack.name == "one+backwards:2"


def test_more_than_k_are_ranked_again_before_k_are_kept(written, ids) -> None:
    one = written("one", a=9, b=8, c=7)
    assert ids(Stacked(one, Backwards()).retrieve(["q"], 1)[0]) == "c"
    assert one.asked == [100]
    assert ids(Stacked(one, Backwards(), 2).retrieve(["q"], 3)[0]) == "bac"


def test_all_of_what_is_limited_is_ranked_again(written) -> None:
    last = Backwards()
    Stacked(Pool([written("one", a=1), written("two", b=1, c=0.5)]), last).retrieve(["q"], 1)
    Stacked(Cut(written("one", a=3, b=2, c=1), 2), last).retrieve(["q"], 1)
    assert last.given == [[3], [2]]


def test_all_queries_are_one_call(written) -> None:
    last = Backwards()
    assert len(Stacked(written("one", a=1), last).retrieve(["p", "q"], 1)) == 2
    assert last.given == [[1, 1]]


def test_every_stage_is_in_the_explanation(written, ids) -> None:
    found = Stacked(Stacked(written("one", a=9, b=8), Backwards()), Backwards(), 1).explain("q", 1)
    assert [(r.by, ids(r.hits)) for r in found.rankings] == [
        ("one", "ab"),
        ("one+backwards", "b"),
        ("one+backwards+backwards:1", "b"),
    ]


def test_no_hits_stay_none(written) -> None:
    assert Stacked(written("one"), Backwards()).retrieve(["q"], 5) == [[]]


def test_a_cut_says_its_depth_and_keeps_to_it(written, ids) -> None:
    cut = Cut(written("one", a=3, b=2, c=1), 2)
    assert (cut.name, cut.most, ids(cut.retrieve(["q"], 5)[0]), ids(cut.retrieve(["q"], 1)[0])) == (
        "one:2",
        2,
        "ab",
        "a",
    )
    assert Cut(Stacked(written("one"), Backwards()), 3).name == "(one+backwards):3"
    assert cut.explain("q", 5).rankings[-1].by == "one:2"


def test_a_name_hides_the_spec_and_not_the_parts(written) -> None:
    named = Named("mine", Stacked(written("one", a=1), Backwards()))
    assert (named.name, named.most) == ("mine", None)
    assert [r.by for r in named.explain("q", 1).rankings] == ["one", "mine"]


def test_a_retriever_without_parts_is_its_own_only_part(written, ids) -> None:
    (found,) = explained(written("one", a=1, b=2), ["q"], 1)
    assert [(r.by, ids(r.hits)) for r in found.rankings] == [("one", "b")]


@pytest.mark.parametrize("depth", [0, -1])
def test_a_depth_is_one_or_more(written, depth: int) -> None:
    with pytest.raises(UsageError, match="1 or more"):
        Stacked(written("one"), Backwards(), depth)
    with pytest.raises(UsageError, match="1 or more"):
        Cut(written("one"), depth)
