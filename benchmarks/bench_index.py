"""The index: CPU time and memory to build it, size, opening, and BM25 queries beside bm25s → results/index.json.

    python benchmarks/bench_index.py CORPUS [--passages N] [--queries N] [--work DIR]

CORPUS is the folder that holds corpus.jsonl (_id, title, text), queries-long.jsonl and queries-short.jsonl (_id, text).
Builds run in a process of their own, so that the peak of memory is theirs. Queries of the engines take turns; times are
CPU time of the one thread that works, in ms, with the texts left out (ids and scores). Agreement is the share of queries
whose ten ids and scores are those of a scorer that reads every posting. bm25s takes part where it is installed.
"""

from __future__ import annotations

import argparse
import importlib.util
import itertools
import json
import math
import platform
import resource
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from groundwire import __version__
from groundwire.analysis import analyzer
from groundwire.index import LocalIndex
from groundwire.types import Passage

ROOT = Path(__file__).resolve().parent.parent
K1, B, TOP = 0.82, 0.68, 10
WARM = 20


def passages(corpus: Path, count: int) -> Iterator[Passage]:
    with (corpus / "corpus.jsonl").open(encoding="utf-8") as lines:
        for row in map(json.loads, itertools.islice(lines, count)):
            yield Passage(id=row["_id"], title=row.get("title") or None, text=row["text"])


