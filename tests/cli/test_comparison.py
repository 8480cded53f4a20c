import io

import pytest
from rich.console import Console

from groundwire.cli.comparison import draw
from groundwire.evals.bootstrap import Figure
from groundwire.evals.papers.table import Cell, Group, Row, Table, Tally


def table() -> Table:
    def cell(paper: int, ours: int) -> Cell:
        gap = Figure(ours / 43 - paper / 43, -0.4, 0.1)
        return Cell(paper=Tally(count=paper, n=43), ours=Tally(count=ours, n=43), difference=gap)

    rows = (
        Row(
            title="GAuGE₂",
            used="gauge-code(rouge=2); [bold]x",
            cells=(cell(37, 20), cell(6, 20), cell(0, 3), cell(37, 20)),
        ),
        Row(title="other", used="o", cells=(Cell(paper=None, ours=Tally(count=1, n=43)),) * 4),
    )
    group = Group(title="DL19", paper="albert", ours="mini, a stand-in", rows=rows)
    columns = ("Sup", "NEI", "Ref", "Acc")
    notes = ("a note that is long enough to run over the end of one line of the terminal, so that it wraps",)
    return Table(name="Table 2", title="made", columns=columns, groups=(group,), shares=frozenset({"Acc"}), notes=notes)


def drawn(width: int) -> list[str]:
    out = io.StringIO()
    draw([table()], Console(file=out, width=width, color_system=None))
    return out.getvalue().splitlines()


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_longer_than_the_terminal(width: int) -> None:
    assert max(map(len, drawn(width))) <= width


def test_where_there_is_room_every_cell_has_three_numbers() -> None:
    lines = drawn(120)
    heads = next(line for line in lines if line.split()[:3] == ["paper", "ours", "difference"])
    assert heads.split() == ["paper", "ours", "difference"] * 4
    row = next(line for line in lines if line.startswith("GAuGE₂"))
    assert row.split()[1:5] == ["37", "20", "−40", "[−40,"]
    assert ".860 .465 −40" in row


def test_else_a_row_is_one_line_of_counts() -> None:
    lines = drawn(80)
    row = next(line for line in lines if line.startswith("GAuGE₂"))
    assert row.split() == ["GAuGE₂", "37/6/0", ".860", "20/20/3", ".465", "−40", "[−40,", "+10]"]
    assert next(line for line in lines if line.startswith("other")).split() == ["other", "–", "1/1/1", ".023", "–"]


def test_no_number_is_cut_where_the_wide_table_just_does_not_fit() -> None:
    widths = range(80, 121)
    for width in widths:
        row = next(line for line in drawn(width) if line.startswith("GAuGE₂"))
        assert row.rstrip().endswith("−40 [−40, +10]"), width


def test_who_judged_stands_above() -> None:
    assert "DL19, the paper's judged by albert, ours by mini, a stand-in" in drawn(80)


def test_markup_in_a_name_stays_text() -> None:
    assert any("[bold]x" in line for line in drawn(80))


def cross(width: int) -> list[str]:
    cell = Cell(paper=Tally(count=5414, n=6980), ours=Tally(count=22, n=24), difference=Figure(0.14, 0.02, 0.21))
    rows = tuple(Row(title=f"Neural {name}", used="", cells=(cell,) * 3) for name in ("Yes", "No", "Not Related"))
    columns = ("Yes", "No", "Not Related")
    group = Group(title="", paper=None, ours="", rows=rows)
    out = io.StringIO()
    made = Table(name="Table 4", title="x", columns=columns, groups=(group,), percents=frozenset(columns))
    draw([made], Console(file=out, width=width, color_system=None))
    return out.getvalue().splitlines()


@pytest.mark.parametrize(("width", "rows"), [(70, 9), (80, 9), (140, 3)])
def test_counts_with_their_percent_are_never_cut(width: int, rows: int) -> None:
    lines = cross(width)
    assert "…" not in "".join(lines)
    assert sum("5414 (77.6)" in line for line in lines) == rows
    assert max(map(len, lines)) <= width


def test_a_part_of_what_is_named_is_not_named_again() -> None:
    cells = (Cell(paper=None, ours=Tally(count=1, n=2)),)
    rows = tuple(Row(title=title, used="all rows", cells=cells) for title in ("X", "X at .5", "Y"))
    group = Group(title="", paper=None, ours="", rows=rows)
    out = io.StringIO()
    draw([Table(name="T", title="t", columns=("a",), groups=(group,))], Console(file=out, width=80, color_system=None))
    assert "X, Y: all rows" in out.getvalue()
