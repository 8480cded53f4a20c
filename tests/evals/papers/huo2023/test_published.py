"""The published cells of Huo et al., computed again: sums, agreement, and the slips of the text."""

import pytest

from groundwire.evals.papers.huo2023.published import (
    CORRECT,
    DISTRIBUTION,
    ERRATA,
    FLIPS,
    LABELS,
    MANUAL,
    PASSAGE,
    PREFERRED,
    PRINTED_AGREEMENT,
    QUESTIONS,
    READER,
    TABLE_3,
    TABLE_4,
    trace,
)


def test_every_stack_labels_every_question() -> None:
    assert [sum(DISTRIBUTION[label][n] for label in LABELS) for n in range(3)] == [QUESTIONS] * 3


@pytest.mark.parametrize(("cross", "rows", "columns"), [(TABLE_3, 0, 1), (TABLE_4, 1, 2)])
def test_the_margins_of_the_cross_tables_are_table_1(
    cross: tuple[tuple[int, ...], ...], rows: int, columns: int
) -> None:
    assert [sum(row) for row in cross] == [DISTRIBUTION[label][rows] for label in LABELS]
    assert [sum(column) for column in zip(*cross, strict=True)] == [DISTRIBUTION[label][columns] for label in LABELS]


def test_agreement_is_what_the_cells_give() -> None:
    assert (trace(TABLE_3), trace(TABLE_4)) == (5740, 5901)
    assert [round(100 * trace(cross) / QUESTIONS, 1) for cross in (TABLE_3, TABLE_4)] == [82.2, 84.5]
    assert PRINTED_AGREEMENT["table 4"] == 83.2
    assert "83.2 %" in ERRATA["table 4"][0]
    assert "84.5 %" in ERRATA["table 4"][0]


def test_what_people_judged_sums_to_what_they_were_given() -> None:
    assert {sum(counts) for counts in CORRECT.rows.values()} == {100}
    assert sum(counts[0] for counts in CORRECT.rows.values()) / 3 == 75
    assert {sum(counts) for counts in PREFERRED.rows.values()} == {20}
    assert {name: sum(counts) for name, counts in PASSAGE.rows.items()} == {"agree": 30, "disagree": 60}
    assert (READER.n("all"), FLIPS.n("changed")) == (90, 60)
    assert [round(100 * count / 90, 1) for count in READER.rows["all"]] == [6.7, 2.2]
    assert all(len(counts) == len(manual.choices) for manual in MANUAL for counts in manual.rows.values())


def test_the_posters_misprint() -> None:
    better = FLIPS.rows["changed"][0]
    assert round(100 * better / 60, 1) == 56.7
    assert round(100 * better / 90, 1) == 37.8 != round(100 * 24 / 90, 1)
    assert "24 of 90" in ERRATA["section 3.3, flips"][0]
