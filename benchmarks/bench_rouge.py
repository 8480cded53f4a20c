"""ROUGE in the loop of generate, beside the package rouge_score, in turns: A B A B → results/rouge.json.

    python benchmarks/bench_rouge.py [--data DIR] [--questions N] [--generations N] [--result FILE]

The loop's workload: each question has one target, two passages of about sixty words; a generation is twelve candidates, and
each is scored by ROUGE-n with stemming. A is RougeScorer.score(target, candidate), as the method's published code calls it;
B is ours, whose target is made anew for each question, in the first generation's time. Candidates are the target's words, a
part left out and a part exchanged for words of other passages; no text comes twice. Both must give the same number to
1e-9. Each kind begins with no stem remembered; its first generation, which pays for most of them, is also told by itself.
Passages are the first two of BM25 for the queries of TREC Deep Learning 2019 where that data is here, else random words.
Times are CPU time of one generation on one thread, in ms; the ratio is that of the medians, and of the sums.
"""

from __future__ import annotations

import argparse
import gzip
import json
import platform
import random
import statistics
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rouge_score.rouge_scorer import RougeScorer

from groundwire import __version__
from groundwire.rouge import Target
from groundwire.rouge.words import forget

ROOT = Path(__file__).resolve().parent.parent
RESULT = ROOT / "benchmarks" / "results" / "rouge.json"
COLLECTION = "msmarco-dl19-pool"
CANDIDATES, SEEDS = 12, 2
LEFT_OUT, EXCHANGED = 0.3, 0.25
KINDS = ("1", "2", "L")
Side = Callable[[Sequence[str]], list[float]]


def main() -> None:
    options = arguments()
    rng = random.Random(options.seed)
    seeds, source = read(options.data / "ir" / COLLECTION, options.questions, rng)
    report = {
        "version": __version__,
        "date": datetime.now(UTC).date().isoformat(),
        "python": platform.python_version(),
        "rouge_score": version("rouge-score"),
        "nltk": version("nltk"),
        "passages": source,
        "questions": len(seeds),
        "generations": options.generations,
        "candidates": CANDIDATES,
        "words_of_a_target": statistics.fmean(len(" ".join(two).split()) for two in seeds),
        "kinds": {f"rouge{kind}": measured(kind, seeds, options.generations, rng) for kind in KINDS},
    }
    options.result.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(report, indent=2))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--questions", type=int, default=43)
    parser.add_argument("--generations", type=int, default=10, help="of each question")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--result", type=Path, default=RESULT)
    return parser.parse_args()


def read(folder: Path, questions: int, rng: random.Random) -> tuple[list[list[str]], str]:
    """Return two passages for each question, and what they are."""
    if not folder.is_dir():
        words = ["".join(rng.choices("abcdeilmnorstu", k=rng.randint(2, 10))) for _ in range(5000)]
        return [[" ".join(rng.choices(words, k=60)) for _ in range(SEEDS)] for _ in range(questions)], "random words"
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        corpus = {row["_id"]: row["text"] for row in map(json.loads, lines)}
    first: dict[str, list[str]] = {}
    with gzip.open(folder / "runs" / "BM25.trec.gz", "rt", encoding="utf-8") as lines:
        for query, _, passage, *_ in map(str.split, lines):
            found = first.setdefault(query, [])
            if len(found) < SEEDS:
                found.append(corpus[passage])
    return list(first.values())[:questions], COLLECTION


def generation(seeds: Sequence[str], others: Sequence[str], rng: random.Random) -> list[str]:
    """Return twelve rewritings of about sixty words."""
    made = []
    for _ in range(CANDIDATES):
        words = " ".join(rng.sample(list(seeds), len(seeds))).split()
        words = [rng.choice(others) if rng.random() < EXCHANGED else word for word in words if rng.random() > LEFT_OUT]
        made.append(" ".join(words[: rng.randint(45, 75)]))
    return made


def measured(kind: str, seeds: Sequence[Sequence[str]], generations: int, rng: random.Random) -> dict[str, Any]:
    """Score every generation on both sides; who goes first changes every time."""
    others = " ".join(text for two in seeds for text in two).split()
    reference = RougeScorer([f"rouge{kind}"], use_stemmer=True)
    times: tuple[list[float], list[float]] = ([], [])
    forget()
    for two in seeds:
        sides: tuple[Side, Side] = (Theirs(reference, kind, " ".join(two)), Ours(kind, " ".join(two)))
        for turn in range(generations):
            texts = generation(two, others, rng)
            scores: list[list[float]] = [[], []]
            for side in ((0, 1), (1, 0))[turn % 2]:
                start = time.process_time()
                scores[side] = sides[side](texts)
                times[side].append(1e3 * (time.process_time() - start))
            assert all(abs(a - b) <= 1e-9 for a, b in zip(*scores, strict=True)), "the two do not agree"
    return {
        "rouge_score": spread(times[0]),
        "ours": spread(times[1]),
        "ratio": statistics.median(times[0]) / statistics.median(times[1]),
        "ratio_of_sums": sum(times[0]) / sum(times[1]),
        "first": {"rouge_score_ms": times[0][0], "ours_ms": times[1][0], "ratio": times[0][0] / times[1][0]},
    }


class Theirs:
    """A: target and candidate are read anew for every score."""

    def __init__(self, reference: RougeScorer, kind: str, target: str) -> None:
        self.reference, self.kind, self.target = reference, f"rouge{kind}", target

    def __call__(self, texts: Sequence[str]) -> list[float]:
        return [self.reference.score(self.target, text)[self.kind].fmeasure for text in texts]


class Ours:
    """B: the target is read with the first generation."""

    def __init__(self, kind: str, target: str) -> None:
        self.kind, self.text = kind, target
        self.target: Target | None = None

    def __call__(self, texts: Sequence[str]) -> list[float]:
        self.target = self.target or Target(self.text)
        return [self.target.score(self.kind, text).f for text in texts]


def spread(times: Sequence[float]) -> dict[str, float]:
    tenths = statistics.quantiles(times, n=20)
    return {"p50_ms": statistics.median(times), "p95_ms": tenths[-1], "generations": len(times)}


if __name__ == "__main__":
    main()
