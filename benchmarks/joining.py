"""How the scores of an answer's claims are joined: answers of several claims that real models made, on data free to tune on.

    python benchmarks/joining.py [--data DIR] [--result FILE]

factcheckgpt-stance (Wang et al. 2023) holds the claims of one response after another, each with five web passages and
people's verdicts on them. Neighbouring claims are put together again to answers of 2 to 6 sentences over all their
passages; an answer is supported when each of its claims is, by any of its passages. The built-in model was not trained on
this set (the fusion was fitted on it, claim by claim, which helps every way of joining alike). AUC, intervals over answers.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from groundwire import __version__, models, recipes
from groundwire.evals.bootstrap import Bootstrap
from groundwire.evals.metrics import Rows, weighted_auc
from groundwire.odds import logit
from groundwire.training.sources import Row, read
from groundwire.types import Case, Passage

ROOT = Path(__file__).resolve().parent.parent
RESULT = ROOT / "benchmarks" / "results" / "joining.json"
SET = "factcheckgpt-stance"
SIZES = (2, 3, 4, 6)
JOINED: dict[str, Callable[[Sequence[float]], float]] = {
    "min": min,
    "mean": lambda scores: math.fsum(scores) / len(scores),
    "mean of log-odds": lambda scores: math.fsum(map(logit, scores)) / len(scores),
    "product": math.prod,
}


def answers(rows: Sequence[Row]) -> Iterator[tuple[Case, bool, int]]:
    """Give (case, supported, number of claims) for every run of neighbouring claims."""
    by_claim: dict[str, list[Row]] = {}
    for row in rows:
        by_claim.setdefault(row["answer"], []).append(row)
    claims = list(by_claim)
    for size in SIZES:
        for at in range(0, len(claims) - size + 1, size):
            group = claims[at : at + size]
            texts = [text for claim in group for row in by_claim[claim] for text in row["contexts"]]
            case = Case(
                id=f"{size}/{at}",
                answer=" ".join(claim if claim.rstrip().endswith((".", "!", "?")) else f"{claim}." for claim in group),
                contexts=tuple(Passage(id=str(i), text=text) for i, text in enumerate(texts)),
            )
            yield case, all(any(row["label"] for row in by_claim[claim]) for claim in group), size


def measure(data: Path) -> dict[str, Any]:
    """Check all answers once and join their claims in every way."""
    made = list(answers(list(read(SET, data))))
    verdicts = recipes.build("default").check([case for case, _, _ in made])
    scored = [
        (size, supported, [claim.score for claim in verdict.claims if claim.score is not None])
        for (_, supported, size), verdict in zip(made, verdicts, strict=True)
    ]
    bootstrap = Bootstrap(seed=13)
    found: dict[str, Any] = {}
    for name, sizes in {"all": SIZES, **{str(size): (size,) for size in SIZES}}.items():
        here = [(supported, scores) for size, supported, scores in scored if size in sizes and scores]
        auc = {}
        for way, join in JOINED.items():
            rows = Rows.of([supported for supported, _ in here], [join(scores) for _, scores in here])
            auc[way] = bootstrap.figure(weighted_auc, rows).to_dict()
        found[name] = {"n": len(here), "supported": sum(supported for supported, _ in here), "auc": auc}
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--result", type=Path, default=RESULT)
    options = parser.parse_args()
    result = {
        "version": __version__,
        "date": datetime.now(UTC).date().isoformat(),
        "model_sha256": models.builtin_sha256(),
        "set": SET,
        "claims": measure(options.data),
    }
    options.result.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    for name, figures in result["claims"].items():
        print(name, figures["n"], {way: round(auc["value"], 3) for way, auc in figures["auc"].items()})


if __name__ == "__main__":
    main()
