"""A grid with the built-in model: every pair of texts is scored once, and found on the disk by the next run."""

import json
from collections.abc import Iterator
from pathlib import Path

from groundwire import models, recipes
from groundwire.evals.runs import Config, Data, Run
from groundwire.evals.runs.config import specs_of
from groundwire.types import Case, Label, Passage

TEXTS = ("The bridge was opened in 1932.", "It is 1149 metres long.", "Trains cross it every few minutes.")


def rows(_: Data) -> Iterator[Case]:
    for n, (answer, label) in enumerate((("1932", Label.SUPPORTED), ("1933", Label.CONTRADICTED), ("steel", None))):
        contexts = tuple(Passage(id=str(i), text=text) for i, text in enumerate(TEXTS))
        yield Case(
            id=str(n),
            question="When was it opened?",
            answer=answer,
            contexts=contexts,
            label=label or Label.NOT_ENOUGH_INFO,
        )


GRID = {
    "recipe": ["provenance"],
    "model": "mini",
    "select": ["top-k:3", "top-p:0.9"],
    "aggregate": ["min", "max", "weighted"],
}


def batches(folder: Path) -> list[dict]:
    lines = [json.loads(line)["record"] for line in (folder / "ledger.jsonl").read_text().splitlines()]
    return [record["batch"] for record in lines if "batch" in record]


def test_a_pair_is_scored_once_for_the_whole_grid_and_found_by_the_next_run(tmp_path: Path) -> None:
    config = Config(data=(Data(name="d"),), checkers=tuple(specs_of(GRID)), resamples=20)
    before = models.load()._memory
    found = Run.create(tmp_path / "a", config).execute(rows, recipes.build)
    assert len(found["cells"]) == 6
    costs = batches(tmp_path / "a")
    assert sum(cost["fresh"] for cost in costs[:3]) == 3 + 9  # a question and each source; each source and each claim
    assert all(cost["fresh"] == 0 for cost in costs[3:])
    assert models.load()._memory is before
    again = Run.create(tmp_path / "b", config).execute(rows, recipes.build, scores=tmp_path / "a" / "scores.db")
    assert all(cost["fresh"] == 0 for cost in batches(tmp_path / "b"))
    for one, other in zip(found["cells"], again["cells"], strict=True):
        assert one["figures"]["auc"] == other["figures"]["auc"]
        assert one["figures"]["brier"] == other["figures"]["brier"]
    assert again["cells"][0]["figures"]["latency_p50_seconds"]["n"] == 0
    assert found["cells"][0]["timing"] is None
    assert "not measured" in again["cells"][0]["timing"]
