"""What people try in their first minute: a few short sentences, and an answer that says, denies or adds something.

    python benchmarks/first_minute.py [--result FILE] [--show]

`first_minute.jsonl` was written for this by hand: 60 subjects, each with a supported paraphrase, two answers that the texts
deny, and one that they leave open. Its writer had not seen what the model is trained on, and words in common do not separate
the classes. Nothing is fitted to it, but its figures were seen when these weights and signals were chosen. Measured is the
whole check path of `default` and `model-alone` beside plain overlap.
Writes benchmarks/results/first_minute.json.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from groundwire import __version__, models, recipes
from groundwire.evals.bootstrap import Bootstrap
from groundwire.evals.metrics import Rows, weighted_auc, weighted_balanced_accuracy
from groundwire.judge.lexical import signals
from groundwire.types import Case, Label, Passage, Verdict

ROOT = Path(__file__).resolve().parent.parent
ROWS = Path(__file__).with_name("first_minute.jsonl")
RESULT = ROOT / "benchmarks" / "results" / "first_minute.json"
RECIPES = {"default": "default", "alone": "model-alone"}
GOLD = {"supports": Label.SUPPORTED, "refutes": Label.CONTRADICTED, "nei": Label.NOT_ENOUGH_INFO}
THRESHOLD = 0.5


def read(path: Path = ROWS) -> list[dict[str, Any]]:
    """Return the rows of the set."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def case(row: dict[str, Any]) -> Case:
    """Return a row as a case, with its gold label."""
    contexts = tuple(Passage(id=str(n), text=text) for n, text in enumerate(row["contexts"]))
    gold = GOLD[row["label3"]]
    return Case(id=row["id"], question=row["question"], answer=row["answer"], contexts=contexts, label=gold)


def measure(rows: list[dict[str, Any]], scores: list[float], labels: list[Label] | None) -> dict[str, Any]:
    """Measure one system; intervals are over subjects, whose answers share their texts. `labels` None: it has no classes."""
    subjects = ["|".join(row["contexts"]) for row in rows]
    gold = [GOLD[row["label3"]] for row in rows]
    bootstrap = Bootstrap()
    scored = Rows.of([label is Label.SUPPORTED for label in gold], scores, THRESHOLD)
    metrics = {"auc": weighted_auc} | ({"balanced_accuracy": weighted_balanced_accuracy} if labels else {})
    figures = {name: one.to_dict() for name, one in bootstrap.figures(metrics, scored, subjects).items()}
    if labels:
        right = [float(a is b) for a, b in zip(labels, gold, strict=True)]
        figures["three_way"] = bootstrap.mean(right, subjects).to_dict()
        figures["by_class"] = {
            name: bootstrap.mean([hit for hit, one in zip(right, gold, strict=True) if one is label]).to_dict()
            for name, label in GOLD.items()
        }
        figures["by_kind"] = _by_kind(rows, scores, gold)
    return figures


def _by_kind(rows: list[dict[str, Any]], scores: list[float], gold: list[Label]) -> dict[str, dict[str, int]]:
    """Count by kind how many answers fall on the right side of the threshold."""
    found: dict[str, dict[str, int]] = defaultdict(lambda: {"n": 0, "right": 0})
    for row, score, label in zip(rows, scores, gold, strict=True):
        found[row["kind"]]["n"] += 1
        found[row["kind"]]["right"] += (score >= THRESHOLD) == (label is Label.SUPPORTED)
    return dict(sorted(found.items(), key=lambda item: (-item[1]["n"], item[0])))


def overlap(row: dict[str, Any]) -> float:
    """Return the mean share of the answer's words and word pairs in the texts."""
    shares = signals(row["answer"], row["contexts"])
    return (shares["words"] + shares["bigrams"]) / 2


def show(rows: list[dict[str, Any]], verdicts: list[Verdict]) -> None:
    """Print the answers on the wrong side of the threshold."""
    for row, verdict in zip(rows, verdicts, strict=True):
        if ((verdict.score or 0.0) >= THRESHOLD) != (row["label3"] == "supports"):
            print(f"  {row['label3']:8} {verdict.score:.2f} {row['kind']:20} {row['answer']}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the checker on short, everyday texts")
    parser.add_argument("--result", type=Path, default=RESULT)
    parser.add_argument("--show", action="store_true", help="print what came out wrong")
    options = parser.parse_args()
    rows = read()
    systems = {"overlap": measure(rows, [overlap(row) for row in rows], None)}
    for name, recipe in RECIPES.items():
        verdicts = recipes.build(recipe).check([case(row) for row in rows])
        systems[name] = measure(rows, [v.score or 0.0 for v in verdicts], [v.label for v in verdicts])
        if options.show and name == "default":
            show(rows, verdicts)
    result = {
        "version": __version__,
        "model_sha256": models.builtin_sha256(),
        "date": datetime.now(UTC).date().isoformat(),
        "rows": len(rows),
        "systems": systems,
    }
    options.result.write_text(json.dumps(result, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    for name, system in systems.items():
        print(name, {key: round(system[key]["value"], 3) for key in system if key not in ("by_class", "by_kind")})


if __name__ == "__main__":
    main()
