import re
from dataclasses import replace
from itertools import combinations, pairwise

import pytest

from groundwire.report.candidates import articles
from groundwire.report.family import Family, family_of
from groundwire.report.layout import laid_out
from groundwire.report.tree import tree_section
from groundwire.types import Answer, Candidate


@pytest.mark.parametrize("each", [1, 12, 13, 48])
def test_nodes_stand_apart_inside_the_drawing_and_generations_from_left_to_right(each: int, grow) -> None:
    family = family_of(grow(generations=3, each=each))
    layout = laid_out(family)
    assert set(layout.places) == set(family.drawn)
    for a, b in combinations(layout.places.values(), 2):
        assert (a.x - b.x) ** 2 + (a.y - b.y) ** 2 > (a.radius + b.radius) ** 2
    for place in layout.places.values():
        assert place.radius < place.x < layout.width - place.radius
        assert place.radius < place.y < layout.height - place.radius
    ranges = [[layout.places[n].x for n in column.members] for column in family.columns]
    assert all(max(left) < min(right) for left, right in pairwise(ranges))


def drawing(family: Family) -> str:
    made = tree_section(family, articles(family, {}))
    assert made is not None
    return made


def test_edges_are_told_apart_by_operator_and_the_answers_ancestry_is_bold(nothing: Answer) -> None:
    members = (
        Candidate(id="a", text="a", parents=("c", "d"), operator="crossover", generation=1),
        Candidate(id="b", text="b", parents=("c",), operator="random", generation=1),
        Candidate(id="c", text="c"),
        Candidate(id="d", text="d"),
    )
    html = drawing(family_of(replace(nothing, text="a", lineage=members)))
    edges = set(re.findall(r'class="(edge[^"]*)" data-from="(\d)" data-to="(\d)"', html))
    assert edges == {("edge op0 line", "3", "1"), ("edge op0 line", "4", "1"), ("edge op1", "3", "2")}
    assert re.findall(r'<span class="key">.*?<bdi>(.*?)</bdi>', html) == [
        "crossover",
        "random",
        "not measured",
        "the answer",
    ]


def test_nodes_are_coloured_by_groundedness(nothing: Answer) -> None:
    values = [0.0, 0.19, 0.5, 0.99, 1.0, None]
    members = tuple(
        Candidate(id=str(n), text=str(n), fitness={} if v is None else {"support": v}) for n, v in enumerate(values)
    )
    html = drawing(family_of(replace(nothing, text="5", lineage=members)))
    looks = re.findall(r'<a href="#c\d" class="([^"]*)"', html)
    assert looks == ["node g0", "node g0", "node g2", "node g4", "node g4", "node none best line"]
    assert "node: support" in html


def test_a_candidate_says_what_became_of_each_parents_words(nothing: Answer) -> None:
    members = (
        Candidate(
            id="a",
            text="the door is blue",
            parents=("b", "gone"),
            operator="query",
            generation=1,
            fitness={"total": 1.0},
        ),
        Candidate(id="b", text="the door is red", fitness={"total": 0.75}, passage="p"),
    )
    family = family_of(replace(nothing, text="the door is blue", lineage=members))
    html = articles(family, {"p": "s1"})
    assert "the door is <del>red</del> <ins>blue</ins>" in html
    assert "3 words kept, 1 cut, 1 new" in html
    assert "<th>total</th><td>1.000</td><td>+0.250</td>" in html.replace(' scope="row"', "")
    assert '<a href="#s1"><bdi>p</bdi></a>' in html
    assert "1 parent not in the lineage" in html
    assert html.count("<details") == 2
    assert html.count(" open>") == 1


def test_a_long_text_is_cut_and_a_long_common_run_shortened(nothing: Answer) -> None:
    words = " ".join(f"w{n}" for n in range(100))
    members = (
        Candidate(id="a", text=f"{words} new", parents=("b",), operator="query", generation=1),
        Candidate(id="b", text=words),
        Candidate(id="c", text="x" * 1_000_000),
    )
    html = articles(family_of(replace(nothing, text=members[0].text, lineage=members)), {})
    assert "… 88 words …</span> w88" in html
    assert "(980 000 more characters)" in html
    assert len(html) < 50_000


def test_a_parent_without_a_place_is_named_and_not_linked(grow) -> None:
    family = family_of(grow(generations=1, each=60))
    hidden = next(p for n in family.drawn for p in family.parents[n] if p not in family.drawn)
    html = articles(family, {})
    assert f"<bdi>#{hidden} · " in html
    assert f'"#c{hidden}"' not in html
