from collections.abc import Sequence
from dataclasses import replace

import pytest

from groundwire.errors import UsageError
from groundwire.protocols import Reranker
from groundwire.rerank import PairReranker, PairwiseReranker, readable, standardised
from groundwire.testing import OverlapModel
from groundwire.types import Hit, Passage

JOINED = ["mini", "mini(first=0)", "overlap(first=0.25,title=no)"]


def hits(*texts: str, title: str | None = None) -> list[Hit]:
    return [Hit(passage=Passage(id=str(n), text=t, title=title), score=-n, by="one") for n, t in enumerate(texts)]


class Counted(OverlapModel):
    calls: list[int]

    def score(self, pairs):
        self.__class__.calls.append(len(pairs))
        return super().score(pairs)


class Longer:
    """Prefers the longer text."""

    name = "longer"

    def __init__(self) -> None:
        self.seen: list[tuple[str, tuple[str, ...]]] = []

    def prefer(self, query: str, texts: Sequence[str]) -> list[float]:
        self.seen.append((query, tuple(texts)))
        return [float(len(text)) for text in texts]


def test_the_model_orders_and_equal_ones_stay() -> None:
    (found,) = PairReranker(OverlapModel()).rerank(["red fox"], [hits("blue", "a fox", "green", "a red fox")])
    assert [(h.passage.id, h.score, h.by) for h in found] == [
        ("3", 2.0, "overlap"),
        ("1", 1.0, "overlap"),
        ("0", 0.0, "overlap"),
        ("2", 0.0, "overlap"),
    ]


def test_the_first_stages_score_is_joined_within_the_query() -> None:
    found = hits(
        "a red fox", "red", "a fox", "none"
    )  # the first stage gives 0, -1, -2, -3; the words in common are 2 1 1 0
    spread, words = (5 / 4) ** 0.5, 0.5**0.5
    (joined,) = PairReranker(OverlapModel(), first=0.25).rerank(["red fox"], [found])
    assert [h.passage.id for h in joined] == ["0", "1", "2", "3"]
    wanted = [0.25 * own / spread + 0.75 * given / words for own, given in ((1.5, 1), (0.5, 0), (-0.5, 0), (-1.5, -1))]
    assert [h.score for h in joined] == pytest.approx(wanted)
    (first,) = PairReranker(OverlapModel(), first=1).rerank(["none"], [found])
    assert [h.passage.id for h in first] == ["0", "1", "2", "3"]
    # Neither unit nor zero of the first stage's scores matter.
    other = [replace(hit, score=1000 + 7 * hit.score) for hit in found]
    (again,) = PairReranker(OverlapModel(), first=0.25).rerank(["red fox"], [other])
    assert [h.score for h in again] == pytest.approx(wanted)


def test_scores_that_do_not_differ_join_as_nothing() -> None:
    assert standardised([]) == []
    assert standardised([3.0]) == standardised([0.0]) == [0.0]
    assert standardised([0.1 + 0.2, 0.3, 0.3]) == [0.0] * 3
    assert standardised([1.0, 3.0]) == [-1.0, 1.0]
    reranker = PairReranker(OverlapModel(), first=0.5)
    assert [h.score for h in reranker.rerank(["fox"], [hits("fox", "fox")])[0]] == [0.5, -0.5]
    assert reranker.rerank(["fox"], [[]]) == [[]]


def test_an_only_hit_has_the_scorers_own_score() -> None:
    reranker = PairReranker(OverlapModel(), first=0.5)
    assert [h.score for h in reranker.rerank(["a red fox"], [hits("the red fox")])[0]] == [2.0]


@pytest.mark.parametrize("first", [-0.1, 1.1, float("nan")])
def test_what_the_first_stage_counts_is_a_share(first: float) -> None:
    with pytest.raises(UsageError, match="from 0 to 1"):
        PairReranker(OverlapModel(), first=first)


def test_all_queries_are_one_batch_and_each_keeps_its_own() -> None:
    Counted.calls = []
    found = PairReranker(Counted()).rerank(["fox", "dog", "cat"], [hits("dog", "fox"), [], hits("cat")])
    assert Counted.calls == [3]
    assert [[h.passage.id for h in one] for one in found] == [["1", "0"], [], ["0"]]


def test_without_hits_the_model_is_not_asked() -> None:
    Counted.calls = []
    assert PairReranker(Counted()).rerank(["q"], [[]]) == [[]]
    assert Counted.calls == []


def test_the_title_comes_first_where_there_is_one() -> None:
    titled = Passage(id="1", text="runs", title="The fox")
    assert readable(titled) == "The fox runs"
    assert readable(titled, title=False) == "runs"
    assert readable(Passage(id="1", text="runs")) == readable(Passage(id="1", text="runs", title="")) == "runs"
    assert readable(Passage(id="1", text="", title="The fox")) == "The fox"
    with_title = PairReranker(OverlapModel()).rerank(["fox"], [hits("runs", title="fox")])
    without = PairReranker(OverlapModel(), title=False).rerank(["fox"], [hits("runs", title="fox")])
    assert (with_title[0][0].score, without[0][0].score) == (1.0, 0.0)


def test_only_the_first_are_compared_and_the_others_stay_behind() -> None:
    model = Longer()
    (found,) = PairwiseReranker(model, 3).rerank(["q"], [hits("a", "bbb", "cc", "dddddd", "eeeee")])
    assert model.seen == [("q", ("a", "bbb", "cc"))]
    assert [h.passage.id for h in found] == ["1", "2", "0", "3", "4"]
    assert [h.score for h in found] == [3.0, 2.0, 1.0, 0.0, -1.0]
    assert [h.by for h in found] == ["longer:3"] * 3 + ["one"] * 2


def test_a_single_hit_is_compared_with_nothing() -> None:
    model = Longer()
    lone = [replace(hits("a")[0], score=7.0)]
    assert PairwiseReranker(model).rerank(["q"], [lone]) == [lone]
    assert PairwiseReranker(model, 1).rerank(["q"], [hits("a", "b")]) == [hits("a", "b")]
    assert PairwiseReranker(model).rerank(["q"], [[]]) == [[]]
    assert model.seen == []


def test_they_print_as_what_makes_them_and_fill_the_role() -> None:
    made = [
        PairReranker(OverlapModel()),
        PairReranker(OverlapModel(), title=False),
        PairReranker(OverlapModel(), spec="mini"),
        PairReranker(OverlapModel(), spec="mini", first=0.3, usual=0.3),
        PairReranker(OverlapModel(), spec="mini", first=0, usual=0.3),
        PairReranker(OverlapModel(), first=0.25, title=False),
        PairwiseReranker(Longer()),
        PairwiseReranker(Longer(), 10, title=False),
    ]
    assert [one.name for one in made] == [
        "overlap",
        "overlap(title=no)",
        "mini",
        *JOINED,
        "longer",
        "longer(title=no):10",
    ]
    assert all(isinstance(one, Reranker) for one in made)


def test_at_least_one_is_compared() -> None:
    with pytest.raises(UsageError, match="1 or more"):
        PairwiseReranker(Longer(), 0)
