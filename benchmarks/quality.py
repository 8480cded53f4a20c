"""How right the checker is: every evaluation-only set with contexts × every system, and docs/quality.md from it.

    python benchmarks/quality.py [--data DIR] [--sets a,b] [--systems a,b] [--limit N] [--seed S] [--force]
    python benchmarks/quality.py --ablations [--limit 200] ...
    python benchmarks/quality.py --page-only

A set is a run directory of `groundwire.evals.runs` (config, ledger of rows, metrics.json, report.html), which stays outside
the repository because it shows texts, and goes on where it was stopped; its figures are copied, one file a set and system, to
results/quality/, of which the page is made. A result is measured again when the weights or the fusion have changed since, or
when another sample is asked for; --force begins its run anew. Nothing here is ever trained or tuned on. With --ablations
variants of the default are measured instead (`ablations.py`).
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ablations import ablate
from paired import rows_difference
from quality_page import write_page

from groundwire import recipes
from groundwire.cases import read_case
from groundwire.evals.metrics import METRICS, roc_auc
from groundwire.evals.runs import Config, Data, Run
from groundwire.evals.runs.measuring import Cell
from groundwire.judge.lexical import signals
from groundwire.protocols import Checker
from groundwire.types import Case, Label, Verdict

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "quality"
PACKAGE = ROOT / "src" / "groundwire"

SETS = {
    "qags-cnndm": "contexts",
    "summeval": "contexts",
    "dialfact-testsmall": "contexts",
    "wice-claim-oracle-dev": "answer",
    "wice-claim-fullarticle-dev": "contexts",
    "bump": "contexts",
    "summedits": "contexts",
    "expertqa-claims": "contexts",
    "climatefever-claim": "contexts",
    "bamboo-senhallu-4k": "contexts",
    "bamboo-abshallu-4k": "contexts",
    "felm-segment-with-refs": "contexts",
}
"""Each set, and the field whose equal values make rows that belong together and are resampled together."""

OVERLAPS = ("words", "bigrams")
CHECKERS = {"default": "default", "alone": "model-alone"}
"""Systems that run the built-in model, and their recipes; the second finds the pairs that the first has scored."""
ABLATED = 200
"""Rows of a set on which the variants are measured, where nothing else is asked for."""


@dataclass(frozen=True)
class Overlap:
    """A checker without a model: the share of the answer's content words, or bigrams, found in the joined contexts."""

    name: str
    threshold: float = 0.5

    def check(self, cases: Sequence[Case]) -> list[Verdict]:
        return [self._verdict(case) for case in cases]

    def _verdict(self, case: Case) -> Verdict:
        if case.reason:
            return Verdict(case=case, label=Label.NOT_CHECKABLE, score=None, threshold=0.5, reason=case.reason)
        score = signals(case.answer, [" ".join(passage.text for passage in case.contexts)])[self.name]
        label = Label.SUPPORTED if score >= self.threshold else Label.NOT_ENOUGH_INFO
        return Verdict(case=case, label=label, score=score, threshold=self.threshold)


