"""Does the built-in model rank better than BM25? nDCG@10 of BM25's first 100 passages, ranked again by relevance.

    python benchmarks/rerank.py [--data DIR] [--queries N] [--result FILE]

Queries, judgements and BM25's run are those of TREC Deep Learning 2019 (`ir/msmarco-dl19-pool`): evaluation only. Ranked
are the same 100 passages of each query by BM25, by the model's two readings (the relevance logit of query and passage read
together, and the cosine of their vectors: `bm25+mini:cosine`), and by BM25 and the cosine together, as `bm25+mini` joins
them. The best that could be made of the 100 passages stands beside them. Writes benchmarks/results/rerank.json.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from groundwire import __version__, models
from groundwire.evals.bootstrap import Bootstrap
from groundwire.evals.ranking import measure as measured
from groundwire.rerank import standardised
from groundwire.stacks.building import FIRST

ROOT = Path(__file__).resolve().parent.parent
RESULT = ROOT / "benchmarks" / "results" / "rerank.json"
COLLECTION = "msmarco-dl19-pool"
JUDGEMENTS = "test-incorpus"
"""Only of passages that the pool holds: what is ranked here could be found here."""
DEPTH, K = 100, 10
BASELINE = "bm25"


@dataclass(frozen=True)
class Query:
    """A query with its candidates, BM25's best first, and the grades of what was judged for it."""

    id: str
    text: str
    passages: tuple[str, ...]
    texts: tuple[str, ...]
    bm25: tuple[float, ...]
    grades: Mapping[str, int]


def read(folder: Path) -> list[Query]:
    """Read the queries for which a relevant passage is known, with BM25's first passages of each."""
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        corpus = {row["_id"]: f"{row['title']} {row['text']}".strip() for row in map(json.loads, lines)}
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    for line in (folder / "qrels" / f"{JUDGEMENTS}.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query, passage, grade = line.split("\t")
        grades[query][passage] = int(grade)
    run: dict[str, list[tuple[str, float]]] = defaultdict(list)
    with gzip.open(folder / "runs" / "BM25.trec.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            query, _, passage, _, score, _ = line.split()
            run[query].append((passage, float(score)))
    rows = map(json.loads, (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines())
    known = [row for row in rows if any(grade > 0 for grade in grades[row["_id"]].values())]
    return [_query(row, run[row["_id"]][:DEPTH], corpus, grades[row["_id"]]) for row in known]


def _query(
    row: dict[str, str], run: Sequence[tuple[str, float]], corpus: Mapping[str, str], grades: Mapping[str, int]
) -> Query:
    passages, scores = zip(*run, strict=True)
    texts = tuple(corpus[passage] for passage in passages)
    return Query(row["_id"], row["text"], passages, texts, scores, grades)


def systems(query: Query, logits: Sequence[float], cosines: Sequence[float]) -> dict[str, Sequence[float]]:
    """Return the scores of the query's passages by system."""
    share = FIRST[models.BUILTIN]
    scored = zip(standardised(query.bm25), standardised(cosines), strict=True)
    both = [share * bm25 + (1 - share) * cosine for bm25, cosine in scored]
    best = [float(query.grades.get(passage, 0)) for passage in query.passages]
    return {BASELINE: query.bm25, "logit": logits, "vectors": cosines, "both": both, "best possible": best}


def ranked(query: Query, scores: Sequence[float]) -> list[str]:
    """Return the passages by falling score; equal ones stay in BM25's order."""
    return [query.passages[i] for i in sorted(range(len(scores)), key=lambda i: -scores[i])]


def measure(
    queries: Sequence[Query], logits: Sequence[Sequence[float]], cosines: Sequence[Sequence[float]]
) -> dict[str, Any]:
    """Return nDCG@10 of every system with its interval over queries, and the paired difference to BM25."""
    runs: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for query, *scores in zip(queries, logits, cosines, strict=True):
        for name, by in systems(query, *scores).items():
            runs[name][query.id] = ranked(query, by)
    grades = {query.id: query.grades for query in queries}
    metric = f"ndcg_cut_{K}"
    found = {name: list(measured(run, grades, [metric]).by_query[metric].values()) for name, run in runs.items()}
    bootstrap = Bootstrap()
    gains = {name: np.subtract(found[name], found[BASELINE]) for name in ("logit", "vectors", "both")}
    return {
        "ndcg": {name: bootstrap.mean(values).to_dict() for name, values in found.items()},
        "difference": {
            name: {
                **bootstrap.mean(list(gain)).to_dict(),
                "better": int((gain > 0).sum()),
                "worse": int((gain < 0).sum()),
            }
            for name, gain in gains.items()
        },
        "by_query": {q.id: {n: round(found[n][i], 4) for n in found} for i, q in enumerate(queries)},
    }


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure the model's relevance on BM25's first passages")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder of the public sets")
    parser.add_argument("--queries", type=int, help="only the first N queries")
    parser.add_argument("--result", type=Path, default=RESULT)
    return parser.parse_args()


def scored(queries: Sequence[Query], scorer: str) -> tuple[list[list[float]], float]:
    """Return a scorer's scores of each query's passages, and how many passages a second that was."""
    pairs = [(query.text, text) for query in queries for text in query.texts]
    start = time.perf_counter()
    flat = iter(models.load_scorer(scorer).score(pairs))
    return [[next(flat) for _ in query.texts] for query in queries], len(pairs) / (time.perf_counter() - start)


def main() -> None:
    options = arguments()
    queries = read(options.data / "ir" / COLLECTION)[: options.queries]
    logits, together = scored(queries, models.BUILTIN)
    cosines, apart = scored(queries, f"{models.BUILTIN}:cosine")
    result = {
        "version": __version__,
        "model_sha256": models.builtin_sha256(),
        "date": datetime.now(UTC).date().isoformat(),
        "collection": COLLECTION,
        "judgements": JUDGEMENTS,
        "queries": len(queries),
        "depth": DEPTH,
        "k": K,
        "weight_of_bm25": FIRST[models.BUILTIN],
        "bootstrap": {"resamples": 1000, "level": 0.95, "resampled": "queries"},
        "passages_per_second": {"logit": round(together, 1), "vectors": round(apart, 1)},
        **measure(queries, logits, cosines),
    }
    options.result.write_text(json.dumps(result, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    for name, figure in result["ndcg"].items():
        print(f"{name:14} {figure['value']:.4f} [{figure['low']:.4f}, {figure['high']:.4f}]")
    print(result["difference"], f"{result['passages_per_second']} passages a second")


if __name__ == "__main__":
    main()
