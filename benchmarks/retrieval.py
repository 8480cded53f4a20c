"""How well do stacks find? nDCG@10, MAP and recall on collections that are judged, by the local index.

    python benchmarks/retrieval.py [--data DIR] [--work DIR] [--collections NAME ...] [--stacks STACK ...] [--queries N]
        [--keep] [--result FILE]

Vaswani, CACM and CISI are complete. The pools of TREC Deep Learning 2019 and 2021 hold what several retrievers found in
the whole of MS MARCO, so a stack that searches a pool has another task than they had: their runs stand beside it for
orientation, and recall is that of the pool. Only judgements of passages in the pool count. Of the pools' grades 2 and more
are relevant, as is usual for these tracks. Nothing is tuned: parameters are the defaults. All sets are for evaluation only.

`minilm` is all-MiniLM-L6-v2 (`groundwire models pull all-minilm-l6-v2`; without it its stacks are left out). Indexes and its
vectors stay in the work folder, so that a later run encodes nothing anew but what the built-in model reranks: about 20 000
passages, eight minutes of one core; the first run encodes 41 000 by all-MiniLM besides, which is half an hour. `--keep`
keeps what the result has of other stacks and collections. Writes benchmarks/results/retrieval.json after every stack;
`retrieval_page.py` makes the page.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from groundwire import __version__, durable, models
from groundwire.errors import MissingModel
from groundwire.evals.bootstrap import Bootstrap
from groundwire.evals.ranking import Measured, measure
from groundwire.evals.trec import read_judgements, read_queries, read_run
from groundwire.index import LocalIndex
from groundwire.stacks import build
from groundwire.types import Passage

ROOT = Path(__file__).resolve().parent.parent
RESULT = ROOT / "benchmarks" / "results" / "retrieval.json"
STACKS = ("bm25", "bm25+mini", "bm25+mini:cosine", "minilm", "rrf(bm25,minilm)")
ENCODERS = {"minilm": "all-minilm-l6-v2"}
"""What an index has to be encoded by, by the name that stacks know it by."""
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
    Collection("msmarco-dl19-pool", "test-incorpus", 2, _POOL_RUNS),
    Collection("msmarco-dl21-pool", "test-incorpus", 2, _POOL_RUNS),
    Collection("cacm"),
    Collection("cisi"),
    Collection("vaswani"),
)


def passages(folder: Path) -> Iterator[Passage]:
    """Yield the passages of a collection."""
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            yield Passage(id=row["_id"], text=row["text"], title=row["title"] or None)


def opened(folder: Path, name: str, work: Path) -> LocalIndex:
    """Return the index of a collection, which is made at the first time."""
    place = work / f"{name}.index"
    if not place.is_dir():
        with LocalIndex.create(place) as index:
            index.add(passages(folder))
    return LocalIndex.open(place)


def judged(collection: Collection, folder: Path, limit: int | None) -> tuple[dict[str, str], dict[str, dict[str, int]]]:
    """Return the queries for which something relevant is known, and their judgements."""
    with (folder / "queries.jsonl").open(encoding="utf-8") as lines:
        queries = read_queries(lines)
    with (folder / "qrels" / f"{collection.judgements}.tsv").open(encoding="utf-8") as lines:
        grades = read_judgements(lines)
    known = [q for q in queries if any(grade >= collection.level for grade in grades.get(q, {}).values())][:limit]
    return {q: queries[q] for q in known}, {q: grades[q] for q in known}


def searched(index: LocalIndex, stack: str, queries: Mapping[str, str]) -> dict[str, list[str]]:
    """Return what a stack ranks; encode the index first where the stack needs it."""
    for name, model in ENCODERS.items():
        if name in stack:
            index.embed(model)
    found = build(stack, index).retrieve(list(queries.values()), DEPTH)
    return {q: [hit.passage.id for hit in hits] for q, hits in zip(queries, found, strict=True)}


def measured(
    collection: Collection, options: argparse.Namespace, before: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """Give the figures on one collection after every stack; `before` are those that are kept of an earlier run."""
    folder = options.data / "ir" / collection.name
    queries, grades = judged(collection, folder, options.queries)
    figures, scores = dict(before.get("systems", {})), dict(before.get("by_query", {}))

    def take(name: str, run: Mapping[str, Sequence[str]]) -> None:
        found: Measured = measure(run, grades, METRICS, level=collection.level)
        figures[name] = {metric: figure.to_dict() for metric, figure in found.figures().items()}
        scores[name] = {q: round(value, 4) for q, value in found.by_query[METRICS[0]].items()}
        print(
            f"{collection.name:18} {name:30}", *(f"{m} {f['value']:.4f}" for m, f in figures[name].items()), flush=True
        )

    for title, name in collection.runs:
        take(title, others(folder / "runs" / f"{name}.trec.gz"))
    with opened(folder, collection.name, options.work) as index:
        for stack in options.stacks:
            try:
                take(stack, searched(index, stack, queries))
            except MissingModel as missing:
                print(f"{collection.name:18} {stack:30} left out: {missing.message} ({missing.hint})", flush=True)
            yield {
                "passages": index.info().passages,
                "queries": len(queries),
                "judgements": collection.judgements,
                "level": collection.level,
                "systems": figures,
                "difference": differences(scores),
                "by_query": scores,
            }


def others(path: Path) -> dict[str, list[str]]:
    """Read a run that is not ours."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return {query: [passage for passage, _ in ranked] for query, ranked in read_run(lines, path.name).items()}


