"""The index beside other engines: CPU time and memory to build, size, opening, queries → results/index.json.

    python benchmarks/bench_index.py CORPUS [--sizes 300000 600000 1200000] [--queries N] [--work DIR]

CORPUS is the folder that holds corpus.jsonl (_id, title, text), queries-long.jsonl and queries-short.jsonl (_id, text).
Builds run one after the other, each in a process of its own, so that the peak of memory is its own; an index that is there
is not built again. At each size the engines' queries take turns in one process. Times are CPU time of the one thread that
works (Lucene's compiler and collector have threads of their own, which are not counted), in ms, from the query's words to
ten ids, after all queries were asked once. glibc's allocator is set to keep its memory, for all engines. Agreement is the
mean share of the ten best ids, by a scorer that reads every posting, that an engine finds; ids of equal scores at the end
count against nobody who found as many.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import re
import resource
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from index_engines import K1, TOP, B, engines, overlap

from groundwire import __version__
from groundwire.analysis import analyzer
from groundwire.index import LocalIndex, kernels

ROOT = Path(__file__).resolve().parent.parent
ALLOCATOR = {
    "MALLOC_MMAP_THRESHOLD_": "4294967296",
    "MALLOC_TRIM_THRESHOLD_": "68719476736",
    "MALLOC_TOP_PAD_": "268435456",
}
FIRST = 100
"""Queries of a fresh process whose time is told apart."""


def queries(corpus: Path, kind: str, count: int) -> list[str]:
    lines = (corpus / f"queries-{kind}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line)["text"] for line in lines[:count]]


def built(engine: Any, args: argparse.Namespace, size: int) -> dict[str, Any]:
    """Build in a process of its own, where it was not; return what it took."""
    work = args.work / str(size)
    work.mkdir(parents=True, exist_ok=True)
    folder, note = work / engine.folder, work / f"{engine.folder}.json"
    if not note.exists():
        shutil.rmtree(folder, ignore_errors=True)
        if hasattr(engine, "prepare"):
            engine.prepare(args.corpus, work, size)
        command = [sys.executable, __file__, str(args.corpus), "--work", str(args.work), "--sizes", str(size)]
        started = time.perf_counter()
        done = subprocess.run([*command, "--build", engine.folder], check=True, stdout=subprocess.PIPE, text=True)
        figures = json.loads(done.stdout.splitlines()[-1])
        used = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        figures |= {"wall_s": round(time.perf_counter() - started, 1), "mib": round(used / 2**20, 1)}
        note.write_text(json.dumps(figures), encoding="utf-8")
    figures = json.loads(note.read_text(encoding="utf-8"))
    return dict(figures)


def build_here(folder: str, args: argparse.Namespace) -> None:
    engine = next(engine for engine in engines() if engine.folder == folder)
    engine.build(args.corpus, args.work / str(args.sizes[0]) / folder, args.sizes[0])
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime
    peak = children.ru_maxrss if folder == "lucene" else _peak()
    print(json.dumps({"cpu_s": round(cpu, 1), "peak_mb": round(peak / 1024)}))


def _peak() -> int:
    """Return the peak of this process's memory in KiB. (ru_maxrss also counts the process that started it.)"""
    found = re.search(r"VmHWM:\s*(\d+)", Path("/proc/self/status").read_text("ascii"))
    assert found, "the kernel tells no peak"
    return int(found[1])


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
    return sorted(((segment.store.id(n), float(scores[n])) for n in best), key=lambda e: (-e[1], e[0]))


def asked(args: argparse.Namespace, size: int, kind: str) -> dict[str, Any]:
    """Ask all queries of a kind; return each engine's times and agreement."""
    work, texts = args.work / str(size), queries(args.corpus, kind, args.queries)
    here = engines()
    searches = {engine.name: engine.open(work / engine.folder) for engine in here}
    first = {name: [_timed(search, text)[0] for text in texts[:FIRST]] for name, search in searches.items()}
    for search in searches.values():
        for text in texts:
            search(text)
    times: dict[str, list[float]] = {name: [] for name in searches}
    found: dict[str, list[list[str]]] = {name: [] for name in searches}
    for at, text in enumerate(texts):
        for name in sorted(searches, key=lambda name: hash((at, name))):
            spent, ids = _timed(searches[name], text)
            times[name].append(spent)
            found[name].append(ids)
    with LocalIndex.open(work / "groundwire") as index:
        exact = [exhaustive(index, text) for text in texts]
        same = _identical(index, texts, exact)
    figures: dict[str, Any] = {name: _summary(times[name], first[name]) for name in searches}
    for name, ids in found.items():
        shares = [_agreement(one, best) for one, best in zip(ids, exact, strict=True)]
        figures[name]["agreement"] = round(float(np.mean(shares)), 4)
    return {"engines": figures, "queries": len(texts), "identical": same}


