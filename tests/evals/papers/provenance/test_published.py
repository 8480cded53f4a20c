"""The published cells of Provenance, computed again: sums and what its text derives from them."""

import pytest

from groundwire.evals.papers.provenance.published import (
    ACCURACY,
    AUC,
    COUNTS,
    ERRATA,
    PRELIMINARY,
    PRINTED_GAINS,
    ROUNDED,
    SELECTED,
    gains,
    mean_gain,
)


def test_table_2_sums_to_the_papers_rows() -> None:
    hallucinated, factual = (sum(counts[n] for counts in COUNTS.values()) for n in (0, 1))
    assert (hallucinated, factual, hallucinated + factual) == (107_394, 191_061, 298_455)


def test_the_gains_of_the_text_follow_from_table_7() -> None:
    found = gains()
    assert len(PRELIMINARY) == 13
    assert found["0.1 to 0.2"] == pytest.approx(24.949, abs=5e-4)
    assert found["0.2 to 0.3"] == pytest.approx(4.787, abs=5e-4)
    for name in ("0.1 to 0.2", "0.2 to 0.3"):
        assert round(found[name], 2) == PRINTED_GAINS[name]


def test_the_last_gain_is_not_the_printed_one() -> None:
    fine = gains()["0.3 to table 3"]
    third = [cells[2] for cells in PRELIMINARY.values()]
    rounded = mean_gain(third, [ROUNDED.get(name, AUC[name]) for name in PRELIMINARY])
    assert [round(value, 2) for value in (rounded, fine)] == [9.53, 9.60]
    assert "9.63" in ERRATA["table 7"][0]
    assert "9.53 to 9.60" in ERRATA["table 7"][0]


def test_the_accuracies_of_the_text_follow_from_table_4() -> None:
    assert round(100 * ACCURACY["HALUBENCH"] - 62.2, 1) == 3.4
    assert round(68.9 - 100 * ACCURACY["HALUBENCH"], 1) == 3.3
    assert {"3.38", "3.32"} <= set(ERRATA["table 4"][0].replace(" %", "").split())


def test_table_3_is_the_best_cell_of_table_5_where_both_have_halubench() -> None:
    assert round(max(max(cells) for (name, _), cells in SELECTED.items() if name == "HALUBENCH"), 2) == AUC["HALUBENCH"]


def test_every_name_is_a_set_of_table_2() -> None:
    for names in (AUC, ROUNDED, ACCURACY, PRELIMINARY, {name for name, _ in SELECTED}):
        assert set(names) <= set(COUNTS)
    assert all(round(AUC[name], 2) == value for name, value in ROUNDED.items())
    assert set(COUNTS) - set(AUC) == {"HOTPOTQA"}
