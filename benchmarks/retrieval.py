"""How well do stacks find? nDCG@10, MAP and recall on collections that are judged, by the local index.

    python benchmarks/retrieval.py [--data DIR] [--collections NAME ...] [--stacks STACK ...] [--queries N] [--result FILE]

Vaswani, CACM and CISI are complete. The pools of TREC Deep Learning 2019 and 2021 hold what several retrievers found in
the whole of MS MARCO, so a stack that searches a pool has another task than they had: their runs stand beside it for
orientation, and recall is that of the pool. Only judgements of passages in the pool count. Of the pools' grades 2 and more
are relevant, as is usual for these tracks. Nothing is tuned: parameters are the defaults. All sets are for evaluation only.
Writes benchmarks/results/retrieval.json; `retrieval_page.py` makes the page.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from groundwire import __version__, models
from groundwire.evals.bootstrap import Bootstrap
from groundwire.evals.ranking import Measured, measure
from groundwire.evals.trec import read_judgements, read_queries, read_run
from groundwire.index import LocalIndex
from groundwire.stacks import build
from groundwire.types import Passage

ROOT = Path(__file__).resolve().parent.parent
RESULT = ROOT / "benchmarks" / "results" / "retrieval.json"
STACKS = ("bm25", "bm25+mini")
METRICS = ("ndcg_cut_10", "map", "recall_100", "P_30", "recip_rank")
DEPTH = 1000


@dataclass(frozen=True)
class Collection:
    """A judged collection; `runs` are those of others that stand beside ours, by title."""

    name: str
    judgements: str = "test"
    level: int = 1
    runs: tuple[tuple[str, str], ...] = ()


_POOL_RUNS = (("BM25, whole collection", "BM25"), ("SPLADE++ ED, whole collection", "SPLADE_P_P_ENSEMBLE_DISTIL"))
COLLECTIONS = (
    Collection("vaswani"),
    Collection("cacm"),
    Collection("cisi"),
    Collection("msmarco-dl19-pool", "test-incorpus", 2, _POOL_RUNS),
    Collection("msmarco-dl21-pool", "test-incorpus", 2, _POOL_RUNS),
)


def passages(folder: Path) -> Iterator[Passage]:
    """Yield the passages of a collection."""
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            yield Passage(id=row["_id"], text=row["text"], title=row["title"] or None)


def measured(collection: Collection, folder: Path, stacks: Sequence[str], limit: int | None) -> dict[str, Any]:
    """Return the figures of every stack and run on one collection."""
    with (folder / "queries.jsonl").open(encoding="utf-8") as lines:
        queries = read_queries(lines)
    with (folder / "qrels" / f"{collection.judgements}.tsv").open(encoding="utf-8") as lines:
        grades = read_judgements(lines)
    known = [q for q in queries if any(grade >= collection.level for grade in grades.get(q, {}).values())][:limit]
    grades = {q: grades[q] for q in known}
    found: dict[str, Measured] = {}
    speed: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as work:
        LocalIndex.create(Path(work) / "index").close()
        with LocalIndex.open(Path(work) / "index") as index:
            index.add(passages(folder))
            told = index.info()
            for stack in stacks:
                retriever = build(stack, index)
                start = time.perf_counter()
                hits = retriever.retrieve([queries[q] for q in known], DEPTH)
                speed[stack] = round(len(known) / (time.perf_counter() - start), 2)
                run = {q: [hit.passage.id for hit in ranked] for q, ranked in zip(known, hits, strict=True)}
                found[stack] = measure(run, grades, METRICS, level=collection.level)
    for title, name in collection.runs:
        found[title] = measure(others(folder / "runs" / f"{name}.trec.gz"), grades, METRICS, level=collection.level)
    return {
        "passages": told.passages,
        "queries": len(known),
        "judgements": collection.judgements,
        "level": collection.level,
        "queries_per_second": speed,
        "systems": {name: {metric: f.to_dict() for metric, f in one.figures().items()} for name, one in found.items()},
        "difference": differences(found, stacks),
    }


def others(path: Path) -> dict[str, list[str]]:
    """Read a run that is not ours."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return {query: [passage for passage, _ in ranked] for query, ranked in read_run(lines, path.name).items()}


def differences(found: Mapping[str, Measured], stacks: Sequence[str]) -> dict[str, Any]:
    """Return how much nDCG@10 each further stack gains on the first, paired by query."""
    base, *further = (found[stack] for stack in stacks)
    gains = {
        stack: [one.by_query[METRICS[0]][q] - base.by_query[METRICS[0]][q] for q in base.queries]
        for stack, one in zip(stacks[1:], further, strict=True)
    }
    return {
        stack: {
            **Bootstrap().mean(gain).to_dict(),
            "better": int((np.array(gain) > 0).sum()),
            "worse": int((np.array(gain) < 0).sum()),
        }
        for stack, gain in gains.items()
    }


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure how well stacks find")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder of the public sets")
    parser.add_argument("--collections", nargs="+", default=[c.name for c in COLLECTIONS])
    parser.add_argument(
        "--stacks", nargs="+", default=list(STACKS), help="the first is what the others are held against"
    )
    parser.add_argument("--queries", type=int, help="only the first N judged queries of each")
    parser.add_argument("--result", type=Path, default=RESULT)
    return parser.parse_args()


def main() -> None:
    options = arguments()
    result: dict[str, Any] = {
        "version": __version__,
        "model_sha256": models.builtin_sha256(),
        "date": datetime.now(UTC).date().isoformat(),
        "stacks": options.stacks,
        "depth": DEPTH,
        "only_first_queries": options.queries,
        "bootstrap": {"resamples": 1000, "level": 0.95, "resampled": "queries"},
        "collections": {},
    }
    for collection in (c for c in COLLECTIONS if c.name in options.collections):
        found = measured(collection, options.data / "ir" / collection.name, options.stacks, options.queries)
        result["collections"][collection.name] = found
        for name, figures in found["systems"].items():
            shown = " ".join(f"{metric} {figure['value']:.4f}" for metric, figure in figures.items())
            print(f"{collection.name:18} {name:30} {shown}", flush=True)
    options.result.write_text(json.dumps(result, indent=1, allow_nan=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
