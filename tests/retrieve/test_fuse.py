from itertools import permutations

import pytest

from groundwire.errors import UnknownName, UsageError
from groundwire.retrieve import Fuse


def scores(fuse: Fuse) -> dict[str, float]:
    return {hit.passage.id: hit.score for hit in fuse.retrieve(["q"], 100)[0]}


def test_rrf_by_hand(written) -> None:
    fused = scores(Fuse([written("one", a=9, b=8), written("two", b=0.5, c=0.4)]))
    assert fused == pytest.approx({"b": 1 / 62 + 1 / 61, "a": 1 / 61, "c": 1 / 62})
    assert list(fused) == ["b", "a", "c"]


def test_rrf_takes_any_number_and_does_not_depend_on_their_order(written) -> None:
    parts = [written("x", a=3, b=2, c=1), written("y", c=3, b=2), written("z", d=1, a=0.5)]
    assert len({tuple(scores(Fuse(list(order))).items()) for order in permutations(parts)}) == 1


def test_equal_scores_stand_by_id(written, ids) -> None:
    fused = Fuse([written("one", b=1, a=0.5), written("two", a=1, b=0.5)])
    assert ids(fused.retrieve(["q"], 2)[0]) == "ab"


def test_weighted_by_hand_with_the_lowest_score_for_what_is_missing(written) -> None:
    fused = scores(Fuse([written("one", a=20, b=10), written("two", b=0.9, c=0.4)], "weighted"))
    assert fused == pytest.approx({"a": 2.0 + 0.4, "b": 1.0 + 0.9, "c": 1.0 + 0.4})
    heavy = scores(Fuse([written("one", a=20, b=10), written("two", b=0.9, c=0.4)], "weighted", alpha=0.0))
    assert heavy == pytest.approx({"a": 0.4, "b": 0.9, "c": 0.4})


def test_normalising_takes_the_middle_off_and_divides_by_the_range(written) -> None:
    parts = [written("one", a=20, b=10, d=15), written("two", b=0.9, c=0.4)]
    fused = scores(Fuse(parts, "weighted", alpha=0.5, normalise=True))
    assert fused == pytest.approx({"a": 0.25 - 0.5, "b": -0.25 + 0.5, "c": -0.25 - 0.5, "d": 0.0 - 0.5})


def test_a_list_without_a_range_or_without_hits_counts_nothing(written) -> None:
    assert scores(Fuse([written("one", a=7), written("two", b=1, c=0)], "weighted", normalise=True)) == pytest.approx(
        {"b": 0.5, "a": -0.5, "c": -0.5}
    )
    assert scores(Fuse([written("one"), written("two", b=1)], "weighted")) == {"b": 1}
    assert scores(Fuse([written("one"), written("two")], "weighted")) == {}


def test_the_top_does_not_depend_on_k(written, ids) -> None:
    parts = [written("one", a=9, b=8, c=7), written("two", c=3, b=2)]
    full = ids(Fuse(parts).retrieve(["q"], 3)[0])
    assert [ids(Fuse(parts).retrieve(["q"], k)[0]) for k in (1, 2)] == [full[:1], full[:2]]


@pytest.mark.parametrize(
    ("made", "name"),
    [
        ({}, "rrf(one,two)"),
        ({"constant": 10}, "rrf(one,two,k=10)"),
        ({"rule": "weighted"}, "weighted(one,two)"),
        ({"rule": "weighted", "alpha": 0.25, "normalise": True}, "weighted(one,two,alpha=0.25,normalise=yes)"),
    ],
)
def test_it_prints_as_what_makes_it(written, made, name) -> None:
    assert Fuse([written("one"), written("two")], **made).name == name


def test_what_cannot_be_fused_is_said(written) -> None:
    parts = [written("one"), written("two"), written("three")]
    with pytest.raises(UsageError, match="weighted fuses two parts, got 3"):
        Fuse(parts, "weighted")
    with pytest.raises(UsageError, match="two parts or more"):
        Fuse(parts[:1])
    with pytest.raises(UnknownName, match="unknown fusion 'sum'"):
        Fuse(parts, "sum")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="finite"):
        Fuse(parts[:2], "weighted", alpha=float("nan"))
