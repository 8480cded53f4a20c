"""How much a better rule over the same signals could gain: the default against rules fitted to each set's own labels.

    python benchmarks/ceiling.py [--data DIR] [--sets a,b] [--limit 400] [--result FILE]

For every set a logistic regression over the default's signals (of an answer's claims, for each signal the worst) and over the
whole answer's overlap is fitted and scored by five-fold cross-validation on that very set, rows with the same evidence in
one fold. Nothing of it ships: it has seen labels of the set that it is measured on, which no checker has. Where it is no
better than the default, the signals are the limit, and only a better model helps.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from quality import ROOT, SETS, read
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_predict

from groundwire import __version__, models, recipes
from groundwire.evals.bootstrap import Bootstrap
from groundwire.evals.metrics import Rows, weighted_auc
from groundwire.evals.run import sample
from groundwire.judge.lexical import signals
from groundwire.training.fusion import FEATURES
from groundwire.types import Case, Label, Verdict

RESULT = ROOT / "benchmarks" / "results" / "ceiling.json"
MODEL = {"supports": 1, "supports_gathered": 1, "refutes": -1, "unbacked_most": -1, "unbacked_mean": -1}
LEXICAL = {"words": 1, "bigrams": 1, "longest_run": 1, "numbers_missing": -1, "names_missing": -1}
WHOLE = ("words", "bigrams", "longest_run")
"""What of the answer as a whole the fitted rule may read too."""
FOLDS, STRENGTH = 5, 0.1


def signals_of(case: Case, verdict: Verdict) -> list[float]:
    """Return the worst of each signal over the answer's claims, the whole answer's overlap, and its number of claims."""
    checked = [claim.signals for claim in verdict.claims if claim.score is not None]
    signs = {**FEATURES, **MODEL, **LEXICAL}
    worst = [min(sign * claim[name] for claim in checked) for name, sign in signs.items()]
    whole = signals(case.answer, [" ".join(passage.text for passage in case.contexts)])
    return [*worst, *(whole[name] for name in WHOLE), float(len(checked))]


def measure(cases: Sequence[Case]) -> dict[str, Any]:
    """Check all cases once; AUC of the default and of the rule fitted to them, and the paired difference."""
    pairs = zip(cases, recipes.build("default").check(cases), strict=True)
    checked = [(case, verdict) for case, verdict in pairs if verdict.score is not None]
    gold = [case.label is Label.SUPPORTED for case, _ in checked]
    groups = [case.group or case.id for case, _ in checked]
    x = np.array([signals_of(case, verdict) for case, verdict in checked])
    x = (x - x.mean(0)) / (x.std(0) + 1e-9)
    rule = LogisticRegression(C=STRENGTH)
    fitted = cross_val_predict(rule, x, gold, groups=groups, cv=GroupKFold(FOLDS), method="predict_proba")[:, 1]
    ours = Rows.of(gold, [float(verdict.score or 0.0) for _, verdict in checked])
    theirs = Rows.of(gold, [float(p) for p in fitted])
    bootstrap = Bootstrap(seed=13)
    return {
        "n": len(checked),
        "default": bootstrap.figure(weighted_auc, ours, groups).to_dict(),
        "fitted": bootstrap.figure(weighted_auc, theirs, groups).to_dict(),
        "difference": bootstrap.paired_difference(weighted_auc, theirs, ours, groups).to_dict(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--limit", type=int, default=400)
    parser.add_argument("--result", type=Path, default=RESULT)
    options = parser.parse_args()
    found: dict[str, Any] = {}
    for name in options.sets.split(","):
        found[name] = measure(list(sample(read(options.data, name), options.limit, 0)))
        print(f"{name:28} default {found[name]['default']['value']:.3f}  fitted {found[name]['fitted']['value']:.3f}")
    head = {"version": __version__, "date": datetime.now(UTC).date().isoformat(), "limit": options.limit}
    result = {**head, "model_sha256": models.builtin_sha256(), "sets": found}
    options.result.write_text(json.dumps(result, indent=1, allow_nan=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
