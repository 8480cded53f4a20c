"""The card names every set with its licence and shows the figures of the export."""

from pathlib import Path

from groundwire.training.card import sources_table, write_card
from groundwire.training.sources import SOURCES


def test_every_source_stands_in_the_table() -> None:
    table = sources_table()
    assert all(name in table and source.licence in table for name, source in SOURCES.items())


def test_figures_are_shown(tmp_path: Path) -> None:
    figures = {
        "auc": 0.8,
        "accuracy3": 0.6,
        "auc_relevance": None,
        "caught_at_5": 0.5,
        "token_f1": 0.4,
        "auc_by": {"op:number": 0.9},
    }
    cost = {"auc": 0.0002, "pearson": 0.9999, "spearman": 0.9998, "mean_difference": 0.001, "largest_difference": 0.02}
    write_card(
        tmp_path / "CARD.md",
        {
            "int8": figures,
            "cost": cost,
            "samples": 100,
            "progress": {"step": 1, "steps": 2, "samples": 50, "averaged": 3},
        },
    )
    text = (tmp_path / "CARD.md").read_text(encoding="utf-8")
    assert "| AUC, number | 0.900 |" in text
    assert "## What it is bad at" in text