def read(data: Path, name: str) -> Iterator[Case]:
    """Read a set, each row with the group that it is resampled with."""
    with gzip.open(data / "check" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            row = json.loads(line)
            group = hashlib.sha256(json.dumps(row[SETS[name]]).encode()).hexdigest()[:16]
            yield replace(read_case(row, fallback_id=str(number), gold=True), group=group)


def fingerprint(system: str) -> str | None:
    """Return what identifies a system: its recipe, and the weights, the fusion and the regression that it reads; none for
    plain overlap.

    What the model's card says of them is not among it.
    """
    if system in OVERLAPS:
        return None
    files = json.loads((PACKAGE / "models" / "builtin" / "manifest.json").read_text(encoding="utf-8"))["files"]
    read = [file["sha256"] for name, file in sorted(files.items()) if name != "CARD.md"]
    fusion = (PACKAGE / "judge" / "fusion.json").read_bytes()
    chatter = (PACKAGE / "idle" / "chatter.json").read_bytes()
    recipe = repr(recipes.parse(CHECKERS[system]))
    return hashlib.sha256("".join([*read, recipe]).encode() + fusion + chatter).hexdigest()[:16]


def gain(cell: Cell, others: Sequence[Cell], seed: int) -> dict[str, Any]:
    """Return how far the AUC is above the better of `others`, paired over the rows that both could score."""
    best = max(others, key=lambda other: roc_auc(list(other.labels()), list(other.scores())) or 0.0)
    return {"over": best.checker, **rows_difference(cell.rows, best.rows, seed).to_dict()}


def checker(system: str) -> Checker:
    return Overlap(system) if system in OVERLAPS else recipes.build(CHECKERS[system])


def stale(path: Path, system: str, options: argparse.Namespace) -> bool:
    """True when the result has to be measured (again)."""
    if options.force or not path.is_file():
        return True
    found = json.loads(path.read_text(encoding="utf-8"))
    wanted = {"limit": options.limit, "seed": options.seed, "fingerprint": fingerprint(system)}
    return any(found.get(key) != value for key, value in wanted.items())


def measure(name: str, systems: Sequence[str], options: argparse.Namespace) -> None:
    """Measure what is missing of one set in a run directory, and copy its figures, one file a system."""
    paths = {system: options.results / f"{name}.{system}.json" for system in systems}
    missing = [system for system in systems if stale(paths[system], system, options)]
    if not missing:
        return
    cases = list(read(options.data, name))
    told = [name, "all" if options.limit is None else options.limit, options.seed, fingerprint("default")]
    folder = options.runs / "-".join(map(str, told))
    if options.force:
        shutil.rmtree(folder, ignore_errors=True)
    asked = Config(data=(Data(name=name),), checkers=(*OVERLAPS, *CHECKERS), limit=options.limit, seed=options.seed)
    run = Run.create(folder, asked)
    run.execute(lambda _: iter(cases), checker)
    cells = {cell.checker: cell for cell in run.cells()}
    for system in missing:
        result = {"set": name, "system": system, "rows_in_file": len(cases), **figures(run, cells[system], options)}
        if system not in OVERLAPS:
            result["gain"] = gain(cells[system], [cells[other] for other in OVERLAPS], options.seed)
        paths[system].write_text(json.dumps(result, indent=1, allow_nan=False) + "\n", encoding="utf-8")
        print(f"{name:28} {system:10} n {result['n']:5}  AUC {result['auc']['value']:.3f}", flush=True)


def figures(run: Run, cell: Cell, options: argparse.Namespace) -> dict[str, Any]:
    """Return what a run's metrics.json and environment.json say of a system, without texts and paths."""
    metrics, environment = run.metrics(), run.environment()
    told = next(each for each in metrics["cells"] if each["checker"] == cell.checker)
    who = next(each for each in environment["checkers"] if each["checker"] == cell.checker)
    pace = told["figures"]["pairs_per_second"]["value"]
    return {
        "limit": options.limit,
        "seed": options.seed,
        "version": environment["groundwire"],
        "fingerprint": fingerprint(cell.checker),
        "date": datetime.now(UTC).date().isoformat(),
        "run": {"data_sha256": environment["data"][0]["sha256"], "resamples": metrics["bootstrap"]["resamples"]},
        "recipe": who["name"],
        "model": who["models"].get("model", {}).get("name"),
        "threshold": told["threshold"],
        "n": told["n"],
        "n_not_checkable": told["n"] - told["n_scored"],
        "n_positive": told["n_supported"],
        "n_negative": told["n_scored"] - told["n_supported"],
        **{key: {part: told["figures"][key][part] for part in ("value", "low", "high")} for key in METRICS},
        "seconds": sum(batch.seconds for batch in cell.batches),
        "pairs": sum(batch.pairs for batch in cell.batches),
        "pairs_per_second": pace,
        "not_checkable": told["not_checkable"],
        "bootstrap": metrics["bootstrap"],
    }


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure quality and write docs/quality.md")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder of the public sets")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--systems", default=",".join((*OVERLAPS, *CHECKERS)))
    parser.add_argument("--limit", type=int, help="a seeded random sample of at most this many rows a set")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--force", action="store_true", help="measure again what is there already")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--runs", type=Path, default=ROOT / ".work" / "quality", help="where the run directories are")
    parser.add_argument("--page", type=Path, default=ROOT / "docs" / "quality.md")
    parser.add_argument(
        "--ablations", action="store_true", help=f"measure variants of the default, {ABLATED} rows a set"
    )
    parser.add_argument("--page-only", action="store_true", help="only write the page from the results that are there")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    options.results.mkdir(parents=True, exist_ok=True)
    if options.ablations:
        ablate(
            ((name, read(options.data, name)) for name in options.sets.split(",")),
            options.results.with_name("ablations.json"),
            fingerprint=str(fingerprint("default")),
            limit=options.limit or ABLATED,
            seed=options.seed,
            force=options.force,
        )
    elif not options.page_only:
        for name in options.sets.split(","):
            measure(name, options.systems.split(","), options)
    write_page(options.results, options.page, tuple(SETS))


if __name__ == "__main__":
    main()