def queries(corpus: Path, kind: str, count: int) -> list[str]:
    lines = (corpus / f"queries-{kind}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line)["text"] for line in lines[:count]]


def build_groundwire(corpus: Path, work: Path, count: int) -> None:
    with LocalIndex.create(work / "groundwire") as index:
        index.add(passages(corpus, count))
        index.compact()


def build_bm25s(corpus: Path, work: Path, count: int) -> None:
    import bm25s

    english = analyzer("english")
    terms = [english.terms(f"{p.title} {p.text}" if p.title else p.text) for p in passages(corpus, count)]
    engine = bm25s.BM25(method="lucene", k1=K1, b=B, backend="numba")
    engine.index(terms, show_progress=False)
    engine.save(str(work / "bm25s"))


BUILDERS: dict[str, Callable[[Path, Path, int], None]] = {"groundwire": build_groundwire, "bm25s": build_bm25s}


def built(name: str, args: argparse.Namespace) -> dict[str, Any]:
    """Build in a process of its own; return what it took."""
    folder = args.work / name
    shutil.rmtree(folder, ignore_errors=True)
    command = [sys.executable, __file__, str(args.corpus), "--work", str(args.work), "--passages", str(args.passages)]
    started = time.perf_counter()
    done = subprocess.run([*command, "--build", name], check=True, capture_output=True, text=True)
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return {**figures, "wall_s": round(time.perf_counter() - started, 1), "mib": round(size / 2**20, 1)}


def build_here(name: str, args: argparse.Namespace) -> None:
    BUILDERS[name](args.corpus, args.work, args.passages)
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu = round(used.ru_utime + used.ru_stime, 1)
    print(json.dumps({"cpu_s": cpu, "peak_mb": round(used.ru_maxrss / 1024)}))


def exhaustive(index: LocalIndex, query: str) -> list[tuple[str, float]]:
    """Rank by reading every posting of every term."""
    [segment] = index.segments
    lists, pairs = segment.postings, segment.postings.pairs()
    length, average = pairs.length.astype(np.float32), np.float32(segment.tokens / segment.filled)
    k1, b, one = np.float32(K1), np.float32(B), np.float32(1)
    below = one + pairs.frequency.astype(np.float32) * (one / (k1 * ((one - b) + b * length / average)))
    asked = {term: n for term, n in Counter(analyzer("english").terms(query)).items() if lists.find(term) >= 0}
    weights = {}
    for term, times in asked.items():
        start, stop = lists.span(lists.find(term))
        idf = math.log(1 + (segment.filled - (stop - start) + 0.5) / (stop - start + 0.5))
        weights[term] = np.float32(times) * np.float32(idf)
    sums = np.zeros(segment.live)
    for term in sorted(weights, key=lambda t: (-weights[t], t)):
        start, stop = lists.span(lists.find(term))
        scores = weights[term] - weights[term] / below[lists.pair_numbers(start, stop)]
        sums[lists.numbers.part(start, stop)] += scores
    scores = sums.astype(np.float32)
    best = np.flatnonzero((scores >= np.partition(scores, -TOP)[-TOP]) & (scores > 0)).tolist()
    return sorted(((segment.store.id(n), float(scores[n])) for n in best), key=lambda e: (-e[1], e[0]))[:TOP]


def searchers(args: argparse.Namespace, index: LocalIndex, names: list[str]) -> dict[str, Callable[[str], Any]]:
    retriever, english = index.bm25(k1=K1, b=B), analyzer("english")
    found: dict[str, Callable[[str], Any]] = {"groundwire": lambda query: retriever.rank([query], TOP)[0]}
    if "bm25s" in names:
        import bm25s

        peer = bm25s.BM25.load(str(args.work / "bm25s"), backend="numba")
        found["bm25s"] = lambda query: peer.retrieve([english.terms(query)], k=TOP, n_threads=1, show_progress=False)
    return found


def asked(args: argparse.Namespace, index: LocalIndex, names: list[str], kind: str) -> dict[str, Any]:
    """Ask all queries of a kind; return each engine's times and how often the ranking is the exhaustive one."""
    engines = searchers(args, index, names)
    texts = queries(args.corpus, kind, args.queries)
    times: dict[str, list[float]] = {name: [] for name in engines}
    for name, search in engines.items():
        for text in texts[:WARM]:
            search(text)
        del name
    for text in texts:
        for name, search in engines.items():
            started = time.thread_time()
            search(text)
            times[name].append(1000 * (time.thread_time() - started))
    figures: dict[str, Any] = {
        name: {"p50_ms": round(float(np.percentile(t, 50)), 2), "p95_ms": round(float(np.percentile(t, 95)), 2)}
        for name, t in times.items()
    }
    checked = texts[: args.exact]
    same = sum(engines["groundwire"](text) == exhaustive(index, text) for text in checked)
    return {**figures, "queries": len(texts), "exhaustive_agreement": f"{same}/{len(checked)}"}


def opened(folder: Path) -> float:
    """Return the seconds to open the index and answer nothing yet; the best of five."""
    best = math.inf
    for _ in range(5):
        started = time.perf_counter()
        with LocalIndex.open(folder) as index:
            index.bm25()
        best = min(best, time.perf_counter() - started)
    return round(best, 4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--passages", type=int, default=1_200_000)
    parser.add_argument("--queries", type=int, default=1000, help="of each kind")
    parser.add_argument(
        "--exact", type=int, default=1000, help="queries of each kind held against the exhaustive scorer"
    )
    parser.add_argument("--work", type=Path, default=None, help="where the indexes go (default: CORPUS/indexes)")
    parser.add_argument("--output", type=Path, default=ROOT / "benchmarks" / "results" / "index.json")
    parser.add_argument("--build", choices=BUILDERS, help=argparse.SUPPRESS)
    args = parser.parse_args()
    args.work = args.work or args.corpus / "indexes"
    args.work.mkdir(parents=True, exist_ok=True)
    if args.build:
        build_here(args.build, args)
        return
    names = ["groundwire", *(["bm25s"] if importlib.util.find_spec("bm25s") else [])]
    builds = {name: built(name, args) for name in names}
    with LocalIndex.open(args.work / "groundwire") as index:
        info = index.info().to_dict()
        kinds = {kind: asked(args, index, names, kind) for kind in ("long", "short")}
    without = round((info["bytes"] - info["text_bytes"]) / 2**20, 1)
    result = {
        "version": __version__,
        "python": platform.python_version(),
        "settings": {"k1": K1, "b": B, "top": TOP, "passages": args.passages},
        "index": {**info, "mib_without_text": without, "open_s": opened(args.work / "groundwire")},
        "build": builds,
        "queries": kinds,
    }
    args.output.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
