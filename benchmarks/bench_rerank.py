"""How fast are 100 passages ranked again? Pairs a second, against sentence-transformers' CrossEncoder with the same weights.

    python benchmarks/bench_rerank.py [--data DIR] [--queries N] [--threads N] [--output FILE]

Queries and BM25's first 100 passages of each are those of TREC Deep Learning 2019 (`ir/msmarco-dl19-pool`). A request is one
query with its 100 passages. Four sides take each request, in turns, a different one first every time:

sentence-transformers  CrossEncoder in fp32, our weights in its model's place, its own tokenising and batching
fp32                   the built-in model, computing in fp32 as well: query and passage read together
as it comes            the same in the precision that it chooses on this CPU
apart                  what `bm25+mini` does: each text read alone, and the cosine of the two vectors

No request comes twice, so nothing is remembered. Medians over requests. Writes benchmarks/results/bench_rerank.json; takes
two minutes of one core. Needs the extra bench.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import rerank
from bench_check import ALLOCATOR, Score, engine, percentile, seconds, sentence_transformers, spearman

from groundwire import __version__, models

HERE = Path(__file__).resolve().parent
RESULT = HERE / "results" / "bench_rerank.json"
BASELINE = "sentence-transformers"
WARM = 2
"""Requests that are not measured."""
READS = "as it comes"


def sides(threads: int) -> dict[str, Score]:
    """Return who takes part."""
    return {
        BASELINE: sentence_transformers(threads),
        "fp32": engine("fp32", threads),
        READS: engine("auto", threads),
        "apart": models.load_scorer(f"{models.BUILTIN}:cosine").score,
    }


def measured(given: dict[str, Score], requests: list[list[tuple[str, str]]]) -> dict[str, list[float]]:
    """Return the seconds of every side on every request but the first ones."""
    names, found = list(given), {name: [] for name in given}
    for n, request in enumerate(requests):
        for name in names[n % len(names) :] + names[: n % len(names)]:
            found[name].append(seconds(given[name], request))
    return {name: taken[WARM:] for name, taken in found.items()}


def agreement(given: dict[str, Score], request: list[tuple[str, str]]) -> dict[str, float]:
    """Return the rank correlation of each side's relevance with the baseline's, of those that read pairs."""
    wanted = given[BASELINE](request)[:, 3]
    return {name: spearman(given[name](request)[:, 3], wanted) for name in ("fp32", READS)}


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how fast 100 passages are ranked again")
    parser.add_argument("--data", type=Path, default=HERE.parents[1] / "shared" / "data", help="folder of public sets")
    parser.add_argument("--queries", type=int, default=12, help="of which the first two only warm up")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="for all sides")
    parser.add_argument("--output", type=Path, default=RESULT)
    options = parser.parse_args()
    if any(os.environ.get(name) != value for name, value in ALLOCATOR.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **ALLOCATOR})
    queries = rerank.read(options.data / "ir" / rerank.COLLECTION)[: options.queries]
    requests = [[(query.text, text) for text in query.texts] for query in queries]
    given = sides(options.threads)
    taken = measured(given, requests)
    pairs = len(requests[0])
    report: dict[str, Any] = {
        "version": __version__,
        "model_sha256": models.builtin_sha256(),
        "date": datetime.now(UTC).date().isoformat(),
        "collection": rerank.COLLECTION,
        "requests": len(requests) - WARM,
        "pairs": pairs,
        "threads": options.threads,
        "pairs_per_second": {name: round(pairs / statistics.median(own), 1) for name, own in taken.items()},
        "p95_ms": {name: round(1e3 * percentile(own, 95), 1) for name, own in taken.items()},
        "ratio": {
            name: round(statistics.median([a / b for a, b in zip(taken[BASELINE], own, strict=True)]), 2)
            for name, own in taken.items()
        },
        "spearman": agreement(given, requests[0]),
    }
    options.output.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
