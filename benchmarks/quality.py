"""How right the checker is: every evaluation-only set with contexts × every system, and docs/quality.md from it.

    python benchmarks/quality.py [--data DIR] [--sets a,b] [--systems a,b] [--limit N] [--seed S] [--force]
    python benchmarks/quality.py --ablations [--limit 200] ...
    python benchmarks/quality.py --page-only

One file a set and system in results/quality/, so a run that was stopped goes on where it was. A result is measured
again when the weights or the fusion have changed since, or when another sample is asked for. Nothing here is ever
trained or tuned on. With --ablations variants of the default are measured instead (`ablations.py`).
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ablations import ablate
from paired import auc_difference
from quality_page import write_page

from groundwire import __version__, recipes
from groundwire.cases import read_case
from groundwire.evals.run import Report, evaluate
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
"""Systems that run the built-in model, and their recipes."""
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
    """Return what identifies the weights and the fusion that a system reads; plain overlap reads none."""
    if system in OVERLAPS:
        return None
    files = (PACKAGE / "models" / "builtin" / "manifest.json", PACKAGE / "judge" / "fusion.json")
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def gain(report: Report, others: Sequence[Report]) -> dict[str, Any]:
    """Return how far the AUC is above the better of `others`, paired over the rows that both could score."""
    best = max(others, key=lambda other: other.figures["auc"].value or 0.0)
    return {"over": best.recipe, **auc_difference(report, best).to_dict()}


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
    """Measure what is missing of one set, and write one file a system."""
    paths = {system: options.results / f"{name}.{system}.json" for system in systems}
    missing = [system for system in systems if stale(paths[system], system, options)]
    if not missing:
        return
    cases = list(read(options.data, name))
    overlaps = [evaluate(Overlap(s), cases, limit=options.limit, seed=options.seed) for s in OVERLAPS]
    for system in missing:
        if system in OVERLAPS:
            report = overlaps[OVERLAPS.index(system)]
        else:
            report = evaluate(checker(system), cases, limit=options.limit, seed=options.seed)
        result = {
            "set": name,
            "system": system,
            "rows_in_file": len(cases),
            "limit": options.limit,
            "seed": options.seed,
            "version": __version__,
            "fingerprint": fingerprint(system),
            "date": datetime.now(UTC).date().isoformat(),
            **report.to_dict(),
        }
        if system not in OVERLAPS:
            result["gain"] = gain(report, overlaps)
        paths[system].write_text(json.dumps(result, indent=1, allow_nan=False) + "\n", encoding="utf-8")
        auc = report.figures["auc"]
        print(f"{name:28} {system:10} n {report.n:5}  AUC {auc.value:.3f}  {report.seconds:7.1f} s", flush=True)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure quality and write docs/quality.md")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder of the public sets")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--systems", default=",".join((*OVERLAPS, *CHECKERS)))
    parser.add_argument("--limit", type=int, help="a seeded random sample of at most this many rows a set")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--force", action="store_true", help="measure again what is there already")
    parser.add_argument("--results", type=Path, default=RESULTS)
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
