"""What each part of the default is worth: the same answers by the default and by variants that lack or change one part.

Run by `python benchmarks/quality.py --ablations`. All variants of a set run in one process, so a pair that several of
them judge is scored once. The weights of the fusion stay those that were fitted for the default; only where a whole side of it
is left out, a fusion of what remains was fitted on the same rows (`python -m groundwire.training fuse --parts
benchmarks/results/fusions.json`). Writes benchmarks/results/ablations.json, a set at a time; a run that was stopped goes
on where it was.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from paired import auc_difference

from groundwire import __version__, models, recipes
from groundwire.check import CheckPath
from groundwire.evals.run import evaluate, sample
from groundwire.judge import FusedJudge
from groundwire.judge.fused import Fusion
from groundwire.protocols import PremiseBuilder
from groundwire.types import Case, Claim, Premise, Source

DEFAULT = "default"
UNGATHERED = "without the gathered premise"
SPECS = {
    DEFAULT: "default",
    "model alone, nothing fitted": "model-alone",
    "windows of 40 words": "default(sources=window:40:12)",
    "windows of 100 words": "default(sources=window:100:30)",
    "windows of 150 words": "default(sources=window:150:50)",
    "whole contexts, up to 300 words": "default(sources=chunk:300)",
    "two windows": "default(premises=shortlist:2:4)",
    "five windows": "default(premises=shortlist:5:4)",
    "two windows and up to 160 words around them": "default(premises=shortlist:2:4:160)",
    "three windows and up to 160 words around them": "default(premises=shortlist:3:4:160)",
    "mean over the claims": "default(answer=mean)",
    "product over the claims": "default(answer=product)",
}
"""The variants that a recipe can say."""
PARTS = ("without the model", "without lexical evidence", "without relevance")
"""The variants that read a fusion of their own."""
ORDER = (DEFAULT, *PARTS, UNGATHERED, *list(SPECS)[1:])


@dataclass(frozen=True)
class Ungathered:
    """The premises of another builder, the gathered one replaced by the best window, so that it adds nothing."""

    builder: PremiseBuilder

    def build(
        self, claims: Sequence[Claim], sources: Sequence[Source], weights: Sequence[float]
    ) -> list[list[Premise]]:
        return [[*found[:-1], found[0]] for found in self.builder.build(claims, sources, weights)]


def fusions(path: Path) -> dict[str, Fusion]:
    """Read the fusions of some signals; none where they were fitted for other weights than the built-in ones."""
    found = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {"model_sha256": None}
    sha256 = found["model_sha256"]
    if sha256 != models.builtin_sha256():
        print(f"{path.name} is not of the built-in model: {' and '.join(PARTS)} are left out")
        return {}
    return {
        name: Fusion(weights=part["weights"], bias=part["bias"], model_sha256=sha256)
        for name, part in found["fusions"].items()
    }


def system(name: str, parts: Mapping[str, Fusion]) -> CheckPath:
    """Build a variant."""
    if name in SPECS:
        return recipes.build(SPECS[name])
    path = recipes.build(DEFAULT)
    if name == UNGATHERED:
        return replace(path, premises=Ungathered(path.premises))
    assert isinstance(path.judge, FusedJudge)
    return replace(path, judge=replace(path.judge, fusion=parts[name]))


def measure(cases: Sequence[Case], parts: Mapping[str, Fusion], seed: int) -> dict[str, Any]:
    """Measure every variant on the same cases: AUC, and how far it is from the default's."""
    names = [name for name in ORDER if name not in PARTS or name in parts]
    reports = {name: evaluate(system(name, parts), cases, seed=seed) for name in names}
    return {
        name: {
            "n": report.n,
            "not_checkable": report.n_not_checkable,
            "pairs": report.pairs,
            "auc": report.figures["auc"].to_dict(),
            "difference": auc_difference(report, reports[DEFAULT]).to_dict(),
        }
        for name, report in reports.items()
    }


def ablate(
    sets: Iterable[tuple[str, Iterable[Case]]], path: Path, *, fingerprint: str, limit: int, seed: int, force: bool
) -> None:
    """Measure what is missing of every set. A result stays while weights, fusions and sample are the same."""
    fitted = path.with_name("fusions.json")
    parts = fusions(fitted)
    key = {
        "fingerprint": fingerprint,
        "fusions": hashlib.sha256(fitted.read_bytes()).hexdigest()[:16] if parts else None,
        "specs": SPECS,
        "limit": limit,
        "seed": seed,
    }
    known = json.loads(path.read_text(encoding="utf-8")) if path.is_file() and not force else {}
    found = known["sets"] if all(known.get(name) == value for name, value in key.items()) else {}
    for name, cases in sets:
        if name in found:
            continue
        found[name] = measure(list(sample(cases, limit, seed)), parts, seed)
        head = {"version": __version__, "date": datetime.now(UTC).date().isoformat(), **key}
        text = json.dumps({**head, "sets": found}, indent=1, allow_nan=False)
        path.write_text(text + "\n", encoding="utf-8")
        print(f"{name:28} " + "  ".join(f"{row['auc']['value']:.3f} {v}" for v, row in found[name].items()), flush=True)
