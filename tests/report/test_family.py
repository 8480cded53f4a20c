from dataclasses import replace
from math import inf, nan

import pytest

from groundwire.report.family import MOST_DRAWN, family_of, measured, terms_of
from groundwire.types import Answer, Candidate, Generation


def candidate(id_: str, generation: int = 0, parents: tuple[str, ...] = (), **fitness: float) -> Candidate:
    return Candidate(id=id_, text=f"text {id_}", generation=generation, parents=parents, fitness=fitness)


def with_lineage(answer: Answer, *lineage: Candidate, text: str = "text a") -> Answer:
    return replace(answer, text=text, lineage=lineage)


def test_candidates_are_numbered_by_place_and_know_parents_by_number(nothing: Answer) -> None:
    members = (candidate("a", 2, ("b", "c")), candidate("b", 1, ("c",)), candidate("c"), candidate("d"))
    family = family_of(with_lineage(nothing, *members))
    assert family.parents == {1: (2, 3), 2: (3,), 3: (), 4: ()}
    assert (family.best, family.line) == (1, {1, 2, 3})
    assert [(c.generation, c.members) for c in family.columns] == [(0, (3, 4)), (1, (2,)), (2, (1,))]


def test_the_answer_is_the_candidate_that_says_it(nothing: Answer) -> None:
    members = (candidate("a"), candidate("b"))
    assert family_of(with_lineage(nothing, *members, text="text b")).best == 2
    assert family_of(with_lineage(nothing, *members, text="other")).best == 1
    assert family_of(with_lineage(nothing, *members, text="")).best is None
    assert family_of(nothing).best is None


def test_a_lineage_that_runs_in_a_circle_or_names_strangers_is_drawn_all_the_same(nothing: Answer) -> None:
    members = (candidate("a", 1, ("b", "a", "gone")), candidate("b", 1, ("a",)), candidate("b", 0))
    family = family_of(with_lineage(nothing, *members))
    assert family.parents == {1: (3,), 2: (1,), 3: ()}
    assert family.line == {1, 3}


def test_a_copy_descends_from_the_older_of_its_name(nothing: Answer) -> None:
    copy, original = candidate("a", 2, ("a",)), candidate("a", 1, ("s",))
    family = family_of(with_lineage(nothing, copy, original, candidate("b", 2, ("a",)), candidate("s")))
    assert family.parents == {1: (2,), 2: (4,), 3: (2,), 4: ()}
    assert family.line == {1, 2, 4}


def test_of_a_crowded_generation_ancestors_come_first_then_parents_then_the_fittest(nothing: Answer) -> None:
    seeds = [candidate(f"s{n}") for n in range(100)]
    members = (candidate("a", 1, ("s99",)), candidate("b", 1, ("s98",)), *seeds)
    column = family_of(with_lineage(nothing, *members)).columns[0]
    assert len(column.members) == MOST_DRAWN
    assert column.hidden == 100 - MOST_DRAWN
    assert column.members == (*range(3, MOST_DRAWN + 1), 101, 102)


def test_a_generation_that_gave_nothing_has_a_column(nothing: Answer) -> None:
    answer = with_lineage(nothing, candidate("a"))
    turn = Generation(number=1, wanted=3, new=0, failed=3, repeated=0, best="a")
    assert [c.members for c in family_of(replace(answer, generations=(turn,))).columns] == [(1,), ()]


@pytest.mark.parametrize(
    ("fitness", "term", "value"),
    [
        ({"rouge": 0.25, "support": 0.75}, "support", 0.75),
        ({"relevance": 7.0, "rouge-2": 0.25}, "rouge-2", 0.25),
        ({"relevance": 7.0}, None, None),
        ({"support": 1.5}, "support", 1.0),
        ({"support": nan}, "support", None),
    ],
)
def test_groundedness_is_support_or_else_rouge(
    fitness: dict[str, float], term: str | None, value: float | None, nothing: Answer
) -> None:
    family = family_of(with_lineage(nothing, candidate("a", **fitness)))
    assert (family.grounding, family.groundedness(1)) == (term, value)


def test_terms_that_are_no_finite_numbers_are_not_measured() -> None:
    one = candidate("a", relevance=inf, total=2.0)
    assert (measured(one, "relevance"), measured(one, "total"), measured(one, "none")) == (None, 2.0, None)
    assert terms_of((one,)) == ["total", "relevance"]