def differences(scores: Mapping[str, Mapping[str, float]]) -> dict[str, Any]:
    """Return how much nDCG@10 each further stack gains on BM25, paired by query."""
    base = scores.get(STACKS[0], {})
    gains = {
        stack: [own[q] - base[q] for q in base]
        for stack, own in scores.items()
        if stack in STACKS[1:] and base.keys() == own.keys()
    }
    return {
        stack: {
            **Bootstrap().mean(gain).to_dict(),
            "better": int((np.array(gain) > 0).sum()),
            "worse": int((np.array(gain) < 0).sum()),
        }
        for stack, gain in gains.items()
    }


def forget_reranked(collections: Mapping[str, Any]) -> None:
    """Drop the figures that other weights of the built-in model made."""
    for found in collections.values():
        for part in ("systems", "difference", "by_query"):
            found[part] = {name: value for name, value in found[part].items() if f"+{models.BUILTIN}" not in name}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure how well stacks find")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder of the public sets")
    parser.add_argument("--work", type=Path, default=ROOT / ".work" / "retrieval", help="where indexes are kept")
    parser.add_argument("--collections", nargs="+", default=[c.name for c in COLLECTIONS])
    parser.add_argument("--stacks", nargs="+", default=list(STACKS))
    parser.add_argument("--queries", type=int, help="only the first N judged queries of each")
    parser.add_argument("--keep", action="store_true", help="keep what the result has of other stacks and collections")
    parser.add_argument("--result", type=Path, default=RESULT)
    return parser.parse_args()


def main() -> None:
    options = arguments()
    options.work.mkdir(parents=True, exist_ok=True)
    before = json.loads(options.result.read_text()) if options.keep and options.result.is_file() else {}
    result: dict[str, Any] = {
        "version": __version__,
        "model_sha256": models.builtin_sha256(),
        "date": datetime.now(UTC).date().isoformat(),
        "depth": DEPTH,
        "only_first_queries": options.queries,
        "bootstrap": {"resamples": 1000, "level": 0.95, "resampled": "queries"},
        "collections": before.get("collections", {}),
    }
    if before.get("model_sha256") != result["model_sha256"]:
        forget_reranked(result["collections"])
    for collection in (c for c in COLLECTIONS if c.name in options.collections):
        for found in measured(collection, options, result["collections"].get(collection.name, {})):
            result["collections"][collection.name] = found
            text = json.dumps(result, indent=1, allow_nan=False) + "\n"
            durable.write(options.result, text.encode())


if __name__ == "__main__":
    main()
