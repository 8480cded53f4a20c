import json

import pytest

from groundwire.evals.bootstrap import Bootstrap, Figure
from groundwire.evals.papers.table import (
    Group,
    Level,
    Row,
    Table,
    Tally,
    compared,
    counted,
    decimal,
    difference,
    levelled,
)

DRAW = Bootstrap()


def table(**more: object) -> Table:
    cells = (compared([True] * 3 + [False], Tally(count=1, n=4), DRAW), compared([True, False], None, DRAW))
    rows = (Row(title="one", used="a|b", cells=cells),)
    settings = {"shares": frozenset({"Acc"}), "notes": ("said",), **more}
    groups = (Group(title="DL19", paper="x", ours="mini, a stand-in", rows=rows),)
    return Table(name="Table 9", title="made", columns=("Sup", "Acc"), groups=groups, **settings)


def test_a_difference_is_our_share_less_the_papers_and_its_interval_that_of_our_rows() -> None:
    cell = compared([True] * 30 + [False] * 10, Tally(count=10, n=40), DRAW)
    assert cell.difference is not None
    assert cell.difference.value == pytest.approx(0.5)
    ours = DRAW.mean([1.0] * 30 + [0.0] * 10)
    assert cell.difference.low == pytest.approx(ours.low - 0.25)
    assert cell.difference.high == pytest.approx(ours.high - 0.25)


@pytest.mark.parametrize(("hits", "paper"), [([], Tally(count=1, n=2)), ([True], None), ([True], Tally(count=0, n=0))])
def test_there_is_no_difference_to_nothing(hits: list[bool], paper: Tally | None) -> None:
    cell = compared(hits, paper, DRAW)
    assert cell.difference is None
    assert cell.ours == Tally(count=len(hits), n=len(hits))


def test_shares_are_printed_as_papers_print_them() -> None:
    assert [decimal(x) for x in (0.8604, 1.0, 0.0)] == [".860", "1.000", ".000"]
    assert Tally(count=0, n=0).text(share=True) == "–"
    assert Tally(count=37, n=43).text(share=False) == "37"


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        (Figure(0.123, -0.031, 0.25), "+12 [−3, +25]"),
        (Figure(-0.004, -0.2, 0.001), "0 [−20, 0]"),
        (Figure(0.1), "+10"),
        (Figure(None), "–"),
        (None, "–"),
    ],
)
def test_differences_are_in_hundredths_with_a_sign(figure: Figure | None, text: str) -> None:
    assert difference(figure) == text


def test_markdown_has_three_columns_a_cell_and_escapes_what_parts_them() -> None:
    lines = table().markdown().splitlines()
    assert "**DL19, the paper's judged by x, ours by mini, a stand-in**" in lines
    assert "|  | Sup paper | Sup ours | Sup difference [95 %] | Acc paper |" in lines[4]
    assert lines[6].startswith("| one | 1 | 3 | +50 [")
    assert lines[6].endswith("| – | .500 | – | a\\|b |")
    assert lines[-1] == "- said"


def test_the_table_is_json() -> None:
    told = json.loads(json.dumps(table().to_dict(), allow_nan=False))
    (row,) = told["groups"][0]["rows"]
    assert (row["system"], row["Sup"]["paper"], row["Sup"]["ours"]) == ("one", [1, 4], [3, 4])
    assert row["Acc"]["difference"] is None
    assert told["groups"][0]["judge"] == {"paper": "x", "ours": "mini, a stand-in"}
    assert told["notes"] == ["said"]


def test_the_head_names_one_judge_where_there_is_one() -> None:
    assert Group(title="DL19", paper="x", ours="x", rows=()).head == "DL19, judged by x"
    assert Group(title="mine", paper=None, ours="mini, a stand-in", rows=()).head == "mine, judged by mini, a stand-in"


def test_a_figure_is_set_beside_the_papers_and_one_that_is_missing_says_why() -> None:
    ours = Level(figure=Figure(0.70, 0.60, 0.85), n=40)
    cell = levelled(ours, 0.763)
    assert cell.apart == "−6 [−16, +9]"
    assert cell.ours.text(share=True) == ".700"
    assert cell.to_dict()["ours"] == {"value": 0.70, "low": 0.60, "high": 0.85, "n": 40}
    absent = levelled(Level(figure=Figure(None), why="absent"), 0.763)
    assert (absent.ours.text(share=True), absent.apart, absent.to_dict()["ours"]["why"]) == ("absent", "–", "absent")
    assert levelled(ours, None).paper is None


def test_a_count_without_error_has_a_gap() -> None:
    cell = counted(113, 122)
    assert (cell.apart, cell.to_dict()["difference"]) == ("−9", -9)
    assert counted(5, 5).apart == "0"


def test_counts_may_have_their_percent_and_nobody_may_judge() -> None:
    assert Tally(count=5740, n=6980).text(share=False, percent=True) == "5740 (82.2)"
    assert Tally(count=0, n=0).text(share=False, percent=True) == "–"
    assert Group(title="rows", paper=None, ours="", rows=()).head == "rows"
    lines = table(percents=frozenset({"Sup"})).markdown().splitlines()
    assert lines[6].startswith("| one | 1 (25.0) | 3 (75.0) |")
