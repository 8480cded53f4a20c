"""What should BM25's score count when the built-in model orders its hits? nDCG@10 by weight, on sets that may be tuned on.

    python benchmarks/joined.py [--data DIR] [--queries N] [--result FILE]

Four sets of queries, each over its own collection, BM25's first 100 passages ordered by `mini(first=W)`:

questions    of Natural Questions, BoolQ and SQuAD, over all their passages; only those of the share that the model's
             training held out, with their passages
answered     the same with the answer behind the question, which is what `verify` searches by
claims       of Factcheck-GPT, over web passages; relevant are those that say something of the claim. Kept whole from training
statements   of FEVEROUS, over single sentences of Wikipedia; relevant is the gold evidence. Kept whole from training

The weight in `groundwire.stacks` is the one with the best mean of the four. Writes benchmarks/results/joined.json.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from groundwire import __version__, models
from groundwire.evals.bootstrap import Bootstrap
from groundwire.evals.ranking import measure
from groundwire.index import LocalIndex
from groundwire.rerank import PairReranker, readable
from groundwire.training.sources import held_out, normal, read
from groundwire.types import Hit, Passage

ROOT = Path(__file__).resolve().parent.parent
RESULT = ROOT / "benchmarks" / "results" / "joined.json"
ASKED = ("nqopen-oracle-dev", "nq-openbook-short", "boolq-dev", "xquad-en-test")
HELD_OUT = 0.08
"""The share of passages that training keeps for validation (`mixture.toml`)."""
WEIGHTS = tuple(n / 10 for n in range(11))
DEPTH, METRIC, LONGEST = 100, "ndcg_cut_10", 3000


@dataclass
class Judged:
    """A collection: passages, queries, and which passages are relevant to which query."""

    passages: dict[str, Passage] = field(default_factory=dict)
    queries: dict[str, str] = field(default_factory=dict)
    relevant: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))

    def passage(self, text: str) -> str:
        """Add a passage, unless it is there; return its id."""
        return self.passages.setdefault(normal(text), Passage(id=f"p{len(self.passages)}", text=text[:LONGEST])).id

    def judge(self, query: str, passage: str) -> None:
        """Say that a passage is relevant to a query."""
        number = next((key for key, text in self.queries.items() if text == query), f"q{len(self.queries)}")
        self.queries[number] = query
        self.relevant[number][passage] = 1


def asked(data: Path, *, answered: bool) -> Judged:
    judged = Judged()
    for name in ASKED:
        for row in read(name, data):
            passage = judged.passage(row["context"])
            if held_out(row, HELD_OUT):
                judged.judge(f"{row['question']} {row['answers'][0]}" if answered else row["question"], passage)
    return judged


def stated(name: str, data: Path) -> Judged:
    judged = Judged()
    for row in read(name, data):
        for passage in map(judged.passage, row["contexts"]):
            if row["meta"].get("stance") != "irrelevant":
                judged.judge(row["answer"], passage)
    return judged


def collections(data: Path) -> Iterator[tuple[str, Judged]]:
    yield "questions", asked(data, answered=False)
    yield "answered", asked(data, answered=True)
    yield "claims", stated("factcheckgpt-stance", data)
    yield "statements", stated("feverous-s-dev", data)


class Known:
    """A scorer whose scores are there already."""

    name = "known"

    def __init__(self, scores: Mapping[tuple[str, str], float]) -> None:
        self._scores = scores

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return [self._scores[pair] for pair in pairs]

    def truncated(self, pairs: Sequence[tuple[str, str]]) -> list[bool]:
        return [False] * len(pairs)


def curve(judged: Judged, queries: int) -> dict[str, Any]:
    """Return nDCG@10 at every weight, over some of the queries."""
    chosen = sorted(judged.queries)
    Random(1).shuffle(chosen)
    chosen = chosen[:queries]
    texts = [judged.queries[q] for q in chosen]
    with tempfile.TemporaryDirectory() as work, LocalIndex.create(Path(work) / "index") as index:
        index.add(judged.passages.values())
        found = index.bm25().retrieve(texts, DEPTH)
    pairs = [(text, readable(hit.passage)) for text, hits in zip(texts, found, strict=True) for hit in hits]
    scorer = models.load_scorer(f"{models.BUILTIN}:cosine")
    known = Known(dict(zip(pairs, scorer.score(pairs), strict=True)))
    grades = {q: judged.relevant[q] for q in chosen}

    def at(weight: float) -> dict[str, Any]:
        ranked: list[list[Hit]] = PairReranker(known, first=weight).rerank(texts, found)
        run = {q: [hit.passage.id for hit in hits] for q, hits in zip(chosen, ranked, strict=True)}
        return Bootstrap().mean(list(measure(run, grades, [METRIC]).by_query[METRIC].values())).to_dict()

    return {
        "passages": len(judged.passages),
        "queries": len(chosen),
        METRIC: {str(weight): at(weight) for weight in WEIGHTS},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what BM25's score should count beside the built-in model's")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder of the public sets")
    parser.add_argument("--queries", type=int, default=100, help="of each set")
    parser.add_argument("--result", type=Path, default=RESULT)
    options = parser.parse_args()
    sets = {}
    for name, judged in collections(options.data):
        sets[name] = curve(judged, options.queries)
        print(name, *(f"{figure['value']:.3f}" for figure in sets[name][METRIC].values()), flush=True)
    mean = {str(w): sum(one[METRIC][str(w)]["value"] for one in sets.values()) / len(sets) for w in WEIGHTS}
    best = max(mean, key=lambda weight: mean[weight])
    print("mean", *(f"{value:.3f}" for value in mean.values()), "best", best)
    result = {
        "version": __version__,
        "model_sha256": models.builtin_sha256(),
        "date": datetime.now(UTC).date().isoformat(),
        "depth": DEPTH,
        "sets": sets,
        "mean": mean,
        "best": float(best),
    }
    options.result.write_text(json.dumps(result, indent=1, allow_nan=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
