"""The published cells, computed again: sums, accuracies, and what the paper derives from them."""

from itertools import product

import pytest

from groundwire.evals.papers.gauge.published import (
    ERRATA,
    FIGURE_3,
    FIGURE_JUDGE,
    GROUNDEDNESS,
    JUDGES,
    LLMS,
    PREFERENCE,
    PRINTED_ACCURACIES,
    ROWS,
    SIZES,
    accuracy,
    groundedness,
    preference,
)
from groundwire.models import catalogue

XL, XL_FEVER = "albert-xlarge-vitaminc", "albert-xlarge-vitaminc-fever"


def test_every_cell_sums_to_the_questions_of_its_set() -> None:
    assert SIZES == {"dl19": 43, "dl20": 54, "dev": 100}
    assert set(PREFERENCE) == set(SIZES)
    for data, rows in PREFERENCE.items():
        assert set(rows) == set(ROWS)
        assert {sum(counts) for counts in rows.values()} == {SIZES[data]}
    for (llm, data), rows in GROUNDEDNESS.items():
        assert llm in LLMS
        assert set(rows) == set(ROWS) - {"direct"}
        for row in rows.values():
            assert len(row) == len(JUDGES)
            assert {sum(counts) for counts in row} == {SIZES[data]}


def test_there_are_as_many_cells_as_the_tables_have() -> None:
    assert sum(len(rows) for rows in PREFERENCE.values()) == 12
    assert {key: len(rows) for key, rows in GROUNDEDNESS.items()} == {
        ("gpt-3", "dl19"): 3,
        ("gpt-4", "dl19"): 3,
        ("gpt-3", "dl20"): 3,
        ("gpt-3", "dev"): 3,
    }


def test_accuracies_that_were_printed_rounded_up() -> None:
    for (supports, n), printed in PRINTED_ACCURACIES.items():
        exact = supports / n
        assert round(exact, 3) != printed
        assert printed == pytest.approx(exact + 0.0005, abs=0.0006)
        cells = [c for rows in GROUNDEDNESS.values() for row in rows.values() for c in row]
        assert any(c[0] == supports and sum(c) == n for c in cells), "the paper has no such cell"
    assert [round(s / n, 4) for s, n in PRINTED_ACCURACIES] == [0.8605, 0.9535, 0.8333]


def test_the_sentence_of_section_4_1_by_the_tables() -> None:
    def pair(data: str, judge: str) -> list[float]:
        cells = [groundedness("gpt-3", data, row, judge) for row in ("gen2ir", "gauge1")]
        return [round(accuracy(c), 3) for c in cells if c is not None]

    assert [pair(data, XL_FEVER) for data in ("dl19", "dl20", "dev")] == [[0.233, 0.721], [0.222, 0.833], [0.22, 0.78]]
    assert pair("dl19", XL) == [0.186, 0.93]
    assert ".233 to .721 (DL19), .222 to .833 (DL20) and .220 to .780" in ERRATA["table 3"][1]


def test_figure_3_is_the_tables_where_both_have_a_number() -> None:
    for row in ("gauge1", "gauge2"):
        grounded, preferred = groundedness("gpt-3", "dev", row, FIGURE_JUDGE), preference("dev", row)
        assert grounded is not None
        assert preferred is not None
        assert FIGURE_3[row].grounded == pytest.approx(accuracy(grounded))
        assert FIGURE_3[row].preferred == pytest.approx(preferred[0] / 100)


def test_what_the_paper_has_not_is_none() -> None:
    assert groundedness("gpt-4", "dl20", "gauge1", XL) is None
    assert groundedness("gpt-3", "dl19", "direct", XL) is None
    assert groundedness("gpt-3", "dl19", "gauge1", "mini") is None
    assert preference("", "gauge1") is None
    assert preference("dl19", "gaugel") is None


def test_the_judges_are_in_the_catalogue_with_the_papers_label_order() -> None:
    for name in JUDGES:
        reading = catalogue.find(name).reading
        assert reading is not None
        assert reading.entailment is not None
        columns = reading.entailment
        assert (columns.supports, columns.refutes, columns.neutral) == (0, 1, 2)
        assert catalogue.find(name).max_length == 512


def test_grounding_quadruples() -> None:
    """The abstract's claim holds for the judge of figure 3 on every set: at least four times Gen2IR's accuracy."""
    for data, row in product(SIZES, ("gauge1", "gauge2")):
        ours, base = (groundedness("gpt-3", data, name, FIGURE_JUDGE) for name in (row, "gen2ir"))
        assert ours is not None
        assert base is not None
        assert accuracy(ours) >= 4 * accuracy(base)
