"""Our counts put beside the paper's: every answer stands somewhere, and those without a label in a row of their own."""

from collections.abc import Sequence

from groundwire.compare import Said
from groundwire.evals.bootstrap import Bootstrap
from groundwire.evals.papers.huo2023 import people
from groundwire.evals.papers.huo2023.answering import ASKED, GIVEN, Answered
from groundwire.evals.papers.huo2023.judging import Judged
from groundwire.evals.papers.huo2023.published import STACKS
from groundwire.evals.papers.huo2023.systems import System, Verifying
from groundwire.evals.papers.huo2023.tables import Found, tables
from groundwire.evals.papers.table import Table, Tally
from groundwire.types import Case, Verdict

Y, N, R = Said.YES, Said.NO, Said.NOT_RELATED
VIEWS = {"BM25": [Y, Y, N, None], "Neural": [Y, N, N, Y], "Neural+Reader": [Y, Y, R, Y]}


class Silent:
    """Verifies nothing."""

    def verify(self, cases: Sequence[Case]) -> list[Verdict]:
        raise AssertionError

    def identity(self) -> dict[str, object]:
        return {}


def made(judged: dict[str, str] | None = None, views: dict[str, list[Said | None]] = VIEWS) -> dict[str, Table]:
    n = len(views["BM25"])
    answers = [Answered(query=str(k), question="q", text="a", source=GIVEN if k else ASKED) for k in range(n)]
    verifier: Verifying = Silent()
    systems = [System(title=title, used="bm25", judge="mini, a stand-in", verifier=verifier) for title in STACKS]
    seen = {stack: [Judged(said=said, reading="r") for said in labels] for stack, labels in views.items()}
    drawn = people.items(answers, seen, seed=0)
    found = Found(answers=answers, views=seen, systems=systems, draw=Bootstrap(), drawn=drawn, judged=judged)
    return {table.name: table for table in tables(found)}


def ours(table: Table) -> dict[str, list[object]]:
    (group,) = table.groups
    return {row.title: [cell.ours for cell in row.cells] for row in group.rows}


def counts(table: Table) -> dict[str, list[int]]:
    return {title: [cell.count for cell in cells if isinstance(cell, Tally)] for title, cells in ours(table).items()}


def test_table_1_counts_every_answer_of_every_stack() -> None:
    found = counts(made()["Table 1"])
    assert found == {"Yes": [2, 2, 3], "No": [1, 2, 0], "Not Related": [0, 0, 1], "no label": [1, 0, 0]}


def test_cross_tables_hold_what_both_have_labelled_and_agreement_is_their_trace() -> None:
    found = made()
    assert counts(found["Table 3"]) == {"BM25 Yes": [1, 1, 0], "BM25 No": [0, 1, 0], "BM25 Not Related": [0, 0, 0]}
    assert sum(map(sum, counts(found["Table 4"]).values())) == 4
    assert ours(found["Agreement"]) == {
        "BM25 and Neural": [Tally(count=2, n=3)],
        "Neural and Neural+Reader": [Tally(count=2, n=4)],
    }


def test_agreement_of_the_paper_is_printed_from_its_cells() -> None:
    (group,) = made()["Agreement"].groups
    texts = [next(made()["Agreement"].texts(row))[0] for row in group.rows]
    assert texts == ["5740 (82.2)", "5901 (84.5)"]
    assert any("83.2 %" in note for note in made()["Table 4"].notes)


def test_what_people_have_not_judged_says_people() -> None:
    found = made()
    assert {text for row in found["Table 2"].groups[0].rows for _, text, _ in found["Table 2"].texts(row)} == {"people"}
    assert "0 of 4 items" in found["Table 2"].notes[0]
    assert found["Table 2"].groups[0].head.endswith("judged by people")


def test_judgements_fill_the_tables() -> None:
    found = made({"label/Yes/0": "correct", "label/Yes/1": "incorrect", "label/Yes/3": "unsure"})
    rows = ours(found["Table 2"])
    assert rows["Yes"] == [Tally(count=1, n=2), Tally(count=1, n=2)]
    assert "2 of 4 items are judged (items.jsonl" in found["Table 2"].notes[0]


def test_a_stand_in_stands_only_under_ours() -> None:
    for name in ("Table 1", "Table 3", "Table 4", "Agreement"):
        (group,) = made()[name].groups
        assert group.paper == "gpt-3.5-turbo"
        assert group.ours == "mini, a stand-in"


def test_no_answers_are_no_figures_and_no_error() -> None:
    found = made(views={stack: [] for stack in STACKS})
    assert counts(found["Table 1"])["Yes"] == [0, 0, 0]
    assert found["Table 1"].markdown()