def _timed(search: Any, text: str) -> tuple[float, list[str]]:
    started = time.thread_time()
    ids = search(text)
    return 1000 * (time.thread_time() - started), ids


def _summary(times: list[float], first: list[float]) -> dict[str, float]:
    p50, p95 = np.percentile(times, [50, 95])
    figures = {"p50_ms": p50, "p95_ms": p95, "first_p50_ms": float(np.median(first))}
    return {name: round(float(value), 3) for name, value in figures.items()} | {
        "queries_per_s": round(1000 / float(np.mean(times)), 1)
    }


def _agreement(found: list[str], exact: list[tuple[str, float]]) -> float:
    """Return the share of the best ten that was found; among passages that tie for the last places any will do."""
    if len(exact) <= TOP:
        return overlap(found, [key for key, _ in exact])
    last = exact[TOP - 1][1]
    sure, tied = [key for key, score in exact if score > last], {key for key, score in exact if score == last}
    return (sum(key in found for key in sure) + min(sum(key in tied for key in found), TOP - len(sure))) / TOP


def _identical(index: LocalIndex, texts: list[str], exact: list[list[tuple[str, float]]]) -> dict[str, str]:
    """Say for both loops how many queries have the exhaustive scorer's ten ids and scores, to the last bit."""
    retriever, same = index.bm25(k1=K1, b=B), {}
    for loops in kernels.NAMES if kernels.installed() else kernels.NAMES[:1]:
        kernels.use(loops)
        hits = sum(retriever.rank([text], TOP)[0] == best[:TOP] for text, best in zip(texts, exact, strict=True))
        same[loops] = f"{hits}/{len(texts)}"
    return same


def opened(folder: Path) -> float:
    """Return the seconds to open the index and answer nothing yet; the median of five."""
    spent = []
    for _ in range(5):
        started = time.perf_counter()
        with LocalIndex.open(folder) as index:
            index.bm25()
        spent.append(time.perf_counter() - started)
    return round(float(np.median(spent)), 5)


def measured(args: argparse.Namespace, size: int) -> dict[str, Any]:
    """Build what is not there and ask; return the figures of a size."""
    here = {engine.folder: engine for engine in engines()}
    builds = {folder: built(engine, args, size) for folder, engine in here.items()}
    folder = args.work / str(size) / "groundwire"
    with LocalIndex.open(folder) as index:
        info = index.info().to_dict()
    info.pop("loops"), info.pop("vectors")
    without = round((info["bytes"] - info["text_bytes"]) / 2**20, 1)
    figures = {"index": {**info, "mib_without_text": without, "open_s": opened(folder)}, "build": builds}
    if args.queries:
        figures["queries"] = {kind: asked(args, size, kind) for kind in ("long", "short")}
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[300_000, 600_000, 1_200_000])
    parser.add_argument("--queries", type=int, default=1000, help="of each kind; 0 builds alone")
    parser.add_argument("--work", type=Path, default=None, help="where the indexes go (default: CORPUS/indexes)")
    parser.add_argument("--output", type=Path, default=ROOT / "benchmarks" / "results" / "index.json")
    parser.add_argument("--build", help=argparse.SUPPRESS)
    args = parser.parse_args()
    args.work = args.work or args.corpus / "indexes"
    if args.build:
        build_here(args.build, args)
        return
    if any(os.environ.get(name) != value for name, value in ALLOCATOR.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **ALLOCATOR})  # read once, at the start
    versions = {engine.name: engine.version for engine in engines()}
    result: dict[str, Any] = {
        "version": __version__,
        "python": platform.python_version(),
        "engines": versions,
        "settings": {"k1": K1, "b": B, "top": TOP, "threads": 1, "allocator": ALLOCATOR},
        "sizes": {},
    }
    for size in args.sizes:
        result["sizes"][str(size)] = measured(args, size)
        if args.queries:
            args.output.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
