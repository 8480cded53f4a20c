"""Which words are not backed: the words that the default checker marks, beside two plain ways of marking them.

    python benchmarks/spans.py [--data DIR] [--work DIR] [--pairs N] [--result FILE]

Two sets of claims that are not supported, with their wrong words known: `wice-tokens-dev` (marked by people; evaluation
only), and the minimal pairs of the validation split that `python -m groundwire.training prepare --work DIR` wrote, on
which the threshold of the marks was fitted, so their figures are those of a fit. Systems:

- default: the spans of the verdicts; a claim taken for supported marks nothing, one without spans is marked in whole
- absent: every word that stands in none of the contexts; stop words never
- all: every word
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from groundwire import __version__, models, recipes
from groundwire.cases import read_case
from groundwire.evals.bootstrap import Bootstrap
from groundwire.evals.spans import compare, figures, marked_by
from groundwire.text import content_terms, word_bounds
from groundwire.training.mixture import load_mixture
from groundwire.training.spans import pair_cases
from groundwire.types import Case, Span

ROOT = Path(__file__).resolve().parent.parent
RESULT = ROOT / "benchmarks" / "results" / "spans.json"
HUMAN, PAIRS = "wice-tokens-dev", "minimal pairs"

Marking = Callable[[Sequence[Case]], list[list[Span]]]


def by_checker(cases: Sequence[Case]) -> list[list[Span]]:
    """Mark what the default checker marks."""
    return [marked_by(verdict) for verdict in recipes.build("default").check(cases)]


def absent(cases: Sequence[Case]) -> list[list[Span]]:
    """Mark every content word that stands in none of the contexts."""
    return [list(_absent(case)) for case in cases]


def _absent(case: Case) -> Iterator[Span]:
    there = {term for passage in case.contexts for term in content_terms(passage.text)}
    for start, end in word_bounds(case.answer):
        if not set(content_terms(case.answer[start:end])) <= there:
            yield Span(source="answer", start=start, end=end)


def every(cases: Sequence[Case]) -> list[list[Span]]:
    """Mark every word."""
    return [[Span(source="answer", start=0, end=len(case.answer))] for case in cases]


SYSTEMS: dict[str, Marking] = {"default": by_checker, "absent": absent, "all": every}


def human_cases(data: Path) -> list[Case]:
    """Read the claims whose words people have marked."""
    with gzip.open(data / "check" / f"{HUMAN}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [read_case(json.loads(line), fallback_id=str(n), gold=True) for n, line in enumerate(lines)]


def measure(cases: Sequence[Case], resamples: int) -> dict[str, Any]:
    """Measure every system on the same cases: precision, recall and F1 of words, with 95 % intervals."""
    found: dict[str, Any] = {}
    for name, marking in SYSTEMS.items():
        rows = [compare(case, spans) for case, spans in zip(cases, marking(cases), strict=True)]
        measured = figures(rows, Bootstrap(resamples=resamples))
        found[name] = {key: figure.to_dict() for key, figure in measured.items()}
        print(f"{name:10}" + "".join(f"  {k} {f.value:.3f} [{f.low:.3f}, {f.high:.3f}]" for k, f in measured.items()))
    words = [mark for case in cases for mark in compare(case, ()).gold]
    return {"claims": len(cases), "words": len(words), "words_not_backed": sum(words), "systems": found}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure which words are marked as not backed")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder of the public sets")
    parser.add_argument("--work", type=Path, default=Path(".work"), help="where `prepare` wrote its samples")
    parser.add_argument("--pairs", type=int, default=600, help="minimal pairs at most; 0 leaves them out")
    parser.add_argument("--resamples", type=int, default=1000)
    parser.add_argument("--result", type=Path, default=RESULT)
    return parser.parse_args()


def main() -> None:
    options = arguments()
    sets = {HUMAN: human_cases(options.data)}
    if options.pairs:
        sets[PAIRS] = pair_cases(load_mixture(), options.work, options.pairs)
    result: dict[str, Any] = {
        "version": __version__,
        "model_sha256": models.builtin_sha256(),
        "date": datetime.now(UTC).date().isoformat(),
        "bootstrap": {"resamples": options.resamples, "level": 0.95, "resampled": "claims"},
        "sets": {},
    }
    for name, cases in sets.items():
        print(f"{name}: {len(cases)} claims")
        result["sets"][name] = measure(cases, options.resamples)
    options.result.write_text(json.dumps(result, indent=1, allow_nan=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
